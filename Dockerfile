# The command `sitemap`, linked statically:
#
#     docker build -t sitemap .
#     docker run --rm -v "$PWD:/site:ro" sitemap lint public/
FROM rust:1-alpine AS build
RUN apk add --no-cache musl-dev
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist -p sitemap-cli

FROM scratch
COPY --from=build /source/target/dist/sitemap /sitemap
COPY --from=build /source/LICENSE-APACHE /source/LICENSE-MIT /
WORKDIR /site
USER 65532
ENTRYPOINT ["/sitemap"]
