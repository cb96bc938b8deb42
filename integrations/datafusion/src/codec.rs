//! Plans as bytes, for engines that run them in other processes.
//!
//! **Ballista** is configuration: `codec` (of `sitemap-datafusion`, feature `proto`) encodes the nodes and wraps the engine's codecs. Scans
//! are sent with the name of their format and the options of the statement; the reader's settings are in the codecs of each process.
//! DataFusion does not ask a codec about a `ListingTable` in a logical plan, so an analyzer rule (`SitemapTables`) wraps those of sitemaps.
//! Each partition reads its own files only, since DataFusion otherwise gives the files of a task's partitions to whichever is idle, and a
//! task run again would write other parts.

/// The codec methods that only delegate to the codec for everything else: functions, which both traits have.
macro_rules! functions_by_others {
    () => {
        functions_by_others! {
            try_decode_udf, try_encode_udf: datafusion::logical_expr::ScalarUDF;
            try_decode_udaf, try_encode_udaf: datafusion::logical_expr::AggregateUDF;
            try_decode_udwf, try_encode_udwf: datafusion::logical_expr::WindowUDF;
            try_decode_higher_order_function, try_encode_higher_order_function: datafusion::logical_expr::HigherOrderUDF;
        }
    };
    ($($decode:ident, $encode:ident: $function:ty;)+) => {$(
        fn $decode(&self, name: &str, bytes: &[u8]) -> Result<Arc<$function>> {
            self.others.$decode(name, bytes)
        }

        fn $encode(&self, function: &$function, into: &mut Vec<u8>) -> Result<()> {
            self.others.$encode(function, into)
        }
    )+};
}

mod logical;
mod physical;
mod table;

pub use logical::SitemapLogicalCodec;
pub use physical::SitemapPhysicalCodec;
pub use table::SitemapTables;

use std::sync::Arc;

use datafusion::common::{DataFusionError, GetExt};
use datafusion::error::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::format::{Reading, SitemapFormat, SitemapFormatFactory};

/// The first bytes of our encoding. No message of Protocol Buffers that has a first field begins so.
const MARK: &[u8] = b"sitemap:";

/// The formats that a process knows, by their names.
#[derive(Clone, Debug)]
struct Formats(Vec<Arc<SitemapFormatFactory>>);

impl Formats {
    /// The formats that [`register`](crate::register) registers.
    fn registered() -> Self {
        Formats(crate::format::registered().map(Arc::new).into())
    }

    fn add(&mut self, format: SitemapFormatFactory) {
        self.0.retain(|known| known.get_ext() != format.get_ext());
        self.0.push(Arc::new(format));
    }

    fn format(&self, reading: &Reading) -> Result<SitemapFormat> {
        let found = self.0.iter().find(|known| known.get_ext() == reading.format);
        let Some(factory) = found else {
            return Err(DataFusionError::Plan(format!(
                "the format `{}` is not known in this process: add it to the codecs of all processes",
                reading.format.escape_debug()
            )));
        };
        factory.format(&reading.options)
    }
}

/// A line break separates other bytes that follow: JSON on one line contains none.
fn encode(value: &impl Serialize, into: &mut Vec<u8>) -> Result<()> {
    into.extend_from_slice(MARK);
    serde_json::to_writer(&mut *into, value).map_err(|error| DataFusionError::External(error.into()))?;
    into.push(b'\n');
    Ok(())
}

/// The value, and the bytes that follow it. `None` if the bytes are not ours.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<Option<(T, &[u8])>> {
    let Some(bytes) = bytes.strip_prefix(MARK) else {
        return Ok(None);
    };
    let end = bytes.iter().position(|byte| *byte == b'\n');
    let (value, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
    let value = serde_json::from_slice(value).map_err(|error| DataFusionError::External(error.into()))?;
    Ok(Some((value, rest.get(1..).unwrap_or_default())))
}

