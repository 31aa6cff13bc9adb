//! One sitting at the board: the game, whose turn it is, and what the person asks for.
//!
//! Nothing typed can end the game but `quit`, Ctrl-C and the end of input, and nothing wrong typed changes anything. What
//! concerns files is in `saving.rs`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;
use tesuji_board::{Color, Game, GameResult, HandicapError, Margin, Move, Owner, Point, Rules, Score, Size};
use tesuji_engine::decision::Decision;
use tesuji_engine::{Engine, MoveRequest, TimeSystem};

use super::file::SavedGame;
use super::keyboard::{Input, Keyboard};
use super::picture::{Division, Look, Picture};
use super::request::{HELP, Request};
use super::{ENGINE_NAME, PERSON_NAME, timing};

/// Ownership, from -1 to 1, beyond which a point is shown as Black's or White's.
const LIKELY: f32 = 0.4;

/// What was agreed before the game.
pub(super) struct Agreement {
    pub(super) size: Size,
    pub(super) rules: Rules,
    pub(super) handicap: usize,
    pub(super) person: Color,
    pub(super) clock: TimeSystem,
}

impl Agreement {
    /// The game before its first move.
    pub(super) fn new_game(&self) -> Result<Game, HandicapError> {
        let mut game = Game::new(self.size, self.rules);
        // One stone is the first move of an even game.
        if self.handicap >= 2 {
            game.place_fixed_handicap(self.handicap).or_else(|_| game.place_free_handicap(self.handicap))?;
        }
        Ok(game)
    }
}

/// Shows the record of a game in the browser, and says where or why not.
pub(super) type Browser = Box<dyn FnMut(&str) -> Result<String, String>>;

/// The file that is written after every move.
pub(super) struct Autosave {
    /// The name asked for.
    pub(super) name: PathBuf,
    /// That of the game under way: a second game gets a number.
    pub(super) path: PathBuf,
}

/// A person, an engine and a game between them.
pub(super) struct Sitting {
    pub(super) engine: Engine,
    pub(super) agreement: Agreement,
    look: Look,
    pub(super) keyboard: Keyboard,
    /// Whether a person sits at the keyboard, not a script.
    pub(super) has_person: bool,
    pub(super) autosave: Option<Autosave>,
    /// How the game ended, if it has.
    pub(super) result: Option<GameResult>,
    /// Files of this game, which may be written again.
    pub(super) own_files: Vec<PathBuf>,
    /// Whether there are moves in no file.
    pub(super) unsaved: bool,
    /// Since when the person has been to move.
    turn_began: Option<Instant>,
    /// Where the game is shown if the person asks for it.
    pub(super) browser: Browser,
}

impl Sitting {
    /// A game at its beginning.
    pub(super) fn new(mut engine: Engine, agreement: Agreement, look: Look, keyboard: Keyboard) -> Sitting {
        engine.set_time_system(agreement.clock);
        Sitting {
            engine,
            agreement,
            look,
            keyboard,
            has_person: false,
            autosave: None,
            result: None,
            own_files: Vec::new(),
            unsaved: false,
            turn_began: None,
            browser: Box::new(|_| Err("there is no browser here".to_owned())),
        }
    }

    /// Plays until the person leaves or the input ends.
    pub(super) fn run(mut self, out: &mut impl Write) -> io::Result<()> {
        let ended = self.greet(out).and_then(|()| self.begin(out)).and_then(|()| self.converse(out));
        if ended.is_err() && self.has_person {
            // The terminal was closed: there is no one to ask.
            return self.rescue().map_or(Ok(()), |saved| saved.map(|_| ()));
        }
        ended
    }

