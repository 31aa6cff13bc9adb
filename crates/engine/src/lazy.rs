//! A search that is made when it is first needed, so that an engine answers commands while its network loads, and made anew for
//! boards of another size, which may have another network.

use tesuji_board::{Color, Game, Size};
use tesuji_search::{Control, Focus, Report, Searcher};

use crate::settings::Settings;

/// The search of some settings, not made yet or made.
pub(crate) struct LazySearcher {
    settings: Settings,
    focus: Focus,
    /// With the boards that it was made for.
    searcher: Option<(Size, Box<dyn Searcher>)>,
}

impl LazySearcher {
    pub(crate) fn new(settings: Settings) -> LazySearcher {
        LazySearcher { settings, focus: Focus::default(), searcher: None }
    }
}

impl Searcher for LazySearcher {
    fn search(&mut self, game: &Game, to_move: Color, control: &dyn Control) {
        let size = game.size();
        // The memory of the old one is free before the new one takes its own.
        drop(self.searcher.take_if(|(of, _)| *of != size && self.settings.search.asks_network()));
        let make = || {
            let mut searcher =
                self.settings.searcher(size).expect("settings are checked before they are used");
            searcher.set_focus(self.focus.clone());
            (size, searcher)
        };
        self.searcher.get_or_insert_with(make).1.search(game, to_move, control);
    }

    fn set_focus(&mut self, focus: Focus) {
        if let Some((_, searcher)) = &mut self.searcher {
            searcher.set_focus(focus.clone());
        }
        self.focus = focus;
    }

    fn begin_game(&mut self) {
        if let Some((_, searcher)) = &mut self.searcher {
            searcher.begin_game();
        }
    }

    fn report(&self) -> Report {
        self.searcher.as_ref().map_or_else(Report::default, |(_, searcher)| searcher.report())
    }

    fn clear(&mut self) {
        if let Some((_, searcher)) = &mut self.searcher {
            searcher.clear();
        }
    }
}
