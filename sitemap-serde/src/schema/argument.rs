//! The arguments of the methods of [`UrlEntry`](crate::UrlEntry). Each is a trait with automatic implementations; it exists only for the
//! better compiler message when a type does not fit.

use sitemap_values::{ChangeFreq, Priority, W3cDateTime};

/// A [`W3cDateTime`], or an option of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `W3cDateTime`",
    label = "not a `W3cDateTime` or an `Option` of one",
    note = "convert it, since not every date can be written: `.with_lastmod(W3cDateTime::try_from(date)?)`; for types of chrono, time and \
            jiff with the feature of this name",
    note = "text is parsed: `.with_lastmod(\"2024-05-06\".parse::<W3cDateTime>()?)`"
)]
pub trait IntoLastmod: Into<Option<W3cDateTime>> {}

/// A [`ChangeFreq`], or an option of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `ChangeFreq`",
    label = "not a `ChangeFreq` or an `Option` of one",
    note = "name it: `.with_changefreq(ChangeFreq::Weekly)`; text is parsed: `\"weekly\".parse::<ChangeFreq>()?`"
)]
pub trait IntoChangeFreq: Into<Option<ChangeFreq>> {}

/// A [`Priority`], or an option of one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a `Priority`",
    label = "not a `Priority` or an `Option` of one",
    note = "convert it, since a priority is from 0.0 to 1.0: `.with_priority(Priority::new(0.8)?)`, of an `f64` \
            `.with_priority(Priority::try_from(value)?)`"
)]
pub trait IntoPriority: Into<Option<Priority>> {}

#[diagnostic::do_not_recommend]
impl<T: Into<Option<W3cDateTime>>> IntoLastmod for T {}

#[diagnostic::do_not_recommend]
impl<T: Into<Option<ChangeFreq>>> IntoChangeFreq for T {}

#[diagnostic::do_not_recommend]
impl<T: Into<Option<Priority>>> IntoPriority for T {}
