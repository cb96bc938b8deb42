//! The column of a database that a field is read from, by the attributes of sqlx, SeaORM and Diesel.

use proc_macro2::{Group, TokenTree};
use syn::ext::IdentExt;
use syn::{Attribute, Expr, Lit, Token};

/// Attributes of ORMs, on a type or on a field.
#[derive(Default)]
pub(crate) struct Column {
    /// The name that replaces the field's.
    name: Option<String>,
    /// The case of all names.
    rename_all: Option<String>,
    /// `true` if the field is not a column itself.
    is_none: bool,
}

impl Column {
    pub(crate) fn of(attrs: &[Attribute]) -> Self {
        let mut column = Column::default();
        let orms = ["sqlx", "sea_orm", "diesel"];
        for attr in attrs
            .iter()
            .filter(|attr| orms.iter().any(|orm| attr.path().is_ident(orm)))
        {
            // The ORM reports attributes that cannot be parsed.
            let _ = attr.parse_nested_meta(|meta| {
                let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                if meta.input.peek(Token![=]) {
                    let value: Expr = meta.value()?.parse()?;
                    let text = match &value {
                        Expr::Lit(lit) => match &lit.lit {
                            Lit::Str(text) => Some(text.value()),
                            _ => None,
                        },
                        Expr::Path(path) => path.path.get_ident().map(|ident| ident.unraw().to_string()),
                        _ => None,
                    };
                    match key.as_str() {
                        "rename" | "column_name" | "from_alias" => column.name = text,
                        "rename_all" => column.rename_all = text,
                        "try_from" => column.is_none = true,
                        _ => {}
                    }
                } else if meta.input.peek(syn::token::Paren) {
                    let _: Group = meta.input.parse()?;
                } else if !meta.input.peek(Token![,]) && !meta.input.is_empty() {
                    let _: TokenTree = meta.input.parse()?;
                }
                if ["skip", "flatten", "ignore", "embed", "nested", "json"].contains(&key.as_str()) {
                    column.is_none = true;
                }
                Ok(())
            });
        }
        column
    }

    /// The name of a field's column; `None` if the field is not a column of its own.
    pub(crate) fn name_of(&self, field: &str, of_type: &Column) -> Option<String> {
        if self.is_none {
            return None;
        }
        let renamed = || {
            of_type
                .rename_all
                .as_deref()
                .map_or_else(|| field.to_owned(), |case| in_case(field, case))
        };
        Some(self.name.clone().unwrap_or_else(renamed))
    }
}

/// A name of words with underscores between them, in another case.
fn in_case(name: &str, case: &str) -> String {
    let words = || name.split('_').filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let mut chars = word.chars();
        let first = chars
            .next()
            .map(|c| c.to_uppercase().to_string())
            .unwrap_or_default();
        first + chars.as_str()
    };
    match case {
        "camelCase" => {
            let word = |(at, word): (usize, &str)| if at == 0 { word.to_owned() } else { capital(word) };
            words().enumerate().map(word).collect()
        }
        "PascalCase" => words().map(capital).collect(),
        "SCREAMING_SNAKE_CASE" => name.to_uppercase(),
        "UPPERCASE" => words().collect::<String>().to_uppercase(),
        "lowercase" => words().collect::<String>().to_lowercase(),
        "kebab-case" => words().collect::<Vec<_>>().join("-"),
        "SCREAMING-KEBAB-CASE" => words().collect::<Vec<_>>().join("-").to_uppercase(),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::{ItemStruct, parse_quote};

    #[test]
    fn names_of_columns() {
        let item: ItemStruct = parse_quote! {
            #[sqlx(rename_all = "camelCase")]
            #[diesel(table_name = products, check_for_backend(Sqlite))]
            struct Product {
                updated_at: u8,
                #[sqlx(rename = "changed")]
                renamed: u8,
                #[sea_orm(unique, column_name = "at", column_type = "Text")]
                of_sea_orm: u8,
                #[diesel(column_name = of_diesel_)]
                of_diesel: u8,
                #[sqlx(default, skip)]
                skipped: u8,
                #[sqlx(default)]
                r#type: u8,
                #[serde(rename = "other")]
                other_crate: u8,
            }
        };
        let of_type = Column::of(&item.attrs);
        let names = item.fields.iter().map(|field| {
            let name = field.ident.as_ref().unwrap().unraw().to_string();
            Column::of(&field.attrs).name_of(&name, &of_type)
        });
        let expected = [
            Some("updatedAt"),
            Some("changed"),
            Some("at"),
            Some("of_diesel_"),
            None,
            Some("type"),
            Some("otherCrate"),
        ];
        assert_eq!(
            names.collect::<Vec<_>>(),
            expected.map(|name| name.map(str::to_owned))
        );
        for (case, name) in [
            ("PascalCase", "UpdatedAt"),
            ("SCREAMING_SNAKE_CASE", "UPDATED_AT"),
            ("UPPERCASE", "UPDATEDAT"),
            ("lowercase", "updatedat"),
            ("kebab-case", "updated-at"),
            ("snake_case", "updated_at"),
        ] {
            assert_eq!(in_case("updated_at", case), name);
        }
    }
}
