//! An existing shop is never refilled silently.

use diesel::connection::SimpleConnection;
use diesel::prelude::*;
use diesel::sql_types::Text;

use crate::program::Shop;

/// An operator's change in a product.
const EDITED: &str = "edited-by-hand";

#[derive(QueryableByName)]
struct Product {
    #[diesel(sql_type = Text)]
    slug: String,
}

fn slugs(shop: &Shop) -> Vec<String> {
    diesel::sql_query("SELECT slug FROM products ORDER BY id")
        .load::<Product>(&mut shop.database())
        .unwrap()
        .into_iter()
        .map(|product| product.slug)
        .collect()
}

/// A shop of three products; the second was changed.
fn edited() -> Shop {
    let shop = Shop::new();
    shop.succeed(&["export", "set", "--products", "3"]);
    assert_eq!(slugs(&shop).len(), 3);
    let edit = format!("UPDATE products SET slug = '{EDITED}' WHERE id = 2");
    shop.database().batch_execute(&edit).unwrap();
    shop
}

#[test]
fn another_number_of_products_is_refused() {
    let shop = edited();
    let file = shop.path("shop.sqlite");
    assert_eq!(
        shop.fail(&["export", "set", "--products", "4"]),
        format!(
            "shop: cannot fill {}: it has 3 products, which somebody may have changed, and not 4; leave --products out to \
             serve them, choose another file with --database, or make them anew with --refill\n",
            file.display()
        )
    );
    assert_eq!(slugs(&shop)[1], EDITED);
    // The existing shop has that number, or no number is given.
    shop.succeed(&["export", "set", "--products", "3"]);
    shop.succeed(&["export", "set"]);
    assert_eq!((slugs(&shop).len(), &*slugs(&shop)[1]), (3, EDITED));

    shop.succeed(&["export", "set", "--products", "4", "--refill"]);
    assert_eq!(slugs(&shop).len(), 4);
    assert!(!slugs(&shop).contains(&EDITED.to_owned()));
}

#[test]
fn tables_of_another_version_are_refused() {
    let shop = edited();
    shop.database().batch_execute("PRAGMA user_version = 1").unwrap();
    let file = shop.path("shop.sqlite");
    assert_eq!(
        shop.fail(&["export", "set", "--products", "3"]),
        format!(
            "shop: cannot use {} as the shop's database: its tables are those of another version of the shop; remove it, \
             or choose another file with --database\n",
            file.display()
        )
    );
    assert_eq!(slugs(&shop)[1], EDITED);
}
