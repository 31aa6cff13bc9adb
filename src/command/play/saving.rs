//! What a sitting does with files: saving when asked, after every move, and before leaving; going on with a saved game.
//!
//! A game is lost only if the person says no. If the question cannot be answered any more, the game is saved.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tesuji_board::{Color, Rules};
use tesuji_sgf::{Collection, GameRecord, Ident, write};

use super::date::today;
use super::file::{self, SavedGame};
use super::keyboard::Input;
use super::sitting::Sitting;
use super::{ENGINE_NAME, PERSON_NAME};

impl Sitting {
    /// Writes the game to a file; one that was there before and is not of this game is left alone.
    pub(super) fn save(&mut self, path: &Path, out: &mut impl Write) -> io::Result<()> {
        let path = file::with_extension(path);
        if path.exists() && !self.own_files.contains(&path) {
            return writeln!(out, "{} exists already; choose another name.", path.display());
        }
        match self.write_to(&path) {
            Ok(()) => writeln!(out, "Saved as {}.", path.display()),
            Err(error) => writeln!(out, "Cannot write {}: {error}.", path.display()),
        }
    }

    /// Brings the automatic file up to date, if there is one.
    pub(super) fn keep(&mut self, out: &mut impl Write) -> io::Result<()> {
        let Some(path) = self.autosave.as_ref().map(|autosave| autosave.path.clone()) else { return Ok(()) };
        match self.write_to(&path) {
            Ok(()) => Ok(()),
            Err(error) => writeln!(out, "Cannot write {}: {error}.", path.display()),
        }
    }

    /// Asks before moves that are in no file get lost. Only a no discards them.
    pub(super) fn offer_to_save(&mut self, out: &mut impl Write) -> io::Result<()> {
        while self.unsaved {
            let name = self.offered_name();
            let question = format!("Save the game? (y for {}, a file name, or n) ", name.display());
            let Input::Line(answer) = self.keyboard.ask(&question, out)? else {
                writeln!(out)?;
                return match self.rescue() {
                    Some(Ok(path)) => writeln!(out, "Saved as {}.", path.display()),
                    Some(Err(error)) => writeln!(out, "Cannot write {}: {error}.", name.display()),
                    None => Ok(()),
                };
            };
            match answer.trim().to_ascii_lowercase().as_str() {
                "" => {}
                "y" | "yes" => self.save(&name, out)?,
                "n" | "no" => {
                    self.unsaved = false;
                    writeln!(out, "Not saved.")?;
                }
                _ => self.save(Path::new(answer.trim()), out)?,
            }
        }
        Ok(())
    }

    /// Saves without a question, when there is no one to ask; returns where, if there was anything to save.
    pub(super) fn rescue(&mut self) -> Option<io::Result<PathBuf>> {
        let name = self.offered_name();
        self.unsaved.then(|| self.write_to(&name).map(|()| name))
    }

    /// Resumes the game in a file; if that fails, nothing changes.
    pub(super) fn load(&mut self, path: &Path, out: &mut impl Write) -> io::Result<()> {
        // As with saving, the extension may be left out.
        let path = if path.exists() { path.to_owned() } else { file::with_extension(path) };
        let saved = match SavedGame::load(&path, Rules::default()) {
            Ok(saved) => saved,
            Err(error) => return writeln!(out, "{error:#}."),
        };
        self.offer_to_save(out)?;
        self.own_files.clear();
        if saved.is_ours {
            self.own_files.push(path.clone());
        }
        self.resume(saved);
        self.next_autosave();
        writeln!(out, "Resuming {} after {} moves.", path.display(), self.engine.game().move_number())?;
        self.begin(out)
    }

    /// The next game must not overwrite the file of the last one.
    pub(super) fn next_autosave(&mut self) {
        if let Some(autosave) = &mut self.autosave {
            autosave.path = file::free_name(&autosave.name);
            self.own_files.push(autosave.path.clone());
        }
    }

    fn offered_name(&self) -> PathBuf {
        self.own_files.last().cloned().unwrap_or_else(file::dated_name)
    }

    /// Writes the game to this file, whatever is there.
    pub(super) fn write_to(&mut self, path: &Path) -> io::Result<()> {
        file::write(path, &self.record().to_sgf())?;
        self.unsaved = false;
        if !self.own_files.iter().any(|own| own == path) {
            self.own_files.push(path.to_owned());
        }
        Ok(())
    }

    /// The record as the page in the browser reads it: with whom it is to let the engine play.
    pub(super) fn record_for_browser(&self) -> String {
        let mut tree = self.record().to_tree();
        let root = tree.root();
        if let Some(terms) = Ident::new("XTS") {
            tree.node_mut(root).push(terms, format!("engine={}", (!self.agreement.person).letter()));
        }
        write(&Collection { games: vec![tree] })
    }

    fn record(&self) -> GameRecord {
        let mut record = GameRecord::of_game(self.engine.game());
        record.date = today();
        (record.black_name, record.white_name) = match self.agreement.person {
            Color::Black => (PERSON_NAME.to_owned(), ENGINE_NAME.to_owned()),
            Color::White => (ENGINE_NAME.to_owned(), PERSON_NAME.to_owned()),
        };
        if let Some(result) = self.result {
            record.result = tesuji_sgf::RecordedResult::parse(&result.to_string());
        }
        record
    }
}
