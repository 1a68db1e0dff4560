//! Searches of single nodes with a hand-made transposition table.

use std::sync::Arc;

use sakmak_eval::DtmTables;
use web_time::Instant;

use super::super::report::SearchInfo;
use super::super::request::SearchRequest;
use super::*;
use crate::time::Limits;
use crate::tt::TranspositionTable;

/// The result of `work` with a search in iteration 10.
fn in_search<T>(position: &Position, work: impl FnOnce(&mut Search<'_, false>) -> T) -> T {
    let request = SearchRequest::new(position.clone(), Limits::depth(10));
    let tt = Arc::new(TranspositionTable::new(1).unwrap());
    let shared = Shared::new(request, Instant::now(), tt, Arc::default(), 1);
    let mut worker = Worker::new(&DtmTables::default());
    worker.prepare(&shared);
    work(&mut Search {
        worker: &mut worker,
        shared: &shared,
        id: 0,
        iteration: 10,
        pv_index: 0,
        pv_end: 0,
        listener: &mut |_: &SearchInfo| (),
        next_progress: Duration::MAX,
    })
}

/// The outcome of the singular search of a TT move with this score.
fn singular(fen: &str, mv: &str, score: i32, beta: i32) -> Singular {
    let position = Position::from_fen(fen).unwrap();
    let mv = Some(position.parse_move(mv).unwrap());
    in_search(&position, |search| {
        let entry = Entry { mv, score, eval: Entry::NO_EVAL, depth: 8, bound: Bound::Lower };
        search.shared.tt.store(position.tt_key(), entry);
        assert!(search.is_singular_candidate(&entry, 1, 8));
        let outcome = search.singular::<NonPv>(&position, 1, 8, beta, &entry);
        // The singular search leaves no excluded move behind.
        assert_eq!(search.worker.stack[1].excluded_move, None);
        assert_eq!(search.shared.tt.probe(position.tt_key()).unwrap().score, score);
        outcome
    })
}

#[test]
fn a_node_where_several_moves_fail_high_is_cut() {
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    // Every move scores at least -300 here, so none is singular.
    let target = -300 - singular_margin() * 8 / 16;
    assert!(matches!(singular(start, "e3e4", -300, -400), Singular::Cut(score) if score == target));
    // With this beta no multi-cut: the TT move gets a negative extension, since its score is at least beta.
    assert!(matches!(singular(start, "e3e4", -300, target + 1), Singular::Extend(-1)));
    assert!(matches!(singular(start, "e3e4", -300, -200), Singular::Extend(0)));
}

#[test]
fn an_only_good_move_is_extended() {
    // The rua takes a rua; all other moves lose a rua.
    let only = "4k3/8/pp6/3r4/3R4/PP6/8/4K3 w - - 0 30";
    assert!(matches!(singular(only, "d4d5", 400, 5_000), Singular::Extend(1..=2)));
}

#[test]
fn a_null_move_is_sound_only_far_from_the_end_of_a_count() {
    let allows = |count: &str| {
        let fen = format!("2rsk3/1n6/3mm3/8/8/3MM3/1N2R3/2SK4 w - {count} 60");
        allows_null_move(&Position::from_fen(&fen).unwrap())
    };
    let last = 128 - null_min_count();
    assert!(allows("128 10") && allows(&format!("128 {last}")));
    assert!(!allows(&format!("128 {}", last + 1)) && !allows("128 127"));
}

#[test]
fn a_win_from_the_tt_must_fit_the_count() {
    // The count leaves 10 plies, and a mate on the ply after them still wins.
    let position = Position::from_fen("2rsk3/1n6/3mm3/8/8/3MM3/1N2R3/2SK4 w - 128 118 60").unwrap();
    for (score, fits) in
        [(MATE - 11, true), (MATE - 12, false), (12 - MATE, false), (TB_WIN - 12, false), (300, true)]
    {
        assert_eq!(win_fits_count(&position, score), fits, "{score}");
    }
}
