//! The board: move generation, making moves, static exchange evaluation (SEE), perft.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sakmak_bench::positions;
use sakmak_movegen::{Bitboard, MoveList, Position, SeeValues, Square, Stage, attacks, perft};

fn generate(c: &mut Criterion) {
    let positions = positions();
    let mut group = c.benchmark_group("generate");
    group.throughput(Throughput::Elements(positions.len() as u64));
    for (name, stage) in [("all", Stage::All), ("noisy", Stage::Noisy), ("quiet", Stage::Quiet)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                for position in &positions {
                    let mut list = MoveList::new();
                    position.generate(stage, &mut list);
                    black_box(&list);
                }
            });
        });
    }
    group.bench_function("count", |b| {
        b.iter(|| positions.iter().map(Position::count_legal).sum::<u32>());
    });
    group.finish();
}

fn make(c: &mut Criterion) {
    let positions: Vec<_> = positions().into_iter().map(|p| (p.legal_moves(), p)).collect();
    let moves: usize = positions.iter().map(|(moves, _)| moves.len()).sum();
    let mut group = c.benchmark_group("moves");
    group.throughput(Throughput::Elements(moves as u64));
    group.bench_function("clone and make", |b| {
        b.iter(|| {
            for (moves, position) in &positions {
                for &mv in moves {
                    let mut next = position.clone();
                    next.play_unchecked(mv);
                    black_box(&next);
                }
            }
        });
    });
    group.bench_function("is legal", |b| {
        b.iter(|| positions.iter().flat_map(|(moves, p)| moves.iter().filter(|&&mv| p.is_legal(mv))).count());
    });
    group.bench_function("gives check", |b| {
        b.iter(|| {
            let checks = positions.iter().map(|(moves, p)| {
                let info = p.check_info();
                moves.iter().filter(|&&mv| p.gives_check(mv, &info)).count()
            });
            checks.sum::<usize>()
        });
    });
    let values = SeeValues(sakmak_eval::EXCHANGE);
    group.bench_function("static exchange", |b| {
        b.iter(|| {
            positions
                .iter()
                .flat_map(|(moves, p)| moves.iter().filter(|&&mv| p.see_ge(mv, 0, &values)))
                .count()
        });
    });
    group.finish();
}

fn rua(c: &mut Criterion) {
    let occupied: Vec<Bitboard> = positions().iter().map(Position::occupied).collect();
    let mut group = c.benchmark_group("attacks");
    group.throughput(Throughput::Elements(64 * occupied.len() as u64));
    group.bench_function("rua", |b| {
        b.iter(|| {
            let all =
                occupied.iter().flat_map(|&pieces| Square::all().map(move |from| attacks::rua(from, pieces)));
            all.fold(Bitboard::EMPTY, |set, reached| set ^ reached)
        });
    });
    group.finish();
}

fn paths(c: &mut Criterion) {
    let start = Position::startpos();
    let mut group = c.benchmark_group("perft");
    group.throughput(Throughput::Elements(6_223_994));
    group.sample_size(20);
    group.bench_function("start position, 5 plies", |b| b.iter(|| perft::perft(&start, 5)));
    group.finish();
}

fn fen(c: &mut Criterion) {
    let texts = sakmak_engine::bench::POSITIONS;
    let positions = positions();
    let mut group = c.benchmark_group("fen");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function("read", |b| {
        b.iter(|| texts.iter().filter(|fen| Position::from_fen(fen).is_ok()).count())
    });
    group
        .bench_function("write", |b| b.iter(|| positions.iter().map(|p| p.to_string().len()).sum::<usize>()));
    group.finish();
}

criterion_group!(benches, generate, make, rua, paths, fen);
criterion_main!(benches);
