//! The kinds of errors.

/// The kind of an [`Error`](crate::Error), for a program that must decide how to continue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The underlying reader or writer failed: [`Error::io_error`](crate::Error::io_error) is its error, whose text is part of this error's message.
    Io,
    /// The document is not well-formed XML, or its encoding is not supported.
    Syntax,
    /// The document is XML, but breaks a rule of the format, or a value does not fit its target type. Reading continues with the next
    /// entry, unless [`Error::ends_reading`](crate::Error::ends_reading) is `true`.
    Data,
    /// A setting of a builder or of a derive is invalid, such as a base that is not a URL. Every entry would fail;
    /// [`WriterBuilder::check`](crate::WriterBuilder::check) finds the mistake before the first entry.
    Settings,
    /// A count or a size exceeds its limit.
    Limit,
    /// The document ends before it is complete.
    Eof,
}
