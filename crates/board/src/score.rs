//! Counting: who owns which point, by area or by territory.
//!
//! Which stones are dead is a question for the players or a search; it is handed in as a [`Verdict`]. Dead stones
//! count as empty points. A region of empty points belongs to the colour of the living stones around
//! it, and to nobody if both colours or neither are there. Komi, handicap and button are added by the caller.

use crate::board::Board;
use crate::color::Color;
use crate::point::{Point, Size};
use crate::point_map::PointMap;
use crate::point_set::PointSet;
use crate::region::Regions;

/// Whose point it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Black's.
    Black,
    /// White's.
    White,
    /// Nobody's.
    Neutral,
}

impl From<Color> for Owner {
    fn from(color: Color) -> Owner {
        match color {
            Color::Black => Owner::Black,
            Color::White => Owner::White,
        }
    }
}

/// What has been decided about the stones at the end of a game; by default all are alive and none in seki.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Stones that are taken off without being captured.
    pub dead: PointSet,
    /// Stones alive in seki whose eyes shall not count.
    pub seki: PointSet,
}

/// Who owns which point of a board.
#[derive(Clone)]
pub struct Ownership {
    size: Size,
    owners: PointMap<Owner>,
}

impl Ownership {
    /// Living stones and the regions they surround.
    pub fn by_area(board: &Board, verdict: &Verdict) -> Ownership {
        let mut ownership = Ownership::by_territory(board, verdict);
        for point in board.size().points() {
            if let Some(color) = living(board, verdict, point) {
                ownership.owners[point] = color.into();
            }
        }
        ownership
    }

    /// The surrounded regions alone; points with living stones are neutral.
    pub fn by_territory(board: &Board, verdict: &Verdict) -> Ownership {
        let size = board.size();
        let regions = Regions::find(size, |point| living(board, verdict, point).is_none());
        let mut owners = PointMap::filled(Owner::Neutral);
        for region in regions.iter() {
            if let Some(color) = surrounding_color(board, verdict, region) {
                for &point in region {
                    owners[point] = color.into();
                }
            }
        }
        Ownership { size, owners }
    }

    /// The owner of a point.
    pub fn owner(&self, point: Point) -> Owner {
        self.owners[point]
    }

    /// Number of points of an owner.
    pub fn count(&self, owner: Owner) -> usize {
        self.size.points().filter(|&point| self.owners[point] == owner).count()
    }

    /// Black's points minus White's.
    pub fn black_lead(&self) -> i32 {
        self.size.points().map(|point| worth_to_black(self.owners[point])).sum()
    }
}

/// Black's area minus White's.
pub fn area_lead(board: &Board, verdict: &Verdict) -> i32 {
    Ownership::by_area(board, verdict).black_lead()
}

/// Black's area minus White's with all stones alive: the rules of Tromp and Taylor.
pub fn tromp_taylor_lead(board: &Board) -> i32 {
    area_lead(board, &Verdict::default())
}

/// Black's territory and prisoners, the dead stones included, minus White's.
pub fn territory_lead(board: &Board, verdict: &Verdict) -> i32 {
    let [black, white] = Color::BOTH.map(|color| board.prisoners(color) as i32);
    let dead = verdict.dead.iter().filter_map(|point| board.color(point));
    let dead_lead: i32 = dead.map(|color| worth_to_black((!color).into())).sum();
    Ownership::by_territory(board, verdict).black_lead() + black - white + dead_lead
}

fn living(board: &Board, verdict: &Verdict, point: Point) -> Option<Color> {
    board.color(point).filter(|_| !verdict.dead.contains(point))
}

/// The one colour of the living stones around a region, if none of them is in seki.
fn surrounding_color(board: &Board, verdict: &Verdict, region: &[Point]) -> Option<Color> {
    let mut found = None;
    for &point in region {
        for color in Color::BOTH {
            for side in board.sides(point, color.cell()).filter(|&side| !verdict.dead.contains(side)) {
                if found == Some(!color) || verdict.seki.contains(side) {
                    return None;
                }
                found = Some(color);
            }
        }
    }
    found
}

