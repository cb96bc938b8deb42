#!/bin/bash -eu
# All targets, each with the seeds and the words of XML.
cd "$SRC/sitemap-serde/fuzz"
cargo fuzz build -O
for target in fuzz_targets/*.rs; do
    name=$(basename "$target" .rs)
    cp "target/x86_64-unknown-linux-gnu/release/$name" "$OUT/"
    zip -qj "$OUT/${name}_seed_corpus.zip" seeds/*.xml
    cp seeds/xml.dict "$OUT/$name.dict"
done