#[cfg(test)]
mod tests {
    use datafusion::arrow::datatypes::SchemaRef;
    use datafusion::catalog::TableProvider;
    use datafusion::common::TableReference;
    use datafusion::execution::TaskContext;
    use datafusion::functions::math::abs;
    use datafusion::functions_aggregate::count::count_udaf;
    use datafusion::functions_nested::array_transform::array_transform_higher_order_function;
    use datafusion::functions_window::row_number::row_number_udwf;
    use datafusion::logical_expr::{Extension, LogicalPlan};
    use datafusion::physical_plan::ExecutionPlan;
    use datafusion_proto::logical_plan::LogicalExtensionCodec;
    use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};

    use super::*;

    /// An engine's codec that records its calls.
    #[derive(Debug)]
    struct Engine;

    fn asked<T>(what: &str) -> Result<T> {
        Err(DataFusionError::Plan(what.to_owned()))
    }

    macro_rules! functions_by_engine {
        ($($decode:ident, $encode:ident: $function:ident;)+) => {$(
            fn $decode(&self, name: &str, bytes: &[u8]) -> Result<Arc<datafusion::logical_expr::$function>> {
                asked(&format!("{} {name} {bytes:?}", stringify!($decode)))
            }

            fn $encode(&self, function: &datafusion::logical_expr::$function, into: &mut Vec<u8>) -> Result<()> {
                into.extend_from_slice(function.name().as_bytes());
                Ok(())
            }
        )+};
        () => {
            functions_by_engine! {
                try_decode_udf, try_encode_udf: ScalarUDF;
                try_decode_udaf, try_encode_udaf: AggregateUDF;
                try_decode_udwf, try_encode_udwf: WindowUDF;
                try_decode_higher_order_function, try_encode_higher_order_function: HigherOrderUDF;
            }
        };
    }

    impl LogicalExtensionCodec for Engine {
        fn try_decode(&self, bytes: &[u8], _: &[LogicalPlan], _: &TaskContext) -> Result<Extension> {
            asked(&format!("try_decode {bytes:?}"))
        }

        fn try_encode(&self, _: &Extension, _: &mut Vec<u8>) -> Result<()> {
            asked("try_encode")
        }

        fn try_decode_table_provider(
            &self,
            bytes: &[u8],
            name: &TableReference,
            _: SchemaRef,
            _: &TaskContext,
        ) -> Result<Arc<dyn TableProvider>> {
            asked(&format!("try_decode_table_provider {name} {bytes:?}"))
        }

        fn try_encode_table_provider(
            &self,
            name: &TableReference,
            _: Arc<dyn TableProvider>,
            _: &mut Vec<u8>,
        ) -> Result<()> {
            asked(&format!("try_encode_table_provider {name}"))
        }

        functions_by_engine!();
    }

    impl PhysicalExtensionCodec for Engine {
        fn try_decode(
            &self,
            bytes: &[u8],
            _: &[Arc<dyn ExecutionPlan>],
            _: &TaskContext,
            _: &dyn PhysicalProtoConverterExtension,
        ) -> Result<Arc<dyn ExecutionPlan>> {
            asked(&format!("try_decode {bytes:?}"))
        }

        fn try_encode(
            &self,
            _: Arc<dyn ExecutionPlan>,
            _: &mut Vec<u8>,
            _: &dyn PhysicalProtoConverterExtension,
        ) -> Result<()> {
            asked("try_encode")
        }

        functions_by_engine!();
    }

    /// If a method is missing, the trait's default loses the function, without an error while encoding.
    #[test]
    fn functions_are_those_of_the_engine() {
        macro_rules! check {
            ($codec:expr; $($decode:ident, $encode:ident: $function:expr, $name:expr;)*) => {$(
                let error = $codec.$decode("f", &[7]).unwrap_err().strip_backtrace();
                assert_eq!(error, concat!("Error during planning: ", stringify!($decode), " f [7]"));
                let mut bytes = Vec::new();
                $codec.$encode($function.as_ref(), &mut bytes).unwrap();
                assert_eq!(bytes, $name);
            )*};
            ($codec:expr) => {
                check! {
                    $codec;
                    try_decode_udf, try_encode_udf: abs(), b"abs";
                    try_decode_udaf, try_encode_udaf: count_udaf(), b"count";
                    try_decode_udwf, try_encode_udwf: row_number_udwf(), b"row_number";
                    try_decode_higher_order_function, try_encode_higher_order_function:
                        array_transform_higher_order_function(), b"array_transform";
                }
            };
        }
        check!(SitemapLogicalCodec::new(Arc::new(Engine)));
        check!(SitemapPhysicalCodec::new(Arc::new(Engine)));
    }

    #[test]
    fn other_bytes_are_those_of_the_engine() {
        let context = TaskContext::default();
        let codec = SitemapLogicalCodec::new(Arc::new(Engine));
        for bytes in [&b"sitemap"[..], b"", b"\x0asitemap:{}"] {
            let error = codec
                .try_decode(bytes, &[], &context)
                .unwrap_err()
                .strip_backtrace();
            assert_eq!(error, format!("Error during planning: try_decode {bytes:?}"));
        }
        // Bytes of this crate that were cut, or that another version has made.
        for bytes in [&b"sitemap:"[..], b"sitemap:{\"target\"", b"sitemap:{}\n"] {
            let error = codec
                .try_decode(bytes, &[], &context)
                .unwrap_err()
                .strip_backtrace();
            assert!(error.starts_with("External error: "), "{error}");
        }
    }

    /// Also with a line break in a value.
    #[test]
    fn values_and_what_follows() {
        let reading = Reading {
            format: "a\nb".to_owned(),
            options: [("format.mode".to_owned(), "\u{2028}\n".to_owned())].into(),
        };
        let mut bytes = Vec::new();
        encode(&reading, &mut bytes).unwrap();
        bytes.extend_from_slice(b"\n\0rest");
        let (read, rest) = decode::<Reading>(&bytes).unwrap().unwrap();
        assert_eq!((read, rest), (reading, &b"\n\0rest"[..]));
    }

    #[test]
    fn parts_have_one_input() {
        let parts = crate::Parts::new("/tmp/set", "https://example.com").unwrap();
        let mut bytes = Vec::new();
        encode(&parts, &mut bytes).unwrap();
        let codec = SitemapLogicalCodec::new(Arc::new(Engine));
        let error = codec
            .try_decode(&bytes, &[], &TaskContext::default())
            .unwrap_err();
        assert_eq!(
            error.strip_backtrace(),
            "Error during planning: parts are written from one input, and there are 0"
        );
    }
}
