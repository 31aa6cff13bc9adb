//! Life and death by proof, for the position on the board.

use std::time::{Duration, Instant};

use tesuji_board::Move;
use tesuji_gtp::{Command, CommandTable, Reply, Session, StopOn};
use tesuji_solve::{Detail, Draft, Fate, Limits, MAX_CANDIDATES, Solver};

use super::{Controlled, argument};

/// Bytes of the table of proofs, which is there only while a command runs.
const MEMORY: usize = 64 << 20;

/// A proof that takes longer is not waited for.
const TIME: Duration = Duration::from_secs(10);

pub(super) fn add(table: &mut CommandTable<Controlled>) {
    table.add("tesuji-solve", solve);
}

/// `tesuji-solve [color] [vertex]`: what becomes of the group at a point, or of the group that the position is about, if
/// this colour moves first. The verdict, then the best moves, a line of play, and what had to be guessed.
fn solve(state: &mut Controlled, command: &Command, session: &mut Session<'_>) -> Reply {
    let game = state.engine.game();
    let size = game.size();
    let color = if command.args.is_empty() { game.to_move() } else { argument::color(command, 0)? };
    let target = command.args.get(1).map(|word| argument::parse_point(word, size)).transpose()?;
    let mut draft = Draft::new(game.board().clone(), color);
    draft.targets.extend(target);
    let candidates = draft.candidates(MAX_CANDIDATES).map_err(|error| error.to_string())?;
    let stop = session.stop_flag(StopOn::Interrupt);
    let started = Instant::now();
    let limits = Limits { nodes: u64::MAX, stop: &stop, has_time: &|| started.elapsed() < TIME };
    let mut solver = Solver::new(MEMORY);
    let Some((chosen, solution)) = solver.solve_meant(candidates, Detail::AllMoves, &limits) else {
        return Err("there is no problem here".to_owned());
    };
    let mut lines = vec![format!("{} to {}: {}", color, chosen.problem.goal(), solution.verdict())];
    lines.push(solution.in_words(&chosen.problem));
    let names = |moves: &[Move]| moves.iter().map(|mv| mv.to_gtp(size)).collect::<Vec<_>>().join(" ");
    if !solution.best_moves.is_empty() {
        lines.push(format!("best moves: {}", names(&solution.best_moves)));
    }
    if !solution.undecided.is_empty() {
        lines.push(format!("undecided moves: {}", names(&solution.undecided)));
    }
    if solution.fate != Fate::Unknown {
        lines.push(format!("line: {}", solution.line.to_gtp(size)));
    }
    lines.extend(chosen.remarks.iter().map(|remark| format!("note: {remark}")));
    Ok(lines.join("\n"))
}
