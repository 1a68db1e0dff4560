//! Whether this CPU can run this build.

/// A message for the user if the build needs instructions the CPU does not have.
///
/// The standard library answers "yes" for whatever the build assumes, so the CPU itself is asked.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(never)]
pub(crate) fn unsupported() -> Option<String> {
    let cpu = raw_cpuid::CpuId::new();
    let basic = cpu.get_feature_info()?;
    let more = cpu.get_extended_feature_info()?;
    let needed = [
        ("POPCNT", basic.has_popcnt()),
        ("BMI1", more.has_bmi1()),
        ("BMI2", more.has_bmi2()),
        ("AVX2", more.has_avx2() || !cfg!(target_feature = "avx2")),
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

/// Builds for the baseline of their platform run everywhere on it.
#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
pub(crate) fn unsupported() -> Option<String> {
    None
}
