use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

fn settings() -> RatingSettings {
    RatingSettings { anchors: BTreeMap::new(), average: 0.0, white_advantage: None, prior: 0.0 }
}

/// A pool of wins, draws and losses of White.
fn pool(games: &[(&str, &str, [u64; 3])]) -> RatingPool {
    let mut pool = RatingPool::default();
    for &(white, black, counts) in games {
        for (result, count) in [Wdl::Win, Wdl::Draw, Wdl::Loss].into_iter().zip(counts) {
            (0..count).for_each(|_| pool.add(white, black, result));
        }
    }
    pool
}

fn four() -> RatingPool {
    pool(&[
        ("A", "B", [5, 3, 2]),
        ("B", "A", [3, 4, 3]),
        ("A", "C", [6, 2, 2]),
        ("C", "A", [2, 3, 5]),
        ("B", "C", [4, 4, 2]),
        ("C", "B", [3, 3, 4]),
        ("C", "D", [7, 2, 1]),
        ("D", "C", [1, 4, 5]),
        ("B", "D", [8, 1, 1]),
        ("D", "B", [2, 2, 6]),
    ])
}

fn assert_ratings(list: &RatingList, expected: &[(&str, f64)]) {
    let found: Vec<_> = list.players.iter().map(|player| (player.name.as_str(), player.rating)).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            found.0 == expected.0 && (found.1 - expected.1).abs() < 1e-4,
            "{found:?} is not {expected:?}"
        );
    }
}

/// What Ordo 1.2.6 prints for these games (`-z 200.24094022767414` is the scale of 400 Elo).
#[test]
fn ratings_are_those_of_ordo() {
    let list = four().ratings(&settings()).unwrap();
    assert_ratings(&list, &[("A", 119.37594), ("B", 55.50648), ("C", 2.37150), ("D", -177.25391)]);
    assert!((list.white_advantage - 40.8).abs() < 0.05);
    let without = RatingSettings { white_advantage: Some(0.0), ..settings() };
    let list = four().ratings(&without).unwrap();
    assert_ratings(&list, &[("A", 117.84425), ("B", 54.84159), ("C", 2.37603), ("D", -175.06187)]);
    assert_eq!(list.white_advantage_error, None);
}

#[test]
fn two_players_are_as_far_apart_as_their_score_says() {
    let games = pool(&[("A", "B", [30, 10, 10]), ("B", "A", [10, 10, 30])]);
    let list = games.ratings(&RatingSettings { white_advantage: Some(0.0), ..settings() }).unwrap();
    let elo = Trinomial::new(60, 20, 20).elo().unwrap();
    let [one, other] = &list.players[..] else { panic!("two players") };
    assert!((one.rating - other.rating - elo.value).abs() < 1e-6);
    // Each lies half as far from the mean, and so does its interval, which is not bent by the curve.
    let error = 2.0 * one.error.unwrap();
    assert!((error / elo.error() - 1.0).abs() < 0.03, "{error} {}", elo.error());
    let los = one.superiority.unwrap();
    assert!((los - Trinomial::new(60, 20, 20).los()).abs() < 0.001, "{los}");
    assert_eq!((one.games, other.games), (Trinomial::new(60, 20, 20), Trinomial::new(20, 20, 60)));
    assert_eq!(list.pairings.len(), 1);
    assert!((list.pairings[0].expected - 0.7).abs() < 1e-9);
}

#[test]
fn anchors_keep_their_ratings() {
    let free = four().ratings(&settings()).unwrap();
    let anchors = BTreeMap::from([("A".to_owned(), 2000.0)]);
    let list = four().ratings(&RatingSettings { anchors: anchors.clone(), ..settings() }).unwrap();
    for (player, other) in list.players.iter().zip(&free.players) {
        assert!((player.rating - other.rating - 2000.0 + free.players[0].rating).abs() < 1e-6);
    }
    assert_eq!((list.players[0].rating, list.players[0].error), (2000.0, None));
    // Two anchors: the others lie between as their games say.
    let both = anchors.into_iter().chain([("D".to_owned(), 1000.0)]).collect();
    let list = four().ratings(&RatingSettings { anchors: both, ..settings() }).unwrap();
    assert_eq!((list.players[0].rating, list.players[3].rating), (2000.0, 1000.0));
    let expected: f64 = list
        .pairings
        .iter()
        .filter(|pairing| pairing.one == "B" || pairing.other == "B")
        .map(|pairing| {
            let games = pairing.games.games() as f64;
            games * if pairing.one == "B" { pairing.expected } else { 1.0 - pairing.expected }
        })
        .sum();
    assert!((expected - 35.5).abs() < 1e-6, "B scores as its rating says");
    let average = four().ratings(&RatingSettings { average: 1500.0, ..settings() }).unwrap();
    assert!((average.players.iter().map(|player| player.rating).sum::<f64>() - 6000.0).abs() < 1e-6);
}

