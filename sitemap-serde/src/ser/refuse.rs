//! Errors for the parts of serde's data model that a serializer does not support.

/// Implements the named `Serializer` methods as errors. `$refuse` makes the error from a description of the value.
macro_rules! refuse {
    ($refuse:path: $($kind:ident)*) => {
        $(refuse!(@$kind $refuse);)*
    };
    (@scalars $refuse:path) => {
        refuse!(@scalars_but_str $refuse);
        refuse!(@method $refuse, serialize_str(&str), "a string");
    };
    (@scalars_but_str $refuse:path) => {
        refuse!(@scalars_but_names $refuse);
        refuse!(@unit_variant $refuse);
    };
    (@scalars_but_names $refuse:path) => {
        refuse!(@method $refuse, serialize_bool(bool), "a bool");
        refuse!(@method $refuse, serialize_i8(i8), "an integer");
        refuse!(@method $refuse, serialize_i16(i16), "an integer");
        refuse!(@method $refuse, serialize_i32(i32), "an integer");
        refuse!(@method $refuse, serialize_i64(i64), "an integer");
        refuse!(@method $refuse, serialize_i128(i128), "an integer");
        refuse!(@method $refuse, serialize_u8(u8), "an integer");
        refuse!(@method $refuse, serialize_u16(u16), "an integer");
        refuse!(@method $refuse, serialize_u32(u32), "an integer");
        refuse!(@method $refuse, serialize_u64(u64), "an integer");
        refuse!(@method $refuse, serialize_u128(u128), "an integer");
        refuse!(@method $refuse, serialize_f32(f32), "a float");
        refuse!(@method $refuse, serialize_f64(f64), "a float");
        refuse!(@method $refuse, serialize_char(char), "a char");
        refuse!(@bytes $refuse);
    };
    (@bytes $refuse:path) => {
        refuse!(@method $refuse, serialize_bytes(&[u8]), "bytes");
    };
    (@unit $refuse:path) => {
        fn serialize_none(self) -> $crate::error::Result<()> {
            Err($refuse("`None`"))
        }
        fn serialize_unit(self) -> $crate::error::Result<()> {
            Err($refuse("a unit"))
        }
        fn serialize_unit_struct(self, _: &'static str) -> $crate::error::Result<()> {
            Err($refuse("a unit struct"))
        }
    };
    (@newtypes $refuse:path) => {
        fn serialize_some<T: serde_core::Serialize + ?Sized>(self, _: &T) -> $crate::error::Result<()> {
            Err($refuse("an option"))
        }
        fn serialize_newtype_struct<T: serde_core::Serialize + ?Sized>(
            self, _: &'static str, _: &T,
        ) -> $crate::error::Result<()> {
            Err($refuse("a newtype struct"))
        }
    };
    (@unit_variant $refuse:path) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> $crate::error::Result<()> {
            Err($refuse("a unit variant"))
        }
    };
    (@newtype_variant $refuse:path) => {
        fn serialize_newtype_variant<T: serde_core::Serialize + ?Sized>(
            self, _: &'static str, _: u32, _: &'static str, _: &T,
        ) -> $crate::error::Result<()> {
            Err($refuse("an enum's newtype variant (`#[serde(untagged)]` writes what it holds)"))
        }
    };
    (@sequences $refuse:path) => {
        type SerializeSeq = serde_core::ser::Impossible<(), $crate::error::Error>;
        type SerializeTuple = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_seq(self, _: Option<usize>) -> $crate::error::Result<Self::SerializeSeq> {
            Err($refuse("a sequence"))
        }
        fn serialize_tuple(self, _: usize) -> $crate::error::Result<Self::SerializeTuple> {
            Err($refuse("a tuple"))
        }
    };
    (@tuple_structs $refuse:path) => {
        type SerializeTupleStruct = serde_core::ser::Impossible<(), $crate::error::Error>;
        type SerializeTupleVariant = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> $crate::error::Result<Self::SerializeTupleStruct> {
            Err($refuse("a tuple struct"))
        }
        fn serialize_tuple_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> $crate::error::Result<Self::SerializeTupleVariant> {
            Err($refuse("an enum's tuple variant"))
        }
    };
    (@maps $refuse:path) => {
        type SerializeMap = serde_core::ser::Impossible<(), $crate::error::Error>;
        type SerializeStruct = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_map(self, _: Option<usize>) -> $crate::error::Result<Self::SerializeMap> {
            Err($refuse("a map"))
        }
        fn serialize_struct(self, _: &'static str, _: usize) -> $crate::error::Result<Self::SerializeStruct> {
            Err($refuse("a struct"))
        }
    };
    (@struct_variant $refuse:path) => {
        type SerializeStructVariant = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_struct_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> $crate::error::Result<Self::SerializeStructVariant> {
            Err($refuse("an enum's struct variant (`#[serde(untagged)]` writes what it holds)"))
        }
    };
    (@method $refuse:path, $method:ident($type:ty), $what:literal) => {
        fn $method(self, _: $type) -> $crate::error::Result<()> {
            Err($refuse($what))
        }
    };
}
pub(super) use refuse;