    fn converse(&mut self, out: &mut impl Write) -> io::Result<()> {
        loop {
            if self.result.is_none() && self.engine.game().to_move() != self.agreement.person {
                self.engine_moves(out)?;
            }
            if self.result.is_none() {
                self.turn_began.get_or_insert_with(Instant::now);
            }
            let prompt = self.prompt();
            let line = match self.keyboard.ask(&prompt, out)? {
                Input::Line(line) => line,
                Input::End | Input::Interrupt if !self.has_person => return writeln!(out),
                Input::End | Input::Interrupt => {
                    writeln!(out)?;
                    return self.offer_to_save(out);
                }
            };
            match Request::parse(&line, self.engine.game().size()) {
                Ok(None) => {}
                Ok(Some(Request::Quit)) => return self.offer_to_save(out),
                Ok(Some(Request::New)) => {
                    self.offer_to_save(out)?;
                    self.start_again(out)?;
                }
                Ok(Some(request)) => self.answer(request, out)?,
                Err(problem) => writeln!(out, "{problem}")?,
            }
        }
    }

    fn answer(&mut self, request: Request, out: &mut impl Write) -> io::Result<()> {
        match request {
            Request::Move(mv) => self.person_moves(mv, out),
            Request::Undo => self.undo(out),
            Request::Hint => self.hint(out),
            Request::Score => self.estimate(out),
            Request::Save(path) => self.save(&path, out),
            Request::Load(path) => self.load(&path, out),
            Request::Resign => match self.result {
                Some(_) => writeln!(out, "The game is over already."),
                None => self.finish(GameResult::Win(!self.agreement.person, Margin::Resignation), out),
            },
            Request::Board => self.show(out),
            Request::Browser => self.show_in_browser(out),
            Request::Help => write!(out, "{HELP}"),
            Request::New | Request::Quit => Ok(()),
        }
    }

    fn person_moves(&mut self, mv: Move, out: &mut impl Write) -> io::Result<()> {
        if self.result.is_some() {
            return writeln!(out, "The game is over: undo, new, save or quit.");
        }
        let person = self.agreement.person;
        if let Err(illegal) = self.engine.play(person, mv) {
            return writeln!(out, "Not there: {illegal}.");
        }
        let spent = self.turn_began.take().map(|began| began.elapsed()).unwrap_or_default();
        if !self.engine.clocks_mut().of_mut(person).spend(spent) {
            // A move that comes too late is none.
            self.engine.undo(1).ok();
            writeln!(out, "Your time is over.")?;
            return self.finish(GameResult::Win(!person, Margin::Time), out);
        }
        self.after_move(out)
    }

    fn engine_moves(&mut self, out: &mut impl Write) -> io::Result<()> {
        let color = !self.agreement.person;
        if self.look == Look::Color {
            write!(out, "{ENGINE_NAME} is thinking …\r")?;
            out.flush()?;
        }
        let request = MoveRequest::new(color, self.keyboard.stop_flag());
        let choice = self.engine.generate(&request, &mut |_| ());
        if self.look == Look::Color {
            // Clears the line that says so.
            write!(out, "\x1b[2K")?;
        }
        match choice.decision {
            Decision::Resign => self.finish(GameResult::Win(self.agreement.person, Margin::Resignation), out),
            Decision::Move(mv) => {
                self.after_move(out)?;
                if mv == Move::Pass && self.result.is_none() {
                    writeln!(out, "{ENGINE_NAME} passes.")?;
                }
                Ok(())
            }
        }
    }

    fn after_move(&mut self, out: &mut impl Write) -> io::Result<()> {
        self.unsaved = true;
        if self.engine.game().is_over() {
            let score = self.judge(out)?;
            self.finish(score.into(), out)?;
            return writeln!(out, "If dead stones are judged wrongly: undo, capture them, and pass again.");
        }
        self.keep(out)?;
        if self.engine.game().to_move() == self.agreement.person { self.show(out) } else { Ok(()) }
    }

    fn finish(&mut self, result: GameResult, out: &mut impl Write) -> io::Result<()> {
        self.result = Some(result);
        self.unsaved = true;
        writeln!(out, "The game is over: {result}.")?;
        self.keep(out)
    }

