//! Probes of the tablebase: of blocks in the cache, and of blocks that have to be read and decompressed.

use std::hint::black_box;
use std::path::Path;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sakmak_eval::tablebase::{Ending, Tablebases};
use sakmak_movegen::{Color, Position};
use sakmak_tools::tablebase::{build_missing, build_order};

const POSITIONS: usize = 10_000;

/// Random positions of some endings of four men, and the folder of their tablebase files.
fn endings() -> (Vec<Position>, Tablebases) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tablebases");
    let endings = ["KSMvK", "KRvKM"].map(|name| name.parse::<Ending>().expect("a name"));
    build_missing(&build_order(&endings), &folder, 2, &|_| ()).expect("tables");
    let (tables, errors) = Tablebases::open([folder]);
    assert!(errors.is_empty(), "{errors:?}");
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let ending = &endings[positions.len() % endings.len()];
        let number = random.random_range(0..tables.placements(ending).expect("a table"));
        let side = Color::ALL[random.random_range(0..2)];
        positions.extend(tables.position(ending, number, side));
    }
    (positions, tables)
}

fn probe(c: &mut Criterion) {
    let (positions, tables) = endings();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tablebases");
    let probe_all = |tables: &Tablebases, positions: &[Position]| {
        for position in positions {
            black_box(tables.probe_uncounted(position));
        }
    };
    let mut group = c.benchmark_group("tablebase");
    group.throughput(Throughput::Elements(POSITIONS as u64));
    group.bench_function("cached", |b| b.iter(|| probe_all(&tables, &positions)));
    let few = &positions[..500];
    group.throughput(Throughput::Elements(few.len() as u64));
    group.bench_function("not cached", |b| {
        b.iter_batched(
            || Tablebases::open([&folder]).0,
            |tables| {
                probe_all(&tables, few);
                tables
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, probe);
criterion_main!(benches);
