//! Files named by a user or a GUI, opened so that none of them can block the program.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a regular file with these options. A FIFO, a device, a socket and a folder are refused, and opening does not
/// wait: for the other end of a FIFO it could take for ever.
///
/// ```
/// let mut options = std::fs::File::options();
/// let folder = std::env::temp_dir();
/// let error = sakmak_eval::regular_file::open(options.read(true), &folder).unwrap_err();
/// assert_eq!(error.to_string(), "a folder, not a file");
/// ```
///
/// # Errors
/// If the file cannot be opened, or of kind [`ErrorKind::InvalidInput`] if it is none.
pub fn open(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Before it is opened, since that may have an effect on a device, and fail for another reason.
    if let Ok(metadata) = std::fs::metadata(path) {
        check(&metadata)?;
    }
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        // Without a terminal that becomes the program's own.
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    let file = options.open(path)?;
    // The path may lead to another file by now.
    check(&file.metadata()?)?;
    Ok(file)
}

fn check(metadata: &std::fs::Metadata) -> io::Result<()> {
    let fault = match metadata.file_type() {
        kind if kind.is_file() => return Ok(()),
        kind if kind.is_dir() => "a folder, not a file",
        _ => "not a regular file",
    };
    Err(io::Error::new(ErrorKind::InvalidInput, fault))
}
