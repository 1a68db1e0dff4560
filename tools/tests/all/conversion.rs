//! The command `sakmak-tools conversion`.

use crate::common::run;

/// Both see White 2.00 ahead.
const AGREED: &str = "[White \"A\"]\n[Black \"B\"]\n[Reason \"draw (adjudicated: level scores)\"]\n\n\
    1. e4 {+2.10/9 0.1s} e5 {-2.00/9 0.1s} 2. d4 {+0.10/9 0.1s} d5 {+0.10/9 0.1s} 1/2-1/2\n\n";
/// Both see White ahead, but not in a row before the mate.
const MATE: &str = "[White \"B\"]\n[Black \"A\"]\n\n1. Nd2 {+1.60/5 0.1s} Ne7 {+0.10/5 0.1s} \
    2. Nc4 {+0.00/5 0.1s} Nd7 {-1.70/5 0.1s} 3. Nxd6# {+M1/5 0.1s} 1-0\n\n";
const REPETITION: &str = "[White \"A\"]\n[Black \"B\"]\n\n1. Nd2 {+1.50/5 0.1s} Nd7 {-9.00/5 0.1s} 2. Nb1 Nb8 3. Nd2 Nd7 \
    4. Nb1 Nb8 1/2-1/2\n\n";
const SILENT: &str = "1. e4 e5 1/2-1/2\n\n";

#[test]
fn agreed_advantages_and_what_became_of_them() {
    let done = run(&["conversion", "-"], &[AGREED, MATE, REPETITION, SILENT].concat());
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""));
    assert_eq!(
        done.out,
        "3 games with scores, 1 without\n\nA\n  ahead   games     won   drawn    lost\n\
         \x20 +1.50       2    0.0%  100.0%    0.0%  adjudicated: level scores 1, repetition 1\n\
         \x20 +2.00       1    0.0%  100.0%    0.0%  adjudicated: level scores 1\n\
         \x20 +3.00       0    0.0%    0.0%    0.0%\n\nB\n  ahead   games     won   drawn    lost\n\
         \x20 +1.50       1  100.0%    0.0%    0.0%\n\
         \x20 +2.00       0    0.0%    0.0%    0.0%\n\
         \x20 +3.00       0    0.0%    0.0%    0.0%\n"
    );
    let done = run(&["conversion", "-", "--json", "--ahead", "1.6"], &[AGREED, MATE].concat());
    let report: serde_json::Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["players"][0]["advantages"][0][1]["drawn"]["adjudicated: level scores"], 1);
    assert_eq!(
        report["players"][1]["advantages"][0],
        serde_json::json!([160, {
            "games": 1, "won": 1, "lost": 0, "drawn": {}
        }])
    );
}

#[test]
fn faults_are_named() {
    let done = run(&["conversion", "-"], &[AGREED, "1. e5 {+1.00/1 0s} 1-0\n"].concat());
    assert_eq!(done.status, Some(1));
    assert!(done.err.contains("game 2"), "{}", done.err);
    assert_eq!(run(&["conversion", "nowhere.pgn"], "").status, Some(2));
    assert_eq!(run(&["conversion", "-", "--ahead", "much"], "").status, Some(2));
}
