//! The traits for a serializer's compounds: sequences, and the fields of a struct or map.

/// Implements serde's traits for the items of a sequence, each by the method `item`, and then `finish`.
macro_rules! sequence {
    ($type:ty) => {
        sequence!(@$type, SerializeSeq serialize_element);
        sequence!(@$type, SerializeTuple serialize_element);
        sequence!(@$type, SerializeTupleStruct serialize_field);
    };
    (@$type:ty, $trait:ident $method:ident) => {
        impl serde_core::ser::$trait for $type {
            type Ok = ();
            type Error = $crate::error::Error;

            fn $method<T: serde_core::Serialize + ?Sized>(&mut self, value: &T) -> $crate::error::Result<()> {
                self.item(value)
            }

            fn end(self) -> $crate::error::Result<()> {
                self.finish()
            }
        }
    };
}
pub(super) use sequence;

/// Implements serde's traits for the fields of a struct or map, each by the method `field`, and then `finish`. A map's key is in
/// the field `key` until its value arrives.
macro_rules! fields {
    ([$($generic:tt)*] $type:ty) => {
        impl<$($generic)*> serde_core::ser::SerializeMap for $type {
            type Ok = ();
            type Error = $crate::error::Error;

            fn serialize_key<T: serde_core::Serialize + ?Sized>(&mut self, key: &T) -> $crate::error::Result<()> {
                self.key.clear();
                key.serialize($crate::ser::entry::KeySerializer(&mut self.key))
            }

            fn serialize_value<T: serde_core::Serialize + ?Sized>(
                &mut self,
                value: &T,
            ) -> $crate::error::Result<()> {
                let key = std::mem::take(&mut self.key);
                let result = self.field(&key, value);
                self.key = key;
                result
            }

            fn end(self) -> $crate::error::Result<()> {
                self.finish()
            }
        }

        fields!(@[$($generic)*] SerializeStruct, $type);
    };
    (@[$($generic:tt)*] $trait:ident, $type:ty) => {
        impl<$($generic)*> serde_core::ser::$trait for $type {
            type Ok = ();
            type Error = $crate::error::Error;

            fn serialize_field<T: serde_core::Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> $crate::error::Result<()> {
                self.field(name, value)
            }

            fn end(self) -> $crate::error::Result<()> {
                self.finish()
            }
        }
    };
}
pub(super) use fields;
