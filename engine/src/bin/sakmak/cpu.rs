//! Whether this CPU can run this build.

/// A message for the user if the build needs instructions that the CPU does not have.
///
/// Reads CPUID directly, since `is_x86_feature_detected!` is true for all features that the build assumes. The bits
/// are those of the Intel and AMD manuals: leaf 1, ECX, and leaf 7, EBX.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(never)]
pub(crate) fn unsupported() -> Option<String> {
    use std::arch::x86_64::{__cpuid_count, CpuidResult};
    // SAFETY: every x86-64 CPU has the instruction `cpuid`. (The function is safe from Rust 1.93 on.)
    #[allow(unused_unsafe)]
    let cpuid = |leaf| -> CpuidResult { unsafe { __cpuid_count(leaf, 0) } };
    // A leaf beyond the last gives unrelated bits.
    let last_leaf = cpuid(0).eax;
    let has = |leaf, register: fn(CpuidResult) -> u32, bit: u32| {
        leaf <= last_leaf && register(cpuid(leaf)) & 1 << bit != 0
    };
    let needed = [
        ("POPCNT", has(1, |r| r.ecx, 23)),
        ("BMI1", has(7, |r| r.ebx, 3)),
        ("BMI2", has(7, |r| r.ebx, 8)),
        ("AVX2", has(7, |r| r.ebx, 5) || !cfg!(target_feature = "avx2")),
    ];
    let missing: Vec<_> = needed.iter().filter(|(_, present)| !present).map(|(name, _)| *name).collect();
    (!missing.is_empty()).then(|| {
        format!(
            "This build of Sakmak needs a CPU with {} (x86-64-v3, about 2013 and later).\n\
             Build it for any x86-64 CPU with\n    \
             RUSTFLAGS=\"-C target-cpu=x86-64\" cargo build --release",
            missing.join(", ")
        )
    })
}

/// Builds for the baseline of a platform run on all its CPUs.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(crate) fn unsupported() -> Option<String> {
    None
}
