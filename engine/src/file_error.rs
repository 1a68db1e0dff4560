//! Why a file of the engine (an opening book, evaluations) cannot be used.

use std::io;

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}", if .0.kind() == io::ErrorKind::NotFound { "no such file".to_owned() } else { .0.to_string() })]
    Read(#[from] io::Error),
    /// The file does not begin as such a file does; with what it is or should be.
    #[error("{0}")]
    Foreign(&'static str),
    /// A later version of the format.
    #[error("is of version {found} of the format; this program reads version {known}")]
    Version {
        /// The file's version.
        found: u16,
        /// The version that this program reads.
        known: u16,
    },
    /// The file is shorter or longer than its header says.
    #[error("has {found} bytes instead of {wanted}")]
    Length {
        /// Its length in bytes.
        found: u64,
        /// The length by the header.
        wanted: u64,
    },
    /// A checksum is wrong, or the contents are not those of such a file.
    #[error("damaged: {0}")]
    Damaged(&'static str),
    /// The file to be written is too large for the format.
    #[error("too large: {0}")]
    TooLarge(&'static str),
}
