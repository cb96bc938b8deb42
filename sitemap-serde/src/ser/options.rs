//! Options and units, for the serializers that write nothing for an absent value.

/// Implements the `Serializer` methods of options and units: `None` and units write nothing, and `Some` writes its
/// value.
macro_rules! options {
    () => {
        fn serialize_none(self) -> $crate::error::Result<()> {
            Ok(())
        }

        fn serialize_some<T: serde_core::Serialize + ?Sized>(self, value: &T) -> $crate::error::Result<()> {
            value.serialize(self)
        }

        fn serialize_unit(self) -> $crate::error::Result<()> {
            Ok(())
        }

        fn serialize_unit_struct(self, _: &'static str) -> $crate::error::Result<()> {
            Ok(())
        }
    };
}
pub(super) use options;
