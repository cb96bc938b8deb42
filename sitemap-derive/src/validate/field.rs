//! A field with its attributes: checks that they can be combined.

use std::rc::Rc;

use proc_macro2::Span;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{Fields, Ident, Index, Member, Path, Type};

use crate::attr::{self, Dates, FieldAttrs, Key, OrFunction, PageAttrs, Setting};
use crate::column::Column;
use crate::ctxt::{Checked, Ctxt};
use crate::generics::inside_option;

/// A field's value, converted if it has a function.
pub(crate) struct Source {
    pub(crate) field: Rc<Field>,
    pub(crate) write_with: Option<Box<Path>>,
    /// The function that converts back when reading.
    pub(crate) read_with: Option<Box<Path>>,
    /// The zone of a naive date-time, in minutes east of UTC; `None` if it applies to the value after a conversion, and this is the value before.
    pub(crate) zone: Option<i16>,
}

impl Source {
    /// Returns `true` if reading cannot fail: the type is named `String`.
    pub(crate) fn is_plain_text(&self) -> bool {
        let Type::Path(path) = inside_option(&self.field.ty) else {
            return false;
        };
        let last = path.path.segments.last();
        self.read_with.is_none() && last.is_some_and(|segment| segment.ident == "String")
    }
}

/// A field as the generated code refers to it.
pub(crate) struct Field {
    pub(crate) member: Member,
    /// The variable that patterns of variants bind.
    pub(crate) binding: Ident,
    pub(crate) ty: Type,
    /// The declarations of its column in ORMs' attributes.
    pub(crate) column: Column,
}

pub(super) struct FieldInfo {
    pub(super) field: Rc<Field>,
    /// The field's name without `r#`, or its position in a tuple.
    pub(super) name: String,
    attrs: FieldAttrs,
    /// The key `lastmod` of the struct or variant, if its value is `newest(…)` of this field and others.
    newest: Option<Ident>,
}

impl FieldInfo {
    pub(super) fn all(cx: &Ctxt, fields: &Fields, page: &PageAttrs) -> Vec<FieldInfo> {
        let newest = |name: &str| match page.lastmod.as_ref()? {
            Setting {
                key,
                value: Ok(OrFunction::Constant(Dates::Newest(fields))),
            } => fields.iter().any(|field| field.name == name).then(|| key.clone()),
            _ => None,
        };
        fields
            .iter()
            .enumerate()
            .map(|(position, field)| {
                let (member, name) = match &field.ident {
                    Some(ident) => (Member::Named(ident.clone()), ident.unraw().to_string()),
                    None => (Member::Unnamed(Index::from(position)), position.to_string()),
                };
                FieldInfo {
                    field: Rc::new(Field {
                        member,
                        binding: format_ident!("__field_{name}", span = Span::mixed_site()),
                        ty: field.ty.clone(),
                        column: Column::of(&field.attrs),
                    }),
                    attrs: attr::of_field(cx, &field.attrs),
                    newest: newest(&name),
                    name,
                }
            })
            .collect()
    }

    pub(super) fn attrs(&self) -> &FieldAttrs {
        &self.attrs
    }

    pub(super) fn described(&self) -> String {
        if self.is_positional() {
            format!("field {}", self.name)
        } else {
            format!("`{}`", self.name)
        }
    }

    pub(super) fn is_positional(&self) -> bool {
        matches!(self.field.member, Member::Unnamed(_))
    }

    /// The keys that map the field to a value of the entry.
    pub(super) fn roles(&self) -> Vec<&Ident> {
        let mut roles = self.own_roles();
        roles.extend(&self.newest);
        roles
    }

    /// Returns `true` if the field is read from a value of the entry. A title is not in the entry.
    pub(super) fn is_read(&self) -> bool {
        self.attrs().role(Key::Title).is_none() && !self.roles().is_empty()
    }

    /// The keys on the field itself.
    fn own_roles(&self) -> Vec<&Ident> {
        self.attrs().roles.iter().map(|(_, name)| name).collect()
    }

    /// The field's value, converted if `converted`; an error if the function's path is invalid.
    pub(super) fn source(&self, converted: bool) -> Checked<Source> {
        let attrs = self.attrs();
        let (write_with, read_with) = if converted {
            (attrs.writes_with()?, attrs.reads_with()?)
        } else {
            (None, None)
        };
        let zone = attrs.zone.as_ref().and_then(Setting::valid).copied();
        // The zone belongs to the converted value.
        let is_converted = write_with.is_some() == attrs.writes_with().is_ok_and(|with| with.is_some());
        Ok(Source {
            field: self.field.clone(),
            zone: zone.filter(|_| is_converted),
            write_with: write_with.map(Box::new),
            read_with: read_with.map(Box::new),
        })
    }

