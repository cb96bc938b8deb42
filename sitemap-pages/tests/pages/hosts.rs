//! The files that configure a site's host.

use std::fs;

use sitemap_pages::{Folder, FolderBuilder};

use crate::site::{Site, builder, findings, left_out, listed};

/// Nine pages, the page of a folder, and the home page that links to them.
fn site(files: &[(&str, &str)]) -> Site {
    let links: Vec<String> = (0..9).map(|i| format!("<a href=/p{i}.html>{i}</a>")).collect();
    let links = links.concat();
    let site = Site::new(&[(
        "index.html",
        &format!("<p>Home<nav>{links}<a href=/d/>D</a></nav>"),
    )]);
    for i in 0..9 {
        site.write(&format!("p{i}.html"), format!("<p>Page {i}"));
    }
    site.write("d/index.html", "<p>D");
    for (name, content) in files {
        site.write(name, content);
    }
    site
}

/// Reads a folder with these files. The result is the same with the files in the project's folder.
fn read(files: &[(&str, &str)]) -> Folder {
    let in_folder = site(files).read();
    let site = site(&[]);
    let project = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(project.path().join(name), content).unwrap();
    }
    let in_project = builder().project(project.path()).read(site.path()).unwrap();
    assert_eq!(in_folder.pages(), in_project.pages());
    assert_eq!(in_folder.skipped(), in_project.skipped());
    assert_eq!(in_folder.findings(), in_project.findings());
    in_folder
}

const ALL: [&str; 11] = [
    "/", "/d/", "/p0.html", "/p1.html", "/p2.html", "/p3.html", "/p4.html", "/p5.html", "/p6.html",
    "/p7.html", "/p8.html",
];

#[test]
fn vercel() {
    let folder = read(&[(
        "vercel.json",
        r#"{
  "redirects": [
    { "source": "/p0.html", "destination": "/p1.html", "permanent": true },
    { "source": "/p:n(2|3).html", "destination": "https://other.example/:n" },
    { "source": "/p4.html", "destination": "/x", "has": [{ "type": "cookie", "key": "a" }] },
    { "source": "/p5.html", "destination": "/x", "has": [{ "type": "host", "value": "www.example.com" }] },
    { "source": "/p6.html", "destination": "/d/", "has": [{ "type": "host", "value": "example\\.com" }] },
    { "source": "/((?!p).*)", "destination": "/x" },
    { "destination": "/x" }
  ],
  "headers": [
    { "source": "/p7(.*)", "headers": [{ "key": "X-Robots-Tag", "value": "noindex" }] },
    { "source": "/p8.html", "headers": [{ "key": "Link", "value": "</p1.html>; rel=canonical" }] },
    { "source": "/(.*)", "headers": [{ "key": "X-Frame-Options", "value": "DENY" }] }
  ]
}"#,
    )]);
    assert_eq!(listed(&folder), ["/", "/d/", "/p1.html", "/p4.html", "/p5.html"]);
    assert_eq!(
        left_out(&folder),
        [
            "p0.html: redirected to `/p1.html` by vercel.json:3",
            "p2.html: redirected to `https://other.example/2` by vercel.json:4",
            "p3.html: redirected to `https://other.example/3` by vercel.json:4",
            "p6.html: redirected to `/d/` by vercel.json:7",
            "p7.html: `X-Robots-Tag` in vercel.json:12",
            "p8.html: its canonical address is `/p1.html` by `Link` in vercel.json:13",
        ]
    );
    assert_eq!(
        findings(&folder),
        [
            "vercel.json:8: the pattern `/((?!p).*)` is not understood here, and its rule not used",
            "vercel.json:9: a redirect needs `source` and `destination`",
        ]
    );
}

#[test]
fn vercel_routes() {
    let folder = read(&[(
        "vercel.json",
        r#"{ "routes": [
  { "src": "/p(0|1).html", "status": 308, "headers": { "Location": "/d/?from=$1" } },
  { "src": "/p2.html", "status": 410 },
  { "src": "/p3.html", "headers": { "x-robots-tag": "noindex" }, "continue": true },
  { "src": "/(.*)", "dest": "/$1" }
] }"#,
    )]);
    assert_eq!(
        left_out(&folder),
        [
            "p0.html: redirected to `/d/?from=0` by vercel.json:2",
            "p1.html: redirected to `/d/?from=1` by vercel.json:2",
            "p2.html: answered with 410 by vercel.json:3",
            "p3.html: `X-Robots-Tag` in vercel.json:4",
        ]
    );
}

