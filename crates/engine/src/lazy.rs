//! A search that is made when it is first needed, so that an engine answers commands while its network loads.

use tesuji_board::{Color, Game};
use tesuji_search::{Control, Report, Searcher};

use crate::settings::Settings;

/// The search of some settings, not made yet or made.
pub(crate) struct LazySearcher {
    settings: Settings,
    searcher: Option<Box<dyn Searcher>>,
}

impl LazySearcher {
    pub(crate) fn new(settings: Settings) -> LazySearcher {
        LazySearcher { settings, searcher: None }
    }
}

impl Searcher for LazySearcher {
    fn search(&mut self, game: &Game, to_move: Color, control: &dyn Control) {
        let make = || self.settings.searcher().expect("settings are checked before they are used");
        self.searcher.get_or_insert_with(make).search(game, to_move, control);
    }

    fn begin_game(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.begin_game();
        }
    }

    fn report(&self) -> Report {
        self.searcher.as_ref().map_or_else(Report::default, |searcher| searcher.report())
    }

    fn clear(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }
}
