//! Errors for the parts of serde's data model that a serializer does not support.

/// Implements the named `Serializer` methods as errors, which the serializer's method `refused` makes from a description of the
/// value.
macro_rules! refuse {
    ($($kind:ident)*) => {
        $(refuse!(@$kind);)*
    };
    (@scalars) => {
        refuse!(@scalars_but_str);
        refuse!(@method serialize_str(&str), "a string");
    };
    (@scalars_but_str) => {
        refuse!(@scalars_but_names);
        refuse!(@unit_variant);
    };
    (@scalars_but_names) => {
        refuse!(@method serialize_bool(bool), "a bool");
        refuse!(@method serialize_i8(i8), "an integer");
        refuse!(@method serialize_i16(i16), "an integer");
        refuse!(@method serialize_i32(i32), "an integer");
        refuse!(@method serialize_i64(i64), "an integer");
        refuse!(@method serialize_i128(i128), "an integer");
        refuse!(@method serialize_u8(u8), "an integer");
        refuse!(@method serialize_u16(u16), "an integer");
        refuse!(@method serialize_u32(u32), "an integer");
        refuse!(@method serialize_u64(u64), "an integer");
        refuse!(@method serialize_u128(u128), "an integer");
        refuse!(@method serialize_f32(f32), "a float");
        refuse!(@method serialize_f64(f64), "a float");
        refuse!(@method serialize_char(char), "a char");
        refuse!(@bytes);
    };
    (@bytes) => {
        refuse!(@method serialize_bytes(&[u8]), "bytes");
    };
    (@unit) => {
        fn serialize_none(self) -> $crate::error::Result<()> {
            Err(self.refused("`None`"))
        }
        fn serialize_unit(self) -> $crate::error::Result<()> {
            Err(self.refused("a unit"))
        }
        fn serialize_unit_struct(self, _: &'static str) -> $crate::error::Result<()> {
            Err(self.refused("a unit struct"))
        }
    };
    (@newtypes) => {
        fn serialize_some<T: serde_core::Serialize + ?Sized>(self, _: &T) -> $crate::error::Result<()> {
            Err(self.refused("an option"))
        }
        fn serialize_newtype_struct<T: serde_core::Serialize + ?Sized>(
            self, _: &'static str, _: &T,
        ) -> $crate::error::Result<()> {
            Err(self.refused("a newtype struct"))
        }
    };
    (@unit_variant) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> $crate::error::Result<()> {
            Err(self.refused("a unit variant"))
        }
    };
    (@newtype_variant) => {
        fn serialize_newtype_variant<T: serde_core::Serialize + ?Sized>(
            self, _: &'static str, _: u32, _: &'static str, _: &T,
        ) -> $crate::error::Result<()> {
            Err(self.refused("an enum's newtype variant (`#[serde(untagged)]` writes what it holds)"))
        }
    };
    (@sequences) => {
        type SerializeSeq = serde_core::ser::Impossible<(), $crate::error::Error>;
        type SerializeTuple = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_seq(self, _: Option<usize>) -> $crate::error::Result<Self::SerializeSeq> {
            Err(self.refused("a sequence"))
        }
        fn serialize_tuple(self, _: usize) -> $crate::error::Result<Self::SerializeTuple> {
            Err(self.refused("a tuple"))
        }
    };
    (@tuple_structs) => {
        type SerializeTupleStruct = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> $crate::error::Result<Self::SerializeTupleStruct> {
            Err(self.refused("a tuple struct"))
        }
        refuse!(@tuple_variant);
    };
    (@tuple_variant) => {
        type SerializeTupleVariant = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_tuple_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> $crate::error::Result<Self::SerializeTupleVariant> {
            Err(self.refused("an enum's tuple variant"))
        }
    };
    (@maps) => {
        type SerializeMap = serde_core::ser::Impossible<(), $crate::error::Error>;
        type SerializeStruct = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_map(self, _: Option<usize>) -> $crate::error::Result<Self::SerializeMap> {
            Err(self.refused("a map"))
        }
        fn serialize_struct(self, _: &'static str, _: usize) -> $crate::error::Result<Self::SerializeStruct> {
            Err(self.refused("a struct"))
        }
    };
    (@struct_variant) => {
        type SerializeStructVariant = serde_core::ser::Impossible<(), $crate::error::Error>;
        fn serialize_struct_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> $crate::error::Result<Self::SerializeStructVariant> {
            Err(self.refused("an enum's struct variant (`#[serde(untagged)]` writes what it holds)"))
        }
    };
    (@method $method:ident($type:ty), $what:literal) => {
        fn $method(self, _: $type) -> $crate::error::Result<()> {
            Err(self.refused($what))
        }
    };
}
pub(super) use refuse;