#[test]
fn firebase() {
    let site_of = |public: &str| {
        format!(
            r#"{{ "public": "{public}",
      "redirects": [
        {{ "source": "/p0.html", "destination": "/p1.html", "type": 301 }},
        {{ "source": "/p:n.html", "destination": "/d/:n", "type": 301 }},
        {{ "source": "/!(a)", "destination": "/x", "type": 301 }},
        {{ "regex": "^/d/(?P<rest>.*)", "destination": "/e/:rest", "type": 301 }},
        {{ "type": 301 }}
      ],
      "headers": [{{ "source": "**/*.@(html|htm)", "headers": [{{ "key": "X-Robots-Tag", "value": "googlebot: noindex" }}] }}]
    }}"#
        )
    };
    let folder = read(&[(
        "firebase.json",
        &format!("{{ \"hosting\": {} }}", site_of("public")),
    )]);
    assert_eq!(listed(&folder), ["/"]);
    let skipped = left_out(&folder);
    assert_eq!(
        skipped[..3],
        [
            "d/index.html: redirected to `/e/` by firebase.json:6",
            "p0.html: redirected to `/p1.html` by firebase.json:3",
            "p1.html: redirected to `/d/1` by firebase.json:4",
        ]
    );
    assert_eq!(
        findings(&folder),
        [
            "firebase.json:3: the redirect to `/p1.html` leads nowhere: there is no page at this address",
            "firebase.json:5: the pattern `/!(a)` is not understood here, and its rule not used",
            "firebase.json:7: a redirect needs `source` or `regex`, and `destination`",
        ]
    );
    // Only the site that is built in the folder counts.
    let project = tempfile::tempdir().unwrap();
    let public = project.path().join("public");
    fs::create_dir(&public).unwrap();
    fs::write(public.join("p0.html"), "<p>P").unwrap();
    let read = |sites: &str| {
        fs::write(
            project.path().join("firebase.json"),
            format!("{{ \"hosting\": {sites} }}"),
        )
        .unwrap();
        builder().project(project.path()).read(&public).unwrap()
    };
    let two = read(&format!("[{}, {{ \"public\": \"other\" }}]", site_of("public")));
    assert_eq!(
        left_out(&two),
        ["p0.html: redirected to `/p1.html` by firebase.json:3"]
    );
    let none = read("[{ \"public\": \"a\" }, { \"public\": \"b\" }]");
    assert_eq!(
        findings(&none)[..1],
        ["firebase.json: has 2 sites, and none of them is built in this folder by its `public`"]
    );
}

#[test]
fn azure() {
    let folder = read(&[(
        "staticwebapp.config.json",
        r#"{
  "routes": [
    { "route": "/p0.html", "redirect": "/p1.html", "statusCode": 301 },
    { "route": "/p2.html", "statusCode": 404 },
    { "route": "/p3.html", "redirect": "/x", "methods": ["POST"] },
    { "route": "/p4.html", "rewrite": "/p5.html" },
    { "route": "/p4.*", "redirect": "/x" },
    { "route": "/d/*", "headers": { "X-Robots-Tag": "none" } },
    { "route": "/*/x" },
    { "redirect": "/x" }
  ]
}"#,
    )]);
    assert_eq!(
        left_out(&folder),
        [
            "d/index.html: `X-Robots-Tag` in staticwebapp.config.json:8",
            "p0.html: redirected to `/p1.html` by staticwebapp.config.json:3",
            "p2.html: answered with 404 by staticwebapp.config.json:4",
        ]
    );
    assert_eq!(
        findings(&folder),
        [
            "staticwebapp.config.json:9: the pattern `/*/x` is not understood here, and its rule not used",
            "staticwebapp.config.json:10: a route needs `route`",
        ]
    );
    let all = read(&[(
        "staticwebapp.config.json",
        r#"{ "globalHeaders": { "x-robots-tag": "noindex" } }"#,
    )]);
    assert_eq!((listed(&all).len(), left_out(&all).len()), (0, 11));
}

