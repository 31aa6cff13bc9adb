//! A game as bytes.
//!
//! Numbers are as in `bytes.rs`. A record is: width, height, rules (packed), komi, ranks and server where the rules say that they follow, stones before the first move, who was first, moves, end,
//! ownership, labels. A move is twice its code, plus one for White; the code is the point's number in reading order, or the area of the board for a pass. Every
//! label begins with its length, so that a reader who wants one of them skips the others.

use super::bytes::{Bytes, Cut, put_float, put_half, put_number};
use super::game::{GameEnd, GameSample};
use super::label::{Label, MovePrior};
use std::fmt;
use tesuji_board::{Color, HandicapBonus, KoRule, MAX_KOMI, Move, Point, Rules, Scoring, Size, Suicide, Tax};
use tesuji_net::input::{People, Rank, Server};

/// Bytes are no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// They end too soon, or a number is out of its range.
    Cut,
    /// The board or the rules are none that are known.
    Unknown,
    /// More follows the game.
    Surplus,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordError::Cut => "the game is cut or has a number out of range",
            RecordError::Unknown => "the game has a board or rules that are not known",
            RecordError::Surplus => "the game has more bytes than it needs",
        })
    }
}

impl std::error::Error for RecordError {}

impl From<Cut> for RecordError {
    fn from(_: Cut) -> RecordError {
        RecordError::Cut
    }
}

/// Most moves of a game: turns of labels are 16 bits.
const MAX_MOVES: usize = u16::MAX as usize;

/// In the rules: ranks and server follow.
const PEOPLE: u16 = 1 << 11;

/// What a label has.
const POLICY: u8 = 1;
const OUTCOME: u8 = 2;
const SCORE: u8 = 4;
const DEVIATION: u8 = 8;
const LEAD: u8 = 16;
const OWNERSHIP: u8 = 32;

/// Appends a game; moves beyond what a record holds, which no game has, are left out.
pub(super) fn write(game: &GameSample, bytes: &mut Vec<u8>) {
    let size = game.size;
    bytes.extend([size.width() as u8, size.height() as u8]);
    put_half(bytes, pack_rules(&game.rules) | if game.people.is_some() { PEOPLE } else { 0 });
    put_float(bytes, game.rules.komi);
    if let Some(people) = game.people {
        let rank = |rank: Option<Rank>| rank.map_or(0, |rank| 1 + rank.steps() as u8);
        let server = Server::ALL.iter().position(|&server| server == people.server);
        bytes.extend([rank(people.black), rank(people.white), server.unwrap_or_default() as u8]);
    }
    put_number(bytes, game.setup.len() as u64);
    for &(color, point) in &game.setup {
        put_number(bytes, move_number(size, color, Move::Play(point)));
    }
    bytes.push(u8::from(game.first == Color::White));
    let moves = &game.moves[..game.moves.len().min(MAX_MOVES)];
    put_number(bytes, moves.len() as u64);
    for &(color, mv) in moves {
        put_number(bytes, move_number(size, color, mv));
    }
    match game.end {
        GameEnd::Unknown => bytes.push(0),
        GameEnd::Win(Color::Black) => bytes.push(1),
        GameEnd::Win(Color::White) => bytes.push(2),
        GameEnd::Void => bytes.push(3),
        GameEnd::Score(lead) => {
            bytes.push(4);
            put_float(bytes, lead);
        }
    }
    put_ownership(bytes, &game.black_ownership);
    put_number(bytes, game.labels.len() as u64);
    let mut own = Vec::new();
    for label in &game.labels {
        own.clear();
        write_label(label, &mut own);
        put_number(bytes, own.len() as u64);
        bytes.extend_from_slice(&own);
    }
}

