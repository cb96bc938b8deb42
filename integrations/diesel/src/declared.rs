//! Compares the columns declared by the type of the rows with the arguments of [`rows!`](crate::rows!).

use sitemap_serde::SitemapEntry;
use sitemap_site::source::BoxError;

/// Declarations of a type that the arguments do not repeat, each as a message.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// The message about the lastmod.
    lastmod: Option<String>,
    filter: Option<String>,
}

/// Returns `true` if an argument of the macro is present: its text is not empty.
pub fn is_given(argument: &str) -> bool {
    !argument.is_empty()
}

impl Declared {
    /// Compares the declarations of a type with the macro's arguments.
    pub fn of<T: SitemapEntry>(filter: bool, lastmod: bool) -> Self {
        let (of, columns) = (std::any::type_name::<T>(), T::columns());
        let named = |(column, is_listed): &(&str, bool)| format!("`{column}.eq({is_listed})`");
        let conditions: Vec<_> = columns.flags.iter().map(named).collect();
        let lastmods = columns.lastmod.join(", ");
        Declared {
            lastmod: (!lastmod && !columns.lastmod.is_empty()).then(|| {
                format!(
                    "`{of}` has its lastmod in a column ({lastmods}), and the arguments of `rows!` do not: write `lastmod = … => |at| at` with the \
                     column, or `lastmod = none` for an index without lastmods"
                )
            }),
            filter: (!filter && !conditions.is_empty()).then(|| {
                format!(
                    "`{of}` lists rows by a column, and the arguments of `rows!` do not: write `filter = …` with {}",
                    conditions.join(" and ")
                )
            }),
        }
    }

    /// Returns the first message as an error.
    ///
    /// # Errors
    /// If the arguments do not repeat a declaration.
    pub fn check(&self) -> Result<(), BoxError> {
        let message = self.lastmod.as_ref().or(self.filter.as_ref());
        message.map_or(Ok(()), |message| Err(message.clone().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(SitemapEntry)]
    #[sitemap(loc = "/{slug}")]
    struct Product {
        slug: String,
        #[sitemap(lastmod)]
        updated_at: Option<String>,
        #[sitemap(exclude_if)]
        draft: bool,
        #[sitemap(include_if)]
        stock: bool,
    }

    #[test]
    fn what_the_type_says_is_said_again_or_refused() {
        let message = |filter, lastmod| {
            Declared::of::<Product>(filter, lastmod)
                .check()
                .map_err(|error| error.to_string())
        };
        let of = std::any::type_name::<Product>();
        assert_eq!(message(true, true), Ok(()));
        assert_eq!(
            message(true, false),
            Err(format!(
                "`{of}` has its lastmod in a column (updated_at), and the arguments of `rows!` do not: write `lastmod = … => |at| at` with the \
                 column, or `lastmod = none` for an index without lastmods"
            ))
        );
        assert_eq!(
            message(false, true),
            Err(format!(
                "`{of}` lists rows by a column, and the arguments of `rows!` do not: write `filter = …` with `draft.eq(false)` and \
                 `stock.eq(true)`"
            ))
        );
    }
}