#[test]
fn netlify() {
    let folder = read(&[(
        "netlify.toml",
        "[build]\npublish = \"public\"\n\n[[redirects]]\nfrom = \"/p0.html\"\nto = \"/p1.html\"\nforce = true\n\n\
         [[redirects]]\nfrom = \"/p2.html\"\nto = \"/p1.html\"\n\n[[redirects]]\nfrom = \"/p3.html\"\nto = \"/de/\"\nforce = true\n\
         conditions = { Language = [\"de\"] }\n\n[[redirects]]\nfrom = \"/old/*\"\nto = \"/d/:splat\"\n\n[[redirects]]\nto = \"/x\"\n\n\
         [[redirects]]\nfrom = \"/p4.html\"\nstatus = 410\nforce = true\n\n[[headers]]\nfor = \"/d/*\"\n\
         [headers.values]\nX-Robots-Tag = [\"noarchive\", \"noindex\"]\n\n[[headers]]\n",
    )]);
    assert_eq!(
        left_out(&folder),
        [
            "d/index.html: `X-Robots-Tag` in netlify.toml:31",
            "p0.html: redirected to `/p1.html` by netlify.toml:4",
            "p4.html: answered with 410 by netlify.toml:26",
        ]
    );
    assert_eq!(
        findings(&folder),
        [
            "netlify.toml:23: a redirect needs `from` and `to`, and a number as `status`",
            "netlify.toml:36: headers need `for`",
        ]
    );
}

#[test]
fn the_redirects_of_a_folder() {
    let folder = site(&[
        (
            "_redirects",
            "http://example.com/* https://example.com/:splat 301!\nhttps://example.com/p0.html https://example.com/p0.html 301\n\
             /p1.html /404.html 404!\n/p2.html /404.html 410\n/p3.html /404.html 404\n/p4.html\n/p5.html to /x\n/p6.html /x moved\n\
             /p7.html /x 999\n/p9.html /x 304!\n/p9.html /x 200\n/p9.html /x 503\n",
        ),
        ("_headers", "X-Robots-Tag: noindex\n/*\n  X-Robots-Tag\n/p8.html\n  X-Robots-Tag: unavailable_after: 2020-01-01\n"),
        (".htaccess", "Redirect /p7.html /p8.html\n"),
    ])
    .read();
    assert_eq!(
        left_out(&folder),
        [
            "p1.html: answered with 404 by _redirects:3",
            "p2.html: answered with 410 by _redirects:4",
            "p8.html: `X-Robots-Tag` in _headers:5",
        ]
    );
    assert_eq!(
        findings(&folder),
        [
            ".htaccess: is not read: what it redirects is listed, unless the pages themselves say otherwise",
            "_headers:1: is not a path: begin it with `/`, or indent a header",
            "_headers:3: is not a header: write `Name: value`",
            "_redirects:6: `/p4.html` is not a redirect: write `/from /to 301`",
            "_redirects:8: `/p6.html /x moved` is not a redirect: write `/from /to 301`",
            "_redirects:9: `/p7.html /x 999` is not a redirect: write `/from /to 301`",
            "_redirects:10: `/p9.html /x 304!` is not a redirect: write `/from /to 301`",
        ]
    );
}

