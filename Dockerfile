# The command `sitemap`, linked statically:
#
#     docker build -t sitemap .
#     docker run --rm -v "$PWD:/site:ro" sitemap lint public/
FROM rust:1-alpine AS build
RUN apk add --no-cache musl-dev
WORKDIR /source
COPY . .
RUN cargo build --locked --profile dist -p sitemap-cli

# Nothing but a folder for temporary files, into which documents at URLs are loaded.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /source/target/dist/sitemap /sitemap
COPY --from=build /source/LICENSE-APACHE /source/LICENSE-MIT /
WORKDIR /site
ENTRYPOINT ["/sitemap"]
