//! The bodies of requests.

use sitemap_submit::IndexNow;

#[test]
fn bodies_of_requests() {
    let mut requests = IndexNow::new("Example.com", "01234567").unwrap();
    let mut bodies = Vec::new();
    for i in 0..20_001 {
        let scheme = if i % 2 == 0 { "http" } else { "HTTPS" };
        bodies.extend(
            requests
                .push(&format!("{scheme}://example.COM/{i}?a=\"\\\u{e9}"))
                .unwrap(),
        );
    }
    bodies.extend(requests.finish());
    let bodies: Vec<serde_json::Value> = bodies
        .iter()
        .map(|body| serde_json::from_str(body).unwrap())
        .collect();
    let counts: Vec<_> = bodies
        .iter()
        .map(|body| body["urlList"].as_array().unwrap().len())
        .collect();
    assert_eq!(counts, [10_000, 10_000, 1]);
    assert_eq!(bodies[2]["urlList"][0], "http://example.COM/20000?a=%22%5C%C3%A9");
    assert_eq!(
        (&bodies[0]["host"], &bodies[0]["key"]),
        (&"Example.com".into(), &"01234567".into())
    );
    assert_eq!(bodies[0].get("keyLocation"), None);

    for key in ["", "0123456", "0123456_", &"0".repeat(129)] {
        let error = IndexNow::new("example.com", key).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "`{}` is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens; generate another one",
                if key.len() > 60 {
                    format!("{}…", &key[..60])
                } else {
                    key.to_owned()
                }
            )
        );
    }
    for host in ["", "https://example.com", "example.com/", "a b"] {
        let error = IndexNow::new(host, "01234567").unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("`{host}` is not a host: write only the host name, such as `example.com`")
        );
    }
    let mut requests = IndexNow::new("example.com", "01234567")
        .unwrap()
        .key_location("https://example.com/shop/key.txt")
        .unwrap();
    assert_eq!(
        requests
            .push("https://example.com/about")
            .unwrap_err()
            .to_string(),
        "`https://example.com/about` is not below `/shop/`, the directory of the key: a key is valid for its directory only; serve the key higher up"
    );
    for url in [
        "https://www.example.com/shop/",
        "ftp://example.com/shop/",
        "/shop/",
        "https://example.com.evil/shop/",
    ] {
        assert_eq!(
            requests.push(url).unwrap_err().to_string(),
            format!(
                "`{url}` is not a URL of `example.com`: an IndexNow request is about one host; make one for each host"
            )
        );
    }
    requests.push("https://example.com/shop/lamps").unwrap();
    assert_eq!(
        requests.finish().unwrap(),
        "{\"host\":\"example.com\",\"key\":\"01234567\",\"keyLocation\":\"https://example.com/shop/key.txt\",\
         \"urlList\":[\"https://example.com/shop/lamps\"]}"
    );
}
