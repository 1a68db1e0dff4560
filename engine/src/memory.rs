//! The machine's memory, and allocations that may fail.

use std::io;

/// Whether `bytes` can be allocated: tries it and frees them again, since most failed allocations abort the program.
pub(crate) fn is_left(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// Allocates `bytes`, kept until dropped.
///
/// # Errors
/// If the system refuses it.
pub(crate) fn reserve(bytes: usize) -> io::Result<Vec<u8>> {
    let mut memory = Vec::new();
    memory.try_reserve_exact(bytes).map_err(|_| io::ErrorKind::OutOfMemory)?;
    Ok(memory)
}

/// The machine's memory in bytes, or the limit of a control group; `isize::MAX` where it cannot be read. A system may
/// grant more than it has, and end the program when the memory is used.
#[cfg(target_os = "linux")]
pub(crate) fn total() -> usize {
    use std::fs::read_to_string;
    use std::path::Path;
    let physical = read_to_string("/proc/meminfo").ok().and_then(|text| physical_memory(&text));
    // In version 2 of control groups every group on the path has a limit; of version 1 only the root's is read.
    let path = read_to_string("/proc/self/cgroup").unwrap_or_default();
    let group = path.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let groups = Path::new(group).ancestors().map(|group| Path::new("/sys/fs/cgroup").join(group));
    let files = groups
        .map(|group| group.join("memory.max"))
        .chain(["/sys/fs/cgroup/memory/memory.limit_in_bytes".into()]);
    let limits = files.filter_map(|file| read_to_string(file).ok()?.trim().parse().ok());
    limits.chain(physical).min().unwrap_or(usize::MAX).min(isize::MAX as usize)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn total() -> usize {
    isize::MAX as usize
}

/// The `MemTotal` of `/proc/meminfo` in bytes.
#[cfg(target_os = "linux")]
fn physical_memory(meminfo: &str) -> Option<usize> {
    let rest = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: usize = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_of_this_machine() {
        assert_eq!(physical_memory("MemTotal:       16384 kB\nMemFree: 1 kB\n"), Some(16 << 20));
        assert_eq!(physical_memory("MemFree: 1 kB\n"), None);
        let total = total();
        assert!(total > 64 << 20 && total < 1 << 50, "{total}");
    }
}
