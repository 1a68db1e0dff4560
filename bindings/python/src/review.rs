//! The review of a game: what each move lost, and findings about the count.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use sakmak_engine::{Limits, SearchInfo, SearchRequest, Searcher};
use sakmak_eval::tablebase::Tablebases;
use sakmak_review::{Evaluation, Review, Step, without_count};

use crate::board::Board;
use crate::tablebase::dtm_tables;
use crate::types::PyMove;

/// One move: the evaluation after it as in `[%eval]`, White's expected points, the points lost, the glyph, the finding
/// in words, the best line instead.
type PlyReview = (String, f64, f64, Option<u16>, Option<String>, Vec<PyMove>);

/// The accuracy of each side, and the moves.
type GameReview = ([Option<f64>; 2], Vec<PlyReview>);

/// Searches every position of a game. `progress` gets the positions searched and their number after each.
#[pyfunction]
#[pyo3(signature = (board, nodes, hash, progress=None))]
pub(crate) fn review(
    py: Python<'_>,
    board: PyRef<'_, Board>,
    nodes: u64,
    hash: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<GameReview> {
    let game = board.game()?.clone();
    drop(board);
    let no_memory = |error: sakmak_engine::tt::HashAllocationError| PyMemoryError::new_err(error.to_string());
    let mut searcher = Searcher::new(hash.max(1)).map_err(no_memory)?;
    let mut review = Review::new(&game, Tablebases::default().with_pairs(dtm_tables(), true));
    while let Some(step) = review.next_step() {
        let (request, is_uncounted) = match step {
            Step::Position(game) => (SearchRequest::of_game_that_goes_on(game, Limits::nodes(nodes)), false),
            Step::Uncounted(game) => (SearchRequest::new(without_count(game), Limits::nodes(nodes)), true),
        };
        let mut found = None;
        // Entries of the table from searches with the count are wrong without it.
        let mut fresh = is_uncounted.then(|| Searcher::new(1)).transpose().map_err(no_memory)?;
        py.detach(|| {
            let searcher = fresh.as_mut().unwrap_or(&mut searcher);
            searcher.search_with(&request, &mut |info: &SearchInfo| found = Some(Evaluation::from(info)));
        });
        review.answer(found);
        py.check_signals()?;
        if let Some(progress) = &progress {
            progress.call1(py, review.progress())?;
        }
    }
    let finished = review.finish();
    let line = |ply: usize| {
        let found = review.evaluations().get(ply).and_then(Option::as_ref);
        found.map_or_else(Vec::new, |found| found.line.iter().map(|&mv| PyMove::from(mv)).collect())
    };
    let plies = finished.plies.into_iter().enumerate().map(|(index, ply)| {
        let finding = ply.finding.map(|finding| finding.words());
        (ply.eval, ply.points, ply.lost, ply.verdict.nag(), finding, line(index))
    });
    Ok((finished.accuracy, plies.collect()))
}