    /// Takes back as many moves as it takes until it is the person's turn with a move fewer.
    fn undo(&mut self, out: &mut impl Write) -> io::Result<()> {
        let person = self.agreement.person;
        let moves = self.engine.game().moves();
        // A resignation is no move, and neither is a late one: taking it back is enough if it was the person's.
        let own_loss = matches!(
            self.result,
            Some(GameResult::Win(winner, Margin::Resignation | Margin::Time)) if winner != person
        );
        let count = match moves.iter().rposition(|&(color, _)| color == person) {
            _ if own_loss => 0,
            Some(i) => moves.len() - i,
            None => return writeln!(out, "There is no move of yours to take back."),
        };
        if self.engine.undo(count).is_err() {
            return writeln!(out, "There is nothing to take back.");
        }
        self.result = None;
        self.turn_began = None;
        self.unsaved = self.engine.game().move_number() > 0;
        self.keep(out)?;
        self.show(out)
    }

    fn show_in_browser(&mut self, out: &mut impl Write) -> io::Result<()> {
        let record = self.record_for_browser();
        match (self.browser)(&record) {
            Ok(address) => {
                writeln!(
                    out,
                    "This game is at {address} as long as this program runs; here it goes on as well."
                )
            }
            Err(error) => writeln!(out, "There is no board in the browser: {error}."),
        }
    }

    fn hint(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.result.is_some() {
            return writeln!(out, "The game is over.");
        }
        let request = MoveRequest::new(self.agreement.person, self.keyboard.stop_flag());
        let choice = self.engine.choose(&request, &mut |_| ());
        let size = self.engine.game().size();
        let Decision::Move(mv) = choice.decision else {
            return writeln!(out, "{ENGINE_NAME} would resign.");
        };
        self.draw(mv.point(), None, out)?;
        write!(out, "{ENGINE_NAME} would play {}", mv.to_gtp(size))?;
        match choice.report.moves.iter().find(|report| report.mv == mv) {
            Some(report) => writeln!(out, " and give it {:.0} % to win.", report.win_rate * 100.0),
            None => writeln!(out, "."),
        }
    }

    /// Shows what the search expects of the rest of the game.
    fn estimate(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.engine.game().is_over() {
            return self.judge(out).map(|_| ());
        }
        let color = self.engine.game().to_move();
        let report = self.engine.report(color);
        let dead = self.engine.judge().verdict.dead;
        let owners = report.black_ownership.iter().map(|&value| match value {
            value if value > LIKELY => Owner::Black,
            value if value < -LIKELY => Owner::White,
            _ => Owner::Neutral,
        });
        self.draw(None, Some(&Division { owners: owners.collect(), dead }), out)?;
        let black_lead = if color == Color::Black { report.score_lead } else { -report.score_lead };
        let (leader, points) =
            if black_lead < 0.0 { (Color::White, -black_lead) } else { (Color::Black, black_lead) };
        let chance = if color == leader { report.win_rate } else { 1.0 - report.win_rate };
        writeln!(
            out,
            "Estimate: {} ahead by {points:.1}, komi included; {:.0} % to win.",
            name(leader),
            chance * 100.0
        )
    }

    /// Shows the position as it would be counted, and returns the count.
    fn judge(&mut self, out: &mut impl Write) -> io::Result<Score> {
        let judgement = self.engine.judge();
        let owners = self.engine.game().size().points().map(|point| judgement.owner(point)).collect();
        self.draw(None, Some(&Division { owners, dead: judgement.verdict.dead }), out)?;
        Ok(judgement.score)
    }

    fn start_again(&mut self, out: &mut impl Write) -> io::Result<()> {
        match self.agreement.new_game() {
            Ok(game) => self.engine.set_game(game),
            Err(error) => return writeln!(out, "Cannot start a game: {error}."),
        }
        self.result = None;
        self.start_clocks();
        self.own_files.clear();
        self.next_autosave();
        self.begin(out)
    }

