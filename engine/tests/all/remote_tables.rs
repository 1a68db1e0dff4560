//! A session plays from tablebase files that are fetched piece by piece.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sakmak_engine::uci::{Output, Session};
use sakmak_eval::tablebase::{RemoteTables, Tablebases, build, build_order};
use sakmak_movegen::{Color, Count};

const RUA_AND_MET: &str = "8/8/2K5/8/8/8/k6m/7R w - 128 0 60";

/// The tables of rua against met and what they need, and a folder with them.
fn tables() -> (BTreeMap<String, Vec<u8>>, Tablebases) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine-remote-tables");
    // Files of an earlier run may have an older format.
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut files = BTreeMap::new();
    for ending in build_order(&["KRvKM".parse().unwrap()]) {
        let mut bytes = Vec::new();
        build(&ending, &folder, 2, &mut bytes, &|_| ()).unwrap();
        let name = format!("{ending}.sktb");
        fs::write(folder.join(&name), &bytes).unwrap();
        files.insert(name, bytes);
    }
    let (tables, errors) = Tablebases::open([&folder]);
    assert!(errors.is_empty(), "{errors:?}");
    (files, tables)
}

fn session() -> (Session, Output) {
    let output = Output::buffer();
    (Session::on_calling_thread(output.clone(), &Default::default()).unwrap(), output)
}

#[test]
fn the_root_is_played_from_fetched_blocks() {
    let (files, local) = tables();
    let remote = RemoteTables::new(None, 1 << 20);
    let (mut session, output) = session();
    session.use_remote_tables(Some(&remote));
    let ending = "KRvKM".parse().unwrap();
    let numbers = (0..40u64).map(|index| index * 179_999 % local.placements(&ending).unwrap());
    let mut known = 0;
    for mut position in numbers.filter_map(|number| local.position(&ending, number, Color::White)) {
        position.set_count(Count::new(128, 20));
        let values = local.move_values(&position).unwrap();
        if values.is_empty() {
            continue;
        }
        session.command(&format!("position fen {position}"));
        loop {
            let missing = session.missing_tables();
            if missing.is_empty() {
                break;
            }
            for wanted in missing {
                let file = &files[&wanted.file];
                let bytes = &file[wanted.range.start as usize..wanted.range.end as usize];
                remote.supply(&wanted, bytes, Some(file.len() as u64)).unwrap();
            }
        }
        session.command("go depth 2");
        session.finish();
        let text = output.take();
        let best = text.rsplit_once("bestmove ").unwrap().1.split_whitespace().next().unwrap();
        let played = values.iter().find(|value| value.mv.to_string() == best).unwrap();
        assert_eq!(played.rank(), values[0].rank(), "{position}: {text}");
        assert!(!text.contains(" tbhits 0 "), "{text}");
        known += 1;
    }
    assert!(known > 10, "{known}");
}

#[test]
fn a_search_without_blocks_goes_on_and_limited_players_need_none() {
    let (mut session, output) = session();
    session.use_remote_tables(Some(&RemoteTables::new(None, 0)));
    session.command(&format!("position fen {RUA_AND_MET}"));
    session.command("go depth 3");
    session.finish();
    let text = output.take();
    assert!(text.contains(" tbhits 0 ") && text.contains("bestmove "), "{text}");
    // Folders stay beside remote files.
    session.command("setoption name TablebasePath value <empty>");
    assert_eq!(session.missing_tables()[0].file, "KRvKM.sktb");
    session.command("setoption name Skill Level value 5");
    assert_eq!(session.missing_tables(), []);
    session.command("setoption name Skill Level value 20");
    session.command("setoption name TablebaseProbeLimit value 3");
    assert_eq!(session.missing_tables(), []);
    session.command("setoption name TablebaseProbeLimit value 5");
    assert!(!session.missing_tables().is_empty());
    session.use_remote_tables(None);
    assert_eq!(session.missing_tables(), []);
}