/// The host's redirects decide the form of addresses.
#[test]
fn forms_of_addresses() {
    for (name, settings, about, folder) in [
        ("vercel.json", r#"{ "cleanUrls": true }"#, "/p0", "/d/"),
        (
            "vercel.json",
            r#"{ "cleanUrls": true, "trailingSlash": false }"#,
            "/p0",
            "/d",
        ),
        (
            "vercel.json",
            r#"{ "cleanUrls": true, "trailingSlash": true }"#,
            "/p0/",
            "/d/",
        ),
        ("vercel.json", r#"{ "trailingSlash": false }"#, "/p0.html", "/d"),
        ("vercel.json", "{}", "/p0.html", "/d/"),
        (
            "firebase.json",
            r#"{ "hosting": { "cleanUrls": true, "trailingSlash": false } }"#,
            "/p0",
            "/d",
        ),
        (
            "staticwebapp.config.json",
            r#"{ "trailingSlash": "always" }"#,
            "/p0/",
            "/d/",
        ),
        (
            "staticwebapp.config.json",
            r#"{ "trailingSlash": "never" }"#,
            "/p0",
            "/d",
        ),
        (
            "staticwebapp.config.json",
            r#"{ "trailingSlash": "auto" }"#,
            "/p0.html",
            "/d/",
        ),
    ] {
        let read = read(&[(name, settings)]);
        let pages = listed(&read);
        assert!(
            pages.contains(&about) && pages.contains(&folder),
            "{settings}: {pages:?}"
        );
        assert_eq!((pages.len(), findings(&read)), (11, Vec::new()), "{settings}");
    }
    let site = Site::new(&[
        ("index.html", "<p>Home"),
        ("a.html", "<link rel=canonical href=/a.html><p>A"),
        ("vercel.json", "{\n\"cleanUrls\": true }"),
    ]);
    let folder = site.read();
    assert_eq!(listed(&folder), ["/", "/a"]);
    assert_eq!(
        findings(&folder),
        [
            "a.html:1: the canonical address is `/a.html`, and by vercel.json:2 it would be `/a`: listed is `/a`"
        ]
    );
}

#[test]
fn settings_that_cannot_be_read_change_nothing() {
    for (name, content, message) in [
        (
            "vercel.json",
            "{\n  \"redirects\": [}",
            "vercel.json:2: cannot be read: expected value at line 2 column 17",
        ),
        (
            "firebase.json",
            "",
            "firebase.json:1: cannot be read: EOF while parsing a value at line 1 column 0",
        ),
        (
            "staticwebapp.config.json",
            "{} x",
            "staticwebapp.config.json:1: cannot be read: trailing characters at line 1 column 4",
        ),
        (
            "netlify.toml",
            "a = 1\nb =\n",
            "netlify.toml:2: cannot be read: string values must be quoted, expected literal string",
        ),
    ] {
        let folder = read(&[(name, content)]);
        assert_eq!(
            (listed(&folder), findings(&folder)),
            (ALL.to_vec(), vec![message.to_owned()])
        );
    }
    // Unexpected types, or too deep.
    let deep = format!("{{ \"redirects\": {}{} }}", "[".repeat(5000), "]".repeat(5000));
    for content in [
        "[]",
        "7",
        "{ \"redirects\": 7, \"headers\": {}, \"routes\": [7, null, []], \"hosting\": 7, \"cleanUrls\": 7 }",
        &deep,
    ] {
        for name in ["vercel.json", "firebase.json", "staticwebapp.config.json"] {
            assert_eq!(listed(&read(&[(name, content)])), ALL, "{name} {content:.40}");
        }
    }
    let project = FolderBuilder::new("https://example.com")
        .project("/nonexistent")
        .read(site(&[]).path())
        .unwrap();
    assert_eq!(listed(&project), ALL);
}

/// The folder is read with any settings.
#[test]
fn settings_that_are_damaged() {
    const SIGNS: &[u8] = b"(){}[]*:\\\"/\xFF,?$";
    let texts = [
        (
            "vercel.json",
            r#"{ "cleanUrls": true, "redirects": [{ "source": "/p:n(2|3).html", "destination": "/a/:n*", "has": [{ "type": "host", "value": "a(b)*" }] }], "routes": [{ "src": "/(.*)", "status": 308, "headers": { "Location": "/$1" } }] }"#,
        ),
        (
            "firebase.json",
            r#"{ "hosting": [{ "public": ".", "redirects": [{ "source": "/@(a|b)/{c,d}/:x*", "destination": "/:x" }, { "regex": "^/(?P<r>.*)$", "destination": "/:r/:1" }] }] }"#,
        ),
        (
            "staticwebapp.config.json",
            r#"{ "routes": [{ "route": "/p*.{html,htm}", "redirect": "/x", "statusCode": 301 }], "globalHeaders": { "Link": "</x>; rel=canonical" } }"#,
        ),
        (
            "netlify.toml",
            "[[redirects]]\nfrom = \"/:a/*\"\nto = \"/:splat/:a\"\nforce = true\n[[headers]]\nfor = \"/*\"\n[headers.values]\nX-Robots-Tag = \"noindex\"\n",
        ),
        (
            "_redirects",
            "/:a/* /:splat/:a 301!\nhttp://*.example.com/* https://:b/:splat 410\n",
        ),
        (
            "_headers",
            "/*\n  X-Robots-Tag: unavailable_after: 1\n  ! Link\nhttps://:a\n  Link: <:a>; rel=canonical\n",
        ),
    ];
    let mut random = 11_usize;
    let mut below = |end: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % end.max(1)
    };
    let rounds: usize = std::env::var("SITEMAP_ROUNDS")
        .ok()
        .and_then(|rounds| rounds.parse().ok())
        .unwrap_or(20);
    let site = Site::new(&[
        ("index.html", "<p>Home"),
        ("p2.html", "<p>P"),
        ("a/c/x.html", "<p>X"),
    ]);
    for (name, text) in texts {
        for _ in 0..rounds {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=below(3) {
                let (at, len) = (below(bytes.len()), below(8));
                let part: Vec<u8> = bytes.iter().skip(at).take(len).copied().collect();
                match below(3) {
                    0 => drop(bytes.drain(at..(at + len).min(bytes.len()))),
                    1 => bytes.splice(at..at, part).for_each(drop),
                    _ => bytes.insert(at, SIGNS[below(SIGNS.len())]),
                }
            }
            site.write(name, &bytes);
            let read = builder().read(site.path()).unwrap();
            assert_eq!(
                read.pages().len() + read.skipped().len(),
                3,
                "{}",
                String::from_utf8_lossy(&bytes)
            );
        }
        site.remove(name);
    }
}