    /// Resumes a game from a file.
    pub(super) fn resume(&mut self, saved: SavedGame) {
        self.agreement = Agreement {
            size: saved.game.size(),
            rules: *saved.game.rules(),
            handicap: saved.game.handicap(),
            person: saved.person,
            clock: self.agreement.clock,
        };
        self.engine.set_game(saved.game);
        self.result = saved.result;
        self.start_clocks();
    }

    fn start_clocks(&mut self) {
        self.engine.set_time_system(self.agreement.clock);
        self.turn_began = None;
    }

    /// Shows a game that begins or is resumed, and counts it if it is over.
    pub(super) fn begin(&mut self, out: &mut impl Write) -> io::Result<()> {
        if self.engine.game().is_over() && self.result.is_none() {
            let score = self.judge(out)?;
            self.finish(score.into(), out)?;
        } else {
            self.show(out)?;
        }
        self.unsaved = false;
        self.keep(out)
    }

    fn greet(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{ENGINE_NAME} {}: you are {} on {}; type a point such as {}, or help. \
             (tesuji play --size 19, --help for more)",
            env!("CARGO_PKG_VERSION"),
            name(self.agreement.person),
            self.agreement.size,
            example_point(self.agreement.size),
        )?;
        if self.has_person {
            writeln!(out, "For a board in the browser, type web (or start tesuji web --open).")?;
        }
        Ok(())
    }

    fn prompt(&self) -> String {
        match self.result {
            Some(result) => format!("{result} > "),
            None => {
                let clock = timing::shown(self.engine.clocks().of(self.agreement.person));
                let clock = clock.map_or_else(String::new, |left| format!(" [{left}]"));
                let number = self.engine.game().move_number() + 1;
                format!("{} {number}{clock} > ", name(self.agreement.person))
            }
        }
    }

    fn show(&self, out: &mut impl Write) -> io::Result<()> {
        self.draw(None, None, out)
    }

    fn draw(&self, hint: Option<Point>, division: Option<&Division>, out: &mut impl Write) -> io::Result<()> {
        let game = self.engine.game();
        let picture = Picture {
            board: game.board(),
            last_move: game.last_move().and_then(|(_, mv)| mv.point()),
            hint,
            division,
        };
        write!(out, "\n{}\n", picture.draw(self.look, &self.facts()))
    }

    /// What stands beside the board.
    fn facts(&self) -> Vec<String> {
        let game = self.engine.game();
        let player = |color: Color| {
            let who = if color == self.agreement.person { PERSON_NAME } else { ENGINE_NAME };
            let symbol = match (self.look, color) {
                (Look::Ascii, Color::Black) => 'X',
                (Look::Ascii, Color::White) => 'O',
                (_, Color::Black) => '●',
                (_, Color::White) => '○',
            };
            // On a dark terminal a filled circle is bright, so the name of the colour has to be there too.
            let clock = timing::shown(self.engine.clocks().of(color)).unwrap_or_default();
            let line = format!(
                "{symbol} {:<5}  {who:<6}  captured {:<3} {clock}",
                name(color),
                game.prisoners(color)
            );
            line.trim_end().to_owned()
        };
        let last = match game.last_move() {
            Some((color, mv)) => {
                format!("move {}: {} {}", game.move_number(), name(color), mv.to_gtp(game.size()))
            }
            None => "no moves yet".to_owned(),
        };
        let rules = game.rules().name().unwrap_or("own");
        vec![
            player(Color::Black),
            player(Color::White),
            String::new(),
            last,
            format!("{rules} rules, komi {}", game.rules().komi),
        ]
    }
}

fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

/// A point near a corner, to show how points are typed.
fn example_point(size: Size) -> String {
    let line = |side: usize| (side / 4).max(1);
    let (x, y) = (line(size.width()), size.height() - 1 - line(size.height()));
    size.point(x, y).map_or_else(String::new, |point| point.to_gtp(size))
}
