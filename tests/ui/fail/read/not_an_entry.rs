#[derive(serde::Deserialize)]
struct Product {
    loc: String,
}

fn read(xml: &str) {
    let mut reader = sitemap_serde::Reader::from_str(xml);
    let _ = reader.read::<Product>();
}

fn main() {}
