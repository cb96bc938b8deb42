//! The program's messages when it fails.

use std::fs;
use std::net::TcpListener;
use std::process::Command;

use diesel::Connection;
use diesel::connection::SimpleConnection;
use diesel::sqlite::SqliteConnection;

use crate::program::{Shop, stderr};

#[test]
fn an_address_that_is_taken() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let shop = Shop::new();
    let said = shop.fail(&["serve", "--listen", &address]);
    assert!(
        said.starts_with(&format!("shop: cannot listen on {address}: "))
            && said
                .ends_with("; choose another address with --listen: 127.0.0.1:0 is one with a free port\n"),
        "{said}"
    );
    assert!(
        !shop.path("shop.sqlite").exists(),
        "it fills a database for nobody"
    );
}

#[test]
fn a_base_that_is_none() {
    let shop = Shop::new();
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["export", "set"]] {
        let said = shop.fail(&[command, &["--base", "example.com"]].concat());
        assert_eq!(
            said,
            "shop: the sitemap cannot have \"example.com\" as its base: `example.com` is not a base: it has no scheme and \
             host (did you mean `https://example.com`?); a base is a scheme (http or https), a host, a port and a path prefix, such as `https://example.com` \
             or `https://example.com/shop` (P-LOC)\n"
        );
    }
    assert!(!shop.path("set").exists());
}

#[test]
fn a_database_of_somebody_else() {
    let shop = Shop::new();
    let path = shop.path("shop.sqlite");
    SqliteConnection::establish(path.to_str().unwrap())
        .unwrap()
        .batch_execute("CREATE TABLE precious (id INTEGER)")
        .unwrap();
    let before = fs::read(&path).unwrap();
    let said = shop.fail(&["export", "set"]);
    let file = path.display();
    assert_eq!(
        said,
        format!(
            "shop: cannot use {file} as the shop's database: it is a database of another program; \
             choose another file with --database\n"
        )
    );
    assert_eq!(fs::read(&path).unwrap(), before);

    fs::write(&path, "Dear diary,\n".repeat(100)).unwrap();
    let said = shop.fail(&["export", "set"]);
    assert_eq!(
        said,
        format!(
            "shop: cannot use {file} as the shop's database: file is not a database; \
             choose another file with --database\n"
        )
    );
}

#[test]
fn a_place_where_no_database_can_be() {
    let shop = Shop::new();
    let path = shop.path("shop.sqlite");
    let file = path.display();
    fs::create_dir(&path).unwrap();
    assert_eq!(
        shop.fail(&["export", "set"]),
        format!(
            "shop: cannot use {file} as the shop's database: it is a folder; name a file in it with --database\n"
        )
    );
    let file = path.join("none/shop.sqlite");
    let output = Command::new(env!("CARGO_BIN_EXE_shop"))
        .args(["export", "set", "--database"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(
        stderr(&output),
        format!(
            "shop: cannot use {} as the shop's database: there is no folder {}; make it, or choose another file with --database\n",
            file.display(),
            path.join("none").display()
        )
    );
}

#[test]
fn a_directory_that_cannot_be_made() {
    let shop = Shop::new();
    fs::write(shop.path("set"), "a file").unwrap();
    let said = shop.fail(&["export", "set"]);
    assert!(said.starts_with("shop: set is not a directory: "), "{said}");
}
