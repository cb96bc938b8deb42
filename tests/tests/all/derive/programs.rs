//! Programs that compile: each module is a program with its own lints.
#![allow(
    clippy::all,
    clippy::pedantic,
    unreachable_pub,
    unused_qualifications,
    rust_2018_idioms
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Modules whose `main` is a test, and their names.
macro_rules! programs {
    ($($program:ident)*) => {
        $(
            mod $program;

            #[test]
            fn $program() {
                $program::main();
            }
        )*

        const PROGRAMS: &[&str] = &[$(stringify!($program)),*];
    };
}

programs! {
    cfg
    chrono_types
    constants
    crate_renamed
    dead_code
    displayed
    elements
    enums
    extension_types
    filters
    from_macro_rules
    generics
    in_a_function
    jiff_types
    loc_types
    mounts
    naive_dates
    names_of_locals
    names_of_the_prelude
    names_of_the_primitives
    newtypes
    no_implicit_prelude
    other_crates
    other_derives
    own_impl_beside
    priority_literals
    raw_identifiers
    several_attributes
    smart_pointers
    template_forms
    time_types
    traits_in_scope
    value_types
    videos
    visibility
    with
}

/// The same for programs that read entries.
mod read {
    programs! {
        crate_renamed
        enums
        extension_types
        from_macro_rules
        read_with
        generics
        in_a_function
        loc_types
        names_of_locals
        names_of_the_prelude
        names_of_the_primitives
        no_implicit_prelude
        placeholders
        rows
        template_forms
        unmapped
        value_types
    }

    #[test]
    fn every_file_is_a_test() {
        super::assert_all(PROGRAMS, "read", []);
    }
}

#[test]
fn every_file_is_a_test() {
    // Clippy's lints are denied in `strict_user`, so it is its own target.
    assert_all(PROGRAMS, "", ["strict_user"]);
}

fn assert_all<const N: usize>(programs: &[&str], folder: &str, others: [&str; N]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/all/derive/programs")
        .join(folder);
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found: BTreeSet<String> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let expected = programs.iter().copied().chain(others).map(str::to_owned);
    assert_eq!(found, expected.collect());
}