fn worth_to_black(owner: Owner) -> i32 {
    match owner {
        Owner::Black => 1,
        Owner::White => -1,
        Owner::Neutral => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Suicide;
    use crate::diagram::Diagram;
    use crate::testing::{Rng, random_board};

    /// Marked stones are dead; the maps show the owner of every point as `X`, `O` or `.`.
    fn check(diagram: &str, area: &str, territory: &str, leads: (i32, i32)) {
        let parsed = Diagram::parse(diagram).unwrap();
        let dead = parsed.marked().iter().copied().collect();
        check_verdict(&parsed.board, &Verdict { dead, ..Verdict::default() }, (area, territory), leads);
    }

    fn check_verdict(board: &Board, verdict: &Verdict, (area, territory): (&str, &str), leads: (i32, i32)) {
        assert_eq!(map(&Ownership::by_area(board, verdict)), area, "area of\n{board}");
        assert_eq!(map(&Ownership::by_territory(board, verdict)), territory, "territory of\n{board}");
        assert_eq!((area_lead(board, verdict), territory_lead(board, verdict)), leads, "{board}");
    }

    fn map(ownership: &Ownership) -> String {
        let symbol = |point| match ownership.owner(point) {
            Owner::Black => 'X',
            Owner::White => 'O',
            Owner::Neutral => '.',
        };
        let points: Vec<Point> = ownership.size.points().collect();
        let rows =
            points.chunks(ownership.size.width()).map(|row| row.iter().map(|&point| symbol(point)).collect());
        rows.collect::<Vec<String>>().join("\n")
    }

    #[test]
    fn an_empty_board_belongs_to_nobody() {
        check("...\n...", "...\n...", "...\n...", (0, 0));
    }

    #[test]
    fn surrounded_points_belong_to_the_surrounder() {
        check(".X.O\nXX.O", "XX.O\nXX.O", "X...\n....", (2, 1));
        check(".XO.\nXXO.", "XXOO\nXXOO", "X..O\n...O", (0, -1));
    }

    #[test]
    fn dead_stones_count_as_empty_and_as_prisoners() {
        check(".X@.\nXX..", "XXXX\nXXXX", "X.XX\n..XX", (8, 6));
        check("@.XO.\n.XXO#\nXXXO.", "XXXOO\nXXXOO\nXXXOO", "XX..O\nX...O\n....O", (3, 0));
    }

    #[test]
    fn prisoners_count_for_territory_only() {
        let mut board = Diagram::parse(".X.\nX.O\n...").unwrap().board;
        board.set_prisoners([1, 5]);
        check_verdict(&board, &Verdict::default(), ("XX.\nX.O\n...", "X..\n...\n..."), (2, -3));
    }

    #[test]
    fn eyes_in_seki_count_unless_the_verdict_says_so() {
        let parsed = Diagram::parse(".#O.@\n##O@@\nOOOO.").unwrap();
        let seki: PointSet = parsed.marked().iter().copied().collect();
        let plain = Verdict::default();
        let taxed = Verdict { seki, ..plain };
        let everything = "XXOOO\nXXOOO\nOOOOO";
        check_verdict(&parsed.board, &plain, (everything, "X..O.\n.....\n....O"), (-7, -1));
        let fewer = ".XO.O\nXXOOO\nOOOO.";
        check_verdict(&parsed.board, &taxed, (fewer, ".....\n.....\n....."), (-6, 0));
    }

    #[test]
    fn owners_change_with_the_colours() {
        let mut rng = Rng::new(3);
        for _ in 0..100 {
            let board = random_board(&mut rng, Suicide::Allowed);
            let mut swapped = Board::new(board.size());
            for point in board.size().points() {
                if let Some(color) = board.color(point) {
                    swapped.set_up(point, !color);
                }
            }
            swapped.set_prisoners([board.prisoners(Color::White), board.prisoners(Color::Black)]);
            let dead: PointSet = board.size().points().filter(|_| rng.below(4) == 0).collect();
            let verdict = Verdict { dead, ..Verdict::default() };
            assert_eq!(area_lead(&swapped, &verdict), -area_lead(&board, &verdict));
            assert_eq!(territory_lead(&swapped, &verdict), -territory_lead(&board, &verdict));
            let ownership = Ownership::by_area(&board, &verdict);
            let counts = [Owner::Black, Owner::White, Owner::Neutral].map(|owner| ownership.count(owner));
            assert_eq!(counts.iter().sum::<usize>(), board.size().area());
            assert_eq!(ownership.black_lead(), counts[0] as i32 - counts[1] as i32);
        }
    }
}
