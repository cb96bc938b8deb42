//! Checks whether the files that some tests read are present. If they are missing, these tests are reported as ignored: a test that checked
//! nothing must not count as passed.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(shared_files)");
    println!("cargo::rerun-if-env-changed=SITEMAP_SHARED");
    println!("cargo::rerun-if-env-changed=SITEMAP_REQUIRE_ALL");
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // If nothing may be skipped, the tests run and fail without the files.
    if is_set("SITEMAP_SHARED") || is_set("SITEMAP_REQUIRE_ALL") {
        println!("cargo::rustc-cfg=shared_files");
    }
}
