//! Verdicts on finished games against the results on record.
//!
//! A record says neither which stones were dead nor how the points were counted. Area and territory of one position differ by the
//! stones that one player played more, so a record can be right by either. A stone that is misjudged changes both counts by two
//! points at least; a difference of one point is a last ko, dame or protective move that is not on record.
//! Margins are points, or pairs of points where stones were counted in the Chinese way.

use std::fmt;
use std::io;
use std::path::Path;

use tesuji_board::{Color, Game, MAX_SIDE, PointSet, Rules, Score, Size, Verdict, area_lead, territory_lead};
use tesuji_sgf::{GameLine, ReadError, RecordedResult, ReplayError, WinBy, read_lines, replay_leniently};

use crate::suite::rate;
use crate::table::{Style, TextTable};

/// A finished game and what its players agreed on.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedGame {
    /// The file it comes from, as tables call it.
    pub source: String,
    /// Its line there, from 1.
    pub line: usize,
    /// Black's points minus White's on record, komi included.
    pub recorded: f64,
    /// The game.
    pub record: GameLine,
}

/// The counts of a judged position: Black's points minus White's, komi included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counts {
    /// By area.
    pub area: f64,
    /// By territory and prisoners.
    pub territory: f64,
}

/// How a verdict compares with a record; the better first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Agreement {
    /// The area count is the record's.
    Area,
    /// The territory count is the record's: it was counted that way.
    Territory,
    /// The nearer count is one point off: the stones are judged as the players did.
    OnePointOff,
    /// The same winner by another score.
    OtherScore,
    /// Another winner.
    OtherWinner,
}

/// One judged game.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The game.
    pub game: CountedGame,
    /// What the verdict counts.
    pub counts: Counts,
}

/// Reads the games of a file whose results were counted, and can have been with the komi on record.
pub fn read_counted(path: &Path, source: &str) -> io::Result<Vec<CountedGame>> {
    let mut reader = read_lines(path)?;
    let mut record = GameLine::new(Size::square(MAX_SIDE.into()).map_err(io::Error::other)?);
    let mut games = Vec::new();
    loop {
        match reader.next_game(&mut record) {
            Ok(false) => return Ok(games),
            Ok(true) => games.extend(counted_lead(&record.result, record.komi).map(|recorded| CountedGame {
                source: source.to_owned(),
                line: reader.line_number(),
                recorded,
                record: record.clone(),
            })),
            // What is no game has no result.
            Err(ReadError::Line(_)) => (),
            Err(ReadError::Io(error)) => return Err(error),
        }
    }
}

impl CountedGame {
    /// The game at its end, under area rules with its komi.
    pub fn final_position(&self) -> Result<Game, ReplayError> {
        let rules = Rules { komi: self.record.komi as f32, ..Rules::default() };
        let mut game = self.record.start(rules)?;
        replay_leniently(&mut game, self.record.colored_moves())?;
        Ok(game)
    }
}

impl Counts {
    /// The counts of a position by a verdict on its stones.
    pub fn of(game: &Game, verdict: &Verdict) -> Counts {
        let komi = f64::from(game.white_points());
        // By area the eyes of stones in seki count.
        let area = area_lead(game.board(), &Verdict { seki: PointSet::EMPTY, ..*verdict });
        let territory = territory_lead(game.board(), verdict);
        Counts { area: f64::from(area) - komi, territory: f64::from(territory) - komi }
    }
}

impl Comparison {
    /// How the verdict compares with the record.
    pub fn agreement(&self) -> Agreement {
        let (recorded, counts) = (self.game.recorded, self.counts);
        let winner = |lead: f64| lead.partial_cmp(&0.0);
        if counts.area == recorded {
            Agreement::Area
        } else if counts.territory == recorded {
            Agreement::Territory
        } else if [counts.area, counts.territory].iter().any(|lead| (lead - recorded).abs() <= 1.0) {
            Agreement::OnePointOff
        } else if winner(counts.area) == winner(recorded) {
            Agreement::OtherScore
        } else {
            Agreement::OtherWinner
        }
    }

    fn has_same_winner(&self) -> bool {
        self.counts.area.partial_cmp(&0.0) == self.game.recorded.partial_cmp(&0.0)
    }
}

