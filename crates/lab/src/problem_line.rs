//! Life-and-death problems on their way: a job carries one as the JSON line that the solver's reader reads.

use serde_json::{Value, json};
use tesuji_board::{Color, Move, Point, PointSet, Size};
use tesuji_solve::{Outside, Record};

/// A problem as one JSON line, from which [`tesuji_solve::read_json_line`] makes the same draft and the same answer.
pub fn write_record_line(record: &Record) -> String {
    let draft = &record.draft;
    let board = &draft.board;
    let size = board.size();
    let stones = |color| names(size.points().filter(|&point| board.color(point) == Some(color)), size);
    let mut line = json!({
        "id": record.id,
        "source": record.source,
        "category": record.category,
        "rank": record.rank,
        "collections": record.collections,
        "comment": record.comment,
        "result": record.result,
        "size": [size.width(), size.height()],
        "black": stones(Color::Black),
        "white": stones(Color::White),
        "to_move": draft.to_move.letter().to_string(),
        "target": names(draft.targets.iter().copied(), size),
        "accepted": moves(&record.accepted, size),
        "rejected": moves(&record.rejected, size),
    });
    let mut set = |name: &str, value: Value| line[name] = value;
    if let Some(goal) = draft.goal {
        set("goal", goal.to_string().into());
    }
    if let Some(fate) = &record.fate {
        set("fate", fate.as_str().into());
    }
    if let Some(ko) = board.ko_point(draft.to_move) {
        set("ko", json!([ko.to_sgf(size)]));
    }
    match (&draft.region, &draft.bounds) {
        (Some(region), _) => set("region", json!(names(region.iter(), size))),
        (None, Some(bounds)) => set("region", json!(corners(bounds, size))),
        (None, None) => {}
    }
    match draft.outside {
        Some(Outside::Open) => set("outside", "open".into()),
        Some(Outside::Owned(Color::Black)) => set("outside", "black".into()),
        Some(Outside::Owned(Color::White)) => set("outside", "white".into()),
        None => {}
    }
    line.to_string()
}

fn names(points: impl Iterator<Item = Point>, size: Size) -> Vec<String> {
    points.map(|point| point.to_sgf(size)).collect()
}

fn moves(moves: &[Move], size: Size) -> Vec<String> {
    let name = |mv: &Move| mv.point().map_or_else(|| "pass".to_owned(), |point| point.to_sgf(size));
    moves.iter().map(name).collect()
}

/// The box of a set of points, which readers make of boxes alone.
fn corners(points: &PointSet, size: Size) -> [usize; 4] {
    let (mut left, mut top, mut right, mut bottom) = (usize::MAX, usize::MAX, 0, 0);
    for point in points.iter() {
        let (x, y) = (size.x(point), size.y(point));
        (left, top) = (left.min(x), top.min(y));
        (right, bottom) = (right.max(x), bottom.max(y));
    }
    [left, top, right, bottom]
}

#[cfg(test)]
mod tests {
    use super::*;
    use tesuji_solve::{read_diagram, read_json_line, read_problems};

    #[track_caller]
    fn check(record: &Record) {
        let line = write_record_line(record);
        let again = read_json_line(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(write_record_line(&again), line);
        let draft = |record: &Record| {
            let draft = &record.draft;
            (
                draft.board.hash(),
                draft.board.ko_point(draft.to_move),
                (draft.to_move, draft.goal, draft.targets.clone()),
                (draft.region, draft.bounds, draft.outside),
            )
        };
        assert_eq!(draft(&again), draft(record), "{line}");
        let answer =
            |record: &Record| (record.result.clone(), record.accepted.clone(), record.rejected.clone());
        assert_eq!(answer(&again), answer(record), "{line}");
    }

    #[test]
    fn problems_read_back() {
        let text = include_str!("../../../tests/tsumego/own.jsonl");
        let records = read_problems("own.jsonl", text.as_bytes()).unwrap();
        assert!(records.len() > 100);
        records.iter().flatten().for_each(check);
        check(&read_diagram("...@X\n@@@@X\nXXXXX\n.....\nto play: X\n").unwrap());
        let boxed = r#"{"id":"a \"b\"","size":[7,5],"black":["aa"],"white":["ba"],"to_move":"W","region":[0,0,3,2],
            "outside":"open","goal":"kill","accepted":["pass","bb"],"rejected":["cc"],"result":"ko_good","fate":"x"}"#;
        check(&read_json_line(&boxed.replace('\n', "")).unwrap());
    }
}
