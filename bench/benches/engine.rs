//! Evaluation, transposition table and search.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_bench::positions;
use sakmak_engine::bench;
use sakmak_engine::tt::{Bound, Entry, TranspositionTable};
use sakmak_eval::Evaluator;

fn evaluation(c: &mut Criterion) {
    let positions = positions();
    let mut evaluator = Evaluator::default();
    let mut group = c.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("evaluate", |b| {
        b.iter(|| positions.iter().map(|position| evaluator.evaluate(position)).sum::<i32>());
    });
    group.finish();
}

fn table(c: &mut Criterion) {
    const ACCESSES: u64 = 100_000;
    let table = match TranspositionTable::new(64) {
        Ok(table) => table,
        Err(error) => panic!("{error}"),
    };
    let keys = |seed: u64| (0..ACCESSES).map(move |n| (n ^ seed << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let entry = Entry { mv: None, score: 17, eval: -3, depth: 5, bound: Bound::Exact };
    let mut group = c.benchmark_group("table");
    group.throughput(Throughput::Elements(ACCESSES));
    group.bench_function("store", |b| b.iter(|| keys(1).for_each(|key| table.store(key, entry))));
    group.bench_function("probe, found", |b| {
        b.iter(|| keys(1).filter(|&key| table.probe(key).is_some()).count())
    });
    group.bench_function("probe, missed", |b| {
        b.iter(|| keys(2).filter(|&key| table.probe(key).is_some()).count())
    });
    group.finish();
}

fn search(c: &mut Criterion) {
    let mut group = c.benchmark_group("search");
    group.sample_size(10);
    group.bench_function("bench positions, 9 plies", |b| {
        b.iter(|| bench::run(9, 16, |_, _, _| ()).map(|result| result.nodes));
    });
    group.finish();
}

criterion_group!(benches, evaluation, table, search);
criterion_main!(benches);