/// Shares of games by source: the same winner, the score within a point, and exactly by one of the counts.
pub fn table(comparisons: &[Comparison], style: Style) -> String {
    let mut table =
        TextTable::new(&["games", "same winner", "within a point", "exact by area or territory", "by area"]);
    let mut sources: Vec<&str> =
        comparisons.iter().map(|comparison| comparison.game.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut add = |name: &str, of_source: &[&Comparison]| {
        let share = |holds: &dyn Fn(&Comparison) -> bool| {
            rate(of_source.iter().filter(|comparison| holds(comparison)).count(), of_source.len())
        };
        table.add(vec![
            name.to_owned(),
            share(&Comparison::has_same_winner),
            share(&|comparison| comparison.agreement() <= Agreement::OnePointOff),
            share(&|comparison| comparison.agreement() <= Agreement::Territory),
            share(&|comparison| comparison.agreement() == Agreement::Area),
        ]);
    };
    for source in &sources {
        add(
            source,
            &comparisons.iter().filter(|comparison| comparison.game.source == *source).collect::<Vec<_>>(),
        );
    }
    if sources.len() > 1 {
        add("all", &comparisons.iter().collect::<Vec<_>>());
    }
    table.render(style)
}

/// Black's lead by a result that was counted; nothing if the margin is impossible with the komi.
fn counted_lead(result: &RecordedResult, komi: f64) -> Option<f64> {
    let (color, margin) = match *result {
        RecordedResult::Win(color, WinBy::Score(margin)) if margin > 0.0 => (color, margin),
        RecordedResult::Draw => (Color::Black, 0.0),
        _ => return None,
    };
    let lead = if color == Color::Black { margin } else { -margin };
    // Before komi, a lead is a whole number of points.
    [lead, 2.0 * lead].into_iter().find(|lead| (lead + komi).fract() == 0.0)
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Agreement::Area => "exact by area",
            Agreement::Territory => "exact by territory",
            Agreement::OnePointOff => "one point off",
            Agreement::OtherScore => "other score",
            Agreement::OtherWinner => "other winner",
        })
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = |lead: f64| Score { black_lead: lead as f32 };
        let CountedGame { source, line, recorded, .. } = &self.game;
        let (area, territory) = (score(self.counts.area), score(self.counts.territory));
        let recorded = score(*recorded);
        let kind = self.agreement();
        write!(
            f,
            "{source}, line {line}: {kind}: {recorded} on record, {area} by area, {territory} by territory"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(text: &str) -> GameLine {
        let mut record = GameLine::new(Size::square(9).unwrap());
        record.read(text, 1).unwrap();
        record
    }

    fn compared(recorded: f64, area: f64, territory: f64) -> Comparison {
        let record = record("9 6.5 0 ? ? ?");
        let game = CountedGame { source: "s".to_owned(), line: 1, recorded, record };
        Comparison { game, counts: Counts { area, territory } }
    }

    #[test]
    fn results_that_were_counted_have_a_lead() {
        let lead = |text: &str, komi| counted_lead(&RecordedResult::parse(text), komi);
        assert_eq!(lead("B+3.5", 6.5), Some(3.5));
        assert_eq!(lead("W+12.5", 7.5), Some(-12.5));
        assert_eq!(lead("W+3", 7.0), Some(-3.0));
        assert_eq!(lead("0", 7.0), Some(0.0));
        // Pairs of points.
        assert_eq!(lead("B+2.75", 7.5), Some(5.5));
        assert_eq!(lead("W+0.25", 7.5), Some(-0.5));
        for text in ["B+R", "B+T", "?", "B+0", "B+3", "0"] {
            assert_eq!(lead(text, 6.5), None, "{text}");
        }
    }

    #[test]
    fn agreement_is_named_by_its_best_reason() {
        for (counts, expected) in [
            ((3.5, 2.5), Agreement::Area),
            ((4.5, 3.5), Agreement::Territory),
            ((2.5, 2.5), Agreement::OnePointOff),
            ((5.5, 4.5), Agreement::OnePointOff),
            ((9.5, 9.5), Agreement::OtherScore),
            ((-3.5, -2.5), Agreement::OtherWinner),
        ] {
            assert_eq!(compared(3.5, counts.0, counts.1).agreement(), expected);
        }
        assert_eq!(compared(-0.5, 0.5, 0.5).agreement(), Agreement::OnePointOff);
    }

    #[test]
    fn a_played_game_is_counted_both_ways() {
        // Black's wall on the third column, White's on the fourth; the white stone behind Black's is dead.
        let record = record("5 0.5 0 B+4.5 ? ? cadacbdbccdccdddcedettaa");
        let game = CountedGame { source: String::new(), line: 1, recorded: 4.5, record };
        let position = game.final_position().unwrap();
        let dead: PointSet = position.size().point(0, 0).into_iter().collect();
        let judged = Counts::of(&position, &Verdict { dead, ..Verdict::default() });
        assert_eq!(judged, Counts { area: 4.5, territory: 5.5 });
        let alive = Counts::of(&position, &Verdict::default());
        assert_eq!(alive, Counts { area: -6.5, territory: -5.5 });
    }

    #[test]
    fn the_table_counts_by_source() {
        let mut comparisons =
            vec![compared(3.5, 3.5, 3.5), compared(3.5, 4.5, 3.5), compared(3.5, -3.5, -3.5)];
        comparisons[2].game.source = "t".to_owned();
        let table = table(&comparisons, Style::Plain);
        let row = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_default();
        assert!(row("s ").contains("2/2 100.0 %") && row("s ").contains("1/2 50.0 %"), "{table}");
        assert!(row("t ").contains("0/1 0.0 %") && row("all").contains("2/3 66.7 %"), "{table}");
    }
}
