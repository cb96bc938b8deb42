//! The shop's pages, so that the sitemap's links lead somewhere.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::{Html, IntoResponse, Response};
use diesel::prelude::*;
use tokio::task::spawn_blocking;

use crate::html;
use crate::model::{Post, Product, posts, products};
use crate::server::{InShop, Shop, failure, not_found};

pub(crate) async fn home(State(shop): InShop) -> Html<String> {
    html::home(&shop.base)
}

pub(crate) async fn about(State(shop): InShop) -> Html<String> {
    html::text(
        &shop.base,
        "About us",
        "We sell things that do not exist, on pages that do.",
    )
}

pub(crate) async fn terms(State(shop): InShop) -> Html<String> {
    html::text(
        &shop.base,
        "Terms",
        "Nothing can be bought here, so nothing can be returned.",
    )
}

pub(crate) async fn product(State(shop): InShop, Path(slug): Path<String>) -> Response {
    let base = shop.base.clone();
    let found = query(shop, move |connection| {
        let listed = products::slug.eq(slug).and(products::draft.eq(false));
        products::table
            .filter(listed)
            .select(Product::as_select())
            .first(connection)
            .optional()
    });
    found.await.map_or_else(
        |response| response,
        |product| match product {
            Some(product) => html::text(&base, &product.name, "In stock, as always.").into_response(),
            None => not_found(),
        },
    )
}

pub(crate) async fn post(State(shop): InShop, Path(slug): Path<String>) -> Response {
    let base = shop.base.clone();
    let found = query(shop, move |connection| {
        let listed = posts::slug.eq(slug).and(posts::draft.eq(false));
        posts::table
            .filter(listed)
            .select(Post::as_select())
            .first(connection)
            .optional()
    });
    found.await.map_or_else(
        |response| response,
        |post| match post {
            Some(post) => html::text(&base, &post.title, "With a soft cloth, and patience.").into_response(),
            None => not_found(),
        },
    )
}

#[derive(Debug, serde::Deserialize)]
pub(crate) struct After {
    #[serde(default)]
    after: i64,
}

pub(crate) async fn products(State(shop): InShop, Query(After { after }): Query<After>) -> Response {
    let base = shop.base.clone();
    let found = query(shop, move |connection| {
        let listed = products::id.gt(after).and(products::draft.eq(false));
        let columns = (products::id, products::slug, products::name);
        products::table
            .filter(listed)
            .order(products::id)
            .limit(html::LIST)
            .select(columns)
            .load(connection)
    });
    found.await.map_or_else(
        |response| response,
        |rows| html::list(&base, "Products", "/products", &rows).into_response(),
    )
}

pub(crate) async fn posts(State(shop): InShop, Query(After { after }): Query<After>) -> Response {
    let base = shop.base.clone();
    let found = query(shop, move |connection| {
        let listed = posts::id.gt(after).and(posts::draft.eq(false));
        let columns = (posts::id, posts::slug, posts::title);
        posts::table
            .filter(listed)
            .order(posts::id)
            .limit(html::LIST)
            .select(columns)
            .load(connection)
    });
    found.await.map_or_else(
        |response| response,
        |rows| html::list(&base, "Posts", "/posts", &rows).into_response(),
    )
}

/// Queries the database on a blocking thread. An error becomes the response.
async fn query<T: Send + 'static>(
    shop: Arc<Shop>,
    ask: impl FnOnce(&mut SqliteConnection) -> QueryResult<T> + Send + 'static,
) -> Result<T, Response> {
    let answer = spawn_blocking(move || anyhow::Ok(ask(&mut shop.database.connect()?)?));
    match answer.await {
        Ok(Ok(found)) => Ok(found),
        Ok(Err(error)) => Err(failure("a page", &error)),
        Err(error) => Err(failure("a page", &error)),
    }
}