    /// Reports keys that cannot be combined on one field.
    pub(super) fn check(&self, cx: &Ctxt) {
        let roles = self.own_roles();
        if let (Some(_), Some(role)) = (&self.newest, roles.first())
            && *role != "lastmod"
        {
            cx.error(
                role,
                format!(
                    "`{role}` on {}, whose date `newest(…)` takes: a field has only one of them; keep that one",
                    self.described()
                ),
            );
        }
        if let [first, others @ ..] = roles.as_slice() {
            for other in others {
                cx.error(
                    other,
                    format!("`{other}` next to `{first}`: a field has only one of them; keep that one"),
                );
            }
        }
        if let (Some(setting), None, None) =
            (&self.attrs().zone, self.attrs().role(Key::Lastmod), &self.newest)
        {
            cx.error(
                &setting.key,
                format!(
                    "`{}` gives a naive date-time its zone: it goes with `lastmod`, as in `#[sitemap(lastmod, zone = \"+09:00\")]`",
                    setting.key
                ),
            );
        }
        if let (Some(setting), None) = (&self.attrs().precision, self.attrs().role(Key::Lastmod)) {
            let message = match &self.newest {
                None => "it goes with `lastmod`, as in `#[sitemap(lastmod, precision = \"day\")]`",
                Some(_) => {
                    "it belongs next to `lastmod = newest(…)`, as in `lastmod = newest(created_at, updated_at), precision = \"day\"`"
                }
            };
            cx.error(
                &setting.key,
                format!("`precision` sets the precision of a lastmod: {message}"),
            );
        }
        if let Some(setting) = &self.attrs().default
            && !self.attrs().roles.iter().any(|(role, _)| role.takes_default())
        {
            cx.error(
                &setting.key,
                "`default` is for a field that is `None`: it goes with `priority` or `changefreq`, as in \
                 `#[sitemap(priority, default = 0.5)]`",
            );
        }
        self.check_module(cx);
        if let [first, second, ..] = self.attrs().filters.as_slice() {
            cx.error(
                &second.key,
                format!(
                    "`{}` next to `{}`: one condition decides; keep one of them",
                    second.key, first.key
                ),
            );
        }
    }

    /// Reports a conversion whose result is not used.
    pub(super) fn check_unused(&self, cx: &Ctxt) {
        if !self.roles().is_empty() {
            return;
        }
        let FieldAttrs {
            with,
            write_with,
            read_with,
            ..
        } = self.attrs();
        for (setting, what) in [
            (with, "a value that is neither written nor read"),
            (write_with, "a value that is not written"),
            (read_with, "to a value that is not read"),
        ] {
            let Some(Setting { key, .. }) = setting else {
                continue;
            };
            cx.error(
                key,
                format!(
                    "`{key}` converts {what}: put a key such as `lastmod` next to it, or name `{{{}}}` in the template",
                    self.name
                ),
            );
        }
    }

    /// Reports a function next to a module that already has it.
    fn check_module(&self, cx: &Ctxt) {
        let FieldAttrs {
            with,
            write_with,
            read_with,
            ..
        } = self.attrs();
        if with.is_none() {
            return;
        }
        for (setting, name) in [(write_with, "write"), (read_with, "read")] {
            let Some(Setting { key, .. }) = setting else {
                continue;
            };
            cx.error(
                key,
                format!("`{key}` next to `with`, whose module has `{name}`: keep one of them, or write `write_with` and `read_with`"),
            );
        }
    }

    /// When reading is derived, reports a `write_with` without its inverse `read_with`.
    pub(super) fn check_way_back(&self, cx: &Ctxt) {
        let FieldAttrs {
            with,
            write_with,
            read_with,
            ..
        } = self.attrs();
        if let (Some(setting), None, None) = (write_with, read_with, with) {
            cx.error(
                &setting.key,
                "`write_with` converts the field's value when it is written, and `FromSitemapEntry` needs the reverse: put `read_with = path::to::function` next to it, or put both functions into a module, `with = path::to::module`",
            );
        }
    }
}