fn write_label(label: &Label, bytes: &mut Vec<u8>) {
    let has = |flag: u8, there: bool| if there { flag } else { 0 };
    put_half(bytes, label.turn);
    bytes.push(
        has(POLICY, !label.policy.is_empty())
            | has(OUTCOME, label.outcome.is_some())
            | has(SCORE, label.score.is_some())
            | has(DEVIATION, label.deviation.is_some())
            | has(LEAD, label.lead.is_some())
            | has(OWNERSHIP, !label.ownership.is_empty()),
    );
    if !label.policy.is_empty() {
        put_number(bytes, label.policy.len() as u64);
        for prior in &label.policy {
            put_number(bytes, prior.code.into());
            put_half(bytes, prior.share);
        }
    }
    if let Some(outcome) = label.outcome {
        outcome.iter().for_each(|&share| put_half(bytes, (share.clamp(0.0, 1.0) * 65535.0).round() as u16));
    }
    for number in [label.score, label.deviation, label.lead].into_iter().flatten() {
        put_float(bytes, number);
    }
    if !label.ownership.is_empty() {
        bytes.extend(label.ownership.iter().map(|&owner| owner as u8));
    }
}

/// Reads a game that is all of `bytes`.
pub(super) fn read(bytes: &[u8]) -> Result<GameSample, RecordError> {
    let mut bytes = Bytes(bytes);
    let mut game = read_head(&mut bytes)?;
    for _ in 0..bytes.count(MAX_MOVES + 1)? {
        let length = bytes.count(bytes.0.len())?;
        game.labels.push(read_label(game.size, bytes.take(length)?)?);
    }
    if bytes.0.is_empty() { Ok(game) } else { Err(RecordError::Surplus) }
}

/// Reads a game with the labels of two positions only: after `turn` moves, and after the next.
pub(super) fn read_around(bytes: &[u8], turn: u16) -> Result<GameSample, RecordError> {
    let mut bytes = Bytes(bytes);
    let mut game = read_head(&mut bytes)?;
    for _ in 0..bytes.count(MAX_MOVES + 1)? {
        let length = bytes.count(bytes.0.len())?;
        let own = bytes.take(length)?;
        let found = Bytes(own).half()?;
        if found == turn || found == turn.wrapping_add(1) {
            game.labels.push(read_label(game.size, own)?);
        }
    }
    Ok(game)
}

/// Reads a game but for its labels; the next number is how many there are.
fn read_head(bytes: &mut Bytes<'_>) -> Result<GameSample, RecordError> {
    let (width, height) = (bytes.byte()?, bytes.byte()?);
    let size = Size::new(width.into(), height.into()).map_err(|_| RecordError::Unknown)?;
    let packed = bytes.half()?;
    let komi = bytes.float()?;
    if komi.abs() > MAX_KOMI {
        return Err(RecordError::Unknown);
    }
    let rules = unpack_rules(packed & !PEOPLE, komi).ok_or(RecordError::Unknown)?;
    let mut game = GameSample::new(size, rules);
    if packed & PEOPLE != 0 {
        game.people = Some(read_people(bytes)?);
    }
    let points: Vec<Point> = size.points().collect();
    for _ in 0..bytes.count(size.area())? {
        let (color, mv) = read_move(&points, bytes.number()?)?;
        game.setup.push((color, mv.point().ok_or(RecordError::Unknown)?));
    }
    game.first = color(bytes.byte()?)?;
    for _ in 0..bytes.count(MAX_MOVES)? {
        game.moves.push(read_move(&points, bytes.number()?)?);
    }
    game.end = match bytes.byte()? {
        0 => GameEnd::Unknown,
        1 => GameEnd::Win(Color::Black),
        2 => GameEnd::Win(Color::White),
        3 => GameEnd::Void,
        4 => GameEnd::Score(bytes.float()?),
        _ => return Err(RecordError::Unknown),
    };
    let owners = bytes.count(size.area())?;
    if owners != 0 && owners != size.area() {
        return Err(RecordError::Unknown);
    }
    game.black_ownership = bytes.take(owners)?.iter().map(|&owner| owner as i8).collect();
    Ok(game)
}

fn read_people(bytes: &mut Bytes<'_>) -> Result<People, RecordError> {
    let mut rank = || match bytes.byte()?.checked_sub(1) {
        None => Ok(None),
        Some(steps) => Rank::from_steps(steps.into()).map(Some).ok_or(RecordError::Unknown),
    };
    let (black, white) = (rank()?, rank()?);
    let server = *Server::ALL.get(usize::from(bytes.byte()?)).ok_or(RecordError::Unknown)?;
    Ok(People { black, white, server })
}