#[test]
fn pools_without_ratings_are_refused() {
    let refused = |pool: &RatingPool, settings: &RatingSettings| pool.ratings(settings).unwrap_err();
    assert_eq!(refused(&RatingPool::default(), &settings()), RatingError::NoGames);
    let anchors = BTreeMap::from([("E".to_owned(), 0.0)]);
    assert_eq!(
        refused(&four(), &RatingSettings { anchors, ..settings() }),
        RatingError::UnknownAnchor("E".to_owned())
    );
    let apart = pool(&[("A", "B", [1, 1, 1]), ("B", "A", [1, 1, 1]), ("C", "D", [1, 0, 1])]);
    let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    assert_eq!(refused(&apart, &settings()), RatingError::Unconnected(names(["C", "D"])));
    // Given ratings connect them.
    let anchors = BTreeMap::from([("B".to_owned(), 0.0), ("C".to_owned(), 100.0)]);
    let list = apart.ratings(&RatingSettings { anchors, white_advantage: Some(0.0), ..settings() }).unwrap();
    assert_ratings(&list, &[("C", 100.0), ("D", 100.0), ("A", 0.0), ("B", 0.0)]);
    // A and B only ever won against C and D.
    let above =
        pool(&[("A", "B", [1, 1, 1]), ("B", "A", [1, 1, 1]), ("B", "C", [9, 0, 0]), ("C", "D", [1, 1, 1])]);
    assert_eq!(refused(&above, &settings()), RatingError::Unbounded(names(["C", "D"])));
    let list = above.ratings(&RatingSettings { prior: 1.0, ..settings() }).unwrap();
    assert!(
        list.players.iter().all(|player| player.rating.is_finite() && player.error.unwrap() > 50.0),
        "{list:?}"
    );
    let one_color = pool(&[("A", "B", [1, 1, 1])]);
    assert_eq!(refused(&one_color, &settings()), RatingError::OneColor);
    assert!(one_color.ratings(&RatingSettings { white_advantage: Some(20.0), ..settings() }).is_ok());
    // White never lost: the greater its advantage, the likelier.
    for games in [[1, 0, 0], [1, 5, 0], [0, 1, 0]] {
        let [wins, draws, losses] = games;
        let white = pool(&[("A", "B", games), ("B", "A", [wins + draws, 0, losses])]);
        assert_eq!(refused(&white, &settings()), RatingError::UnboundedAdvantage, "{games:?}");
        for bounded in [
            RatingSettings { prior: 1.0, ..settings() },
            RatingSettings { white_advantage: Some(0.0), ..settings() },
        ] {
            let list = white.ratings(&bounded).unwrap();
            assert!(list.players.iter().all(|player| player.rating.is_finite()), "{list:?}");
        }
    }
}

/// In 95 of 100 pools drawn at random the interval contains the rating that the results were drawn with.
#[test]
fn intervals_are_as_sure_as_they_say() {
    let truth = [("A", 150.0), ("B", 60.0), ("C", -30.0), ("D", -180.0)];
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut inside, mut all) = (0, 0);
    for _ in 0..250 {
        let mut pool = RatingPool::default();
        for (white, strong) in truth {
            for (black, weak) in truth {
                for _ in 0..50 {
                    let score = expected_score(strong - weak + 25.0);
                    // A draw takes as much from both.
                    let draw = score.min(1.0 - score);
                    let drawn: f64 = rng.random();
                    pool.add(
                        white,
                        black,
                        match drawn {
                            drawn if drawn < draw => Wdl::Draw,
                            drawn if drawn < draw / 2.0 + score => Wdl::Win,
                            _ => Wdl::Loss,
                        },
                    );
                }
            }
        }
        let list = pool.ratings(&settings()).unwrap();
        for player in &list.players {
            let (_, rating) = truth.iter().find(|(name, _)| *name == player.name).unwrap();
            all += 1;
            inside += u32::from((player.rating - rating).abs() <= player.error.unwrap());
        }
    }
    let share = f64::from(inside) / f64::from(all);
    assert!((0.93..0.985).contains(&share), "{share}");
}