fn read_label(size: Size, bytes: &[u8]) -> Result<Label, RecordError> {
    let mut bytes = Bytes(bytes);
    let mut label = Label { turn: bytes.half()?, ..Label::default() };
    let flags = bytes.byte()?;
    if flags & POLICY != 0 {
        for _ in 0..bytes.count(size.area() + 1)? {
            let code = bytes.count(size.area())? as u16;
            label.policy.push(MovePrior { code, share: bytes.half()? });
        }
    }
    let share = |half: u16| f32::from(half) / 65535.0;
    if flags & OUTCOME != 0 {
        label.outcome = Some([share(bytes.half()?), share(bytes.half()?), share(bytes.half()?)]);
    }
    for (flag, number) in
        [(SCORE, &mut label.score), (DEVIATION, &mut label.deviation), (LEAD, &mut label.lead)]
    {
        if flags & flag != 0 {
            *number = Some(bytes.float()?);
        }
    }
    if flags & OWNERSHIP != 0 {
        label.ownership = bytes.take(size.area())?.iter().map(|&owner| owner as i8).collect();
    }
    if bytes.0.is_empty() { Ok(label) } else { Err(RecordError::Surplus) }
}

fn put_ownership(bytes: &mut Vec<u8>, ownership: &[i8]) {
    put_number(bytes, ownership.len() as u64);
    bytes.extend(ownership.iter().map(|&owner| owner as u8));
}

fn move_number(size: Size, color: Color, mv: Move) -> u64 {
    let code = mv.point().map_or(size.area(), |point| size.ordinal(point));
    2 * code as u64 + u64::from(color == Color::White)
}

fn read_move(points: &[Point], number: u64) -> Result<(Color, Move), RecordError> {
    let color = color((number & 1) as u8)?;
    match usize::try_from(number >> 1).map_err(|_| RecordError::Cut)? {
        code if code < points.len() => Ok((color, Move::Play(points[code]))),
        code if code == points.len() => Ok((color, Move::Pass)),
        _ => Err(RecordError::Cut),
    }
}

fn color(number: u8) -> Result<Color, RecordError> {
    match number {
        0 => Ok(Color::Black),
        1 => Ok(Color::White),
        _ => Err(RecordError::Unknown),
    }
}

/// Two bits each: ko, scoring, tax, handicap bonus; one bit each: suicide, button, friendly pass.
fn pack_rules(rules: &Rules) -> u16 {
    let ko = match rules.ko {
        KoRule::Simple => 0,
        KoRule::Positional => 1,
        KoRule::Situational => 2,
    };
    let scoring = match rules.scoring {
        Scoring::Area => 0,
        Scoring::Territory => 1,
    };
    let tax = match rules.tax {
        Tax::None => 0,
        Tax::Seki => 1,
        Tax::All => 2,
    };
    let bonus = match rules.handicap_bonus {
        HandicapBonus::Zero => 0,
        HandicapBonus::PerStone => 1,
        HandicapBonus::PerStoneButFirst => 2,
    };
    let suicide = u16::from(rules.suicide == Suicide::Allowed);
    ko | scoring << 2
        | tax << 4
        | bonus << 6
        | suicide << 8
        | u16::from(rules.has_button) << 9
        | u16::from(rules.friendly_pass) << 10
}

fn unpack_rules(packed: u16, komi: f32) -> Option<Rules> {
    let two = |shift: u16| usize::from(packed >> shift & 3);
    let one = |shift: u16| packed >> shift & 1 == 1;
    if packed >> 11 != 0 {
        return None;
    }
    Some(Rules {
        ko: *[KoRule::Simple, KoRule::Positional, KoRule::Situational].get(two(0))?,
        scoring: *[Scoring::Area, Scoring::Territory].get(two(2))?,
        tax: *[Tax::None, Tax::Seki, Tax::All].get(two(4))?,
        handicap_bonus: *[HandicapBonus::Zero, HandicapBonus::PerStone, HandicapBonus::PerStoneButFirst]
            .get(two(6))?,
        suicide: if one(8) { Suicide::Allowed } else { Suicide::Forbidden },
        has_button: one(9),
        friendly_pass: one(10),
        komi,
    })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use tesuji_search::Rng;

    /// A game of random points, legal or not, with labels of all kinds.
    pub(in crate::sample) fn random_game(rng: &mut Rng) -> GameSample {
        let size = Size::new(2 + rng.below(24), 2 + rng.below(24)).unwrap();
        let points: Vec<Point> = size.points().collect();
        let packed = loop {
            let packed = rng.below(1 << 11) as u16;
            if unpack_rules(packed, 0.0).is_some() {
                break packed;
            }
        };
        let komi = rng.below(40) as f32 / 2.0 - 10.0;
        let mut game = GameSample::new(size, unpack_rules(packed, komi).unwrap());
        let color = |rng: &mut Rng| if rng.below(2) == 0 { Color::Black } else { Color::White };
        let mv = |rng: &mut Rng| match rng.below(points.len() + 1) {
            code if code == points.len() => Move::Pass,
            code => Move::Play(points[code]),
        };
        game.setup = (0..rng.below(4)).map(|_| (color(rng), points[rng.below(points.len())])).collect();
        if rng.below(2) == 0 {
            let rank = |rng: &mut Rng| Rank::from_steps(rng.below(2 * Rank::COUNT));
            game.people =
                Some(People { black: rank(rng), white: rank(rng), server: Server::ALL[rng.below(3)] });
        }
        game.first = color(rng);
        game.moves = (0..rng.below(300)).map(|_| (color(rng), mv(rng))).collect();
        game.end = match rng.below(5) {
            0 => GameEnd::Unknown,
            1 => GameEnd::Win(color(rng)),
            2 => GameEnd::Void,
            _ => GameEnd::Score(rng.unit() * 20.0 - 10.0),
        };
        let owner = |rng: &mut Rng| rng.below(255) as i8;
        if rng.below(2) == 0 {
            game.black_ownership = (0..size.area()).map(|_| owner(rng)).collect();
        }
        for turn in 0..game.moves.len().min(20) as u16 {
            let mut label = Label { turn, ..Label::default() };
            if rng.below(2) == 0 {
                let probabilities: Vec<f32> = (0..=size.area()).map(|_| rng.unit().powi(9)).collect();
                label.set_policy(&probabilities, 7, 0.01);
            }
            label.outcome = (rng.below(2) == 0).then_some([1.0, 0.0, 0.0]);
            label.score = (rng.below(2) == 0).then(|| rng.unit() * 9.0);
            label.deviation = (rng.below(2) == 0).then(|| rng.unit());
            label.lead = (rng.below(2) == 0).then(|| rng.unit() * -9.0);
            if rng.below(2) == 0 {
                label.ownership = (0..size.area()).map(|_| owner(rng)).collect();
            }
            game.labels.push(label);
        }
        game
    }

    #[test]
    fn games_survive_being_written_and_read() {
        let mut rng = Rng::new(1);
        for _ in 0..300 {
            let game = random_game(&mut rng);
            let mut bytes = Vec::new();
            write(&game, &mut bytes);
            assert_eq!(read(&bytes).as_ref(), Ok(&game));
        }
    }

    #[test]
    fn broken_bytes_are_errors_and_nothing_else() {
        let mut rng = Rng::new(2);
        let (mut refused, mut accepted) = (0, 0);
        for _ in 0..300 {
            let mut bytes = Vec::new();
            write(&random_game(&mut rng), &mut bytes);
            let cut = rng.below(bytes.len());
            assert!(read(&bytes[..cut]).is_err());
            for _ in 0..20 {
                let mut changed = bytes.clone();
                let place = rng.below(changed.len());
                changed[place] ^= 1 << rng.below(8);
                match read(&changed) {
                    Ok(_) => accepted += 1,
                    Err(_) => refused += 1,
                }
            }
        }
        // A changed komi is still a komi: finding that out is what the checksum of a block is for.
        assert!(refused > 100 && accepted > 100, "{refused} {accepted}");
    }
}
