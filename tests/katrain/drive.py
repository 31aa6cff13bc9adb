"""KaTrain's own core against an analysis engine: a whole game, every strategy, every kind of analysis.

Usage: drive.py COMMAND...  (the engine as KaTrain's `custom` back-end starts it)
       drive.py ws://...    (the engine as its `remote` back-end reaches it)

Nothing of KaTrain is replaced; only its window is not there. Prints what was done, and fails on the first thing that is wrong.
"""

import os
import sys
import tempfile
import time
import traceback
from types import SimpleNamespace

# Kivy looks at these when it is imported: no arguments, no log, nothing in the home directory.
os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1", KIVY_HOME=tempfile.mkdtemp())

from katrain.core.ai import STRATEGY_REGISTRY, game_report, generate_ai_move  # noqa: E402
from katrain.core.base_katrain import KaTrainBase  # noqa: E402
from katrain.core.constants import AI_HUMAN, AI_PRO, OUTPUT_ERROR  # noqa: E402
from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game import Game  # noqa: E402

PATIENCE = 60  # seconds for any one thing


class Headless(KaTrainBase):
    """KaTrain without a window; what it calls an error is one here."""

    def __init__(self):
        self.errors = []
        super().__init__(force_package_config=True, debug_level=-1)
        self.controls = SimpleNamespace(set_status=lambda *arguments, **names: None)
        self.pondering = False

    def log(self, message, level=0):
        if level == OUTPUT_ERROR:
            self.errors.append(str(message))

    def __call__(self, message, *arguments):
        self.errors.append(f"{message} {arguments}")


def fail(what):
    """Kivy takes the error stream for itself."""
    print(f"FAILED: {what}")
    sys.exit(1)


def wait_until(condition, what):
    start = time.time()
    while not condition():
        if time.time() - start > PATIENCE:
            fail(f"waited {PATIENCE} s for {what}")
        time.sleep(0.005)


def check(condition, what):
    if not condition:
        fail(what)


def make_engine(katrain, words):
    config = {
        **katrain.config("engine"),
        "max_visits": 40,
        "fast_visits": 8,
        "max_time": 5.0,
        "allow_recovery": False,
    }
    if words[0].startswith(("ws://", "wss://")):
        from katrain.core.remote_engine import RemoteKataGoEngine

        return RemoteKataGoEngine(katrain, {**config, "backend": "remote", "remote_url": words[0]})
    return KataGoEngine(katrain, {**config, "backend": "custom", "altcommand": " ".join(words)})


def play_a_game(katrain, engine):
    """Every strategy in turn, until both pass or the board is as good as full."""
    game = Game(katrain, engine, game_properties={"SZ": 9, "KM": 6.5, "RU": "chinese"})
    strategies = [name for name in STRATEGY_REGISTRY if name not in (AI_HUMAN, AI_PRO)]
    check(len(strategies) >= 14, f"there are more strategies than {strategies}")
    used = {}
    moves = 0
    while not game.end_result and moves < 90:
        name = strategies[moves % len(strategies)]
        # One strategy is in no menu and has no settings of its own.
        settings = katrain.config(f"ai/{name}") or katrain.config("ai/ai:simple")
        move, node = generate_ai_move(game, name, settings)
        check(move is not None and node is not None, f"{name} found no move")
        used[name] = used.get(name, 0) + 1
        moves += 1
    check(set(used) == set(strategies), f"not every strategy had its turn: {used}")
    wait_until(lambda: engine.is_idle(), "the end of the analysis")
    for node in game.root.nodes_in_tree:
        check(node.analysis_complete, f"{node} was not analysed")
        check(abs(node.score) <= 90 and 0 <= node.winrate <= 1, f"{node}: {node.score}, {node.winrate}")
        check(len(node.ownership) == 81, f"{node} has no ownership")
        check(len(node.policy) == 82, f"{node} has no policy")
        check(all(-1.0 <= value <= 1.0 for value in node.ownership), "ownership is out of range")
        legal = [value for value in node.policy if value >= 0]
        check(abs(sum(legal) - 1.0) < 0.01, f"the policy adds up to {sum(legal)}")
        best = node.candidate_moves[0]
        check(best["order"] == 0 and best["visits"] > 0 and best["pv"], f"{best}")
        check(any(len(move.get("ownership", [])) == 81 for move in node.candidate_moves), "moves have no ownership")
    losses = [node.points_lost for node in game.root.nodes_in_tree if node.parent]
    check(all(loss is not None for loss in losses), "points lost are known")
    sums, histogram, ranks = game_report(game, katrain.config("trainer/eval_thresholds"))
    check(sums and histogram, "there is a report")
    print(f"a game of {moves} moves by {len(used)} strategies, result {game.end_result}")
    return game


def analyse_more(katrain, engine, game):
    """Everything in the menu of analyses, in the middle of the game."""
    game.undo(game.current_node.depth // 2)
    node = game.current_node
    for mode in ["extra", "equalize", "alternative", "sweep"]:
        before = len(node.analysis["moves"])
        game.analyze_extra(mode)
        wait_until(lambda: engine.is_idle(), mode)
        check(len(node.analysis["moves"]) >= before, f"{mode} lost moves")
        print(f"{mode}: {before} -> {len(node.analysis['moves'])} moves")
    visits = node.analysis["root"]["visits"]
    game.analyze_extra("ponder")
    wait_until(lambda: node.analysis["root"]["visits"] > 2 * visits + 500, "pondering")
    game.analyze_extra("stop")
    print(f"pondering: {visits} -> {node.analysis['root']['visits']} visits")
    region = [0, 3, 0, 3]
    game.set_region_of_interest(region)
    game.reset_current_analysis()
    node.analyze(engine, region_of_interest=game.region_of_interest)
    wait_until(lambda: engine.is_idle() and node.analysis_complete, "a region")
    game.analyze_extra("game", visits=10)
    wait_until(lambda: engine.is_idle(), "the whole game again")


def other_games(katrain, engine):
    """Rules, handicap and boards that are not square."""
    for properties in [
        {"SZ": "7:9", "KM": 3.5, "RU": "japanese"},
        {"SZ": 13, "KM": 0.5, "RU": "new zealand", "HA": 3, "AB": ["dd", "jj", "dj"]},
        {"SZ": 5, "KM": -2, "RU": '{"ko":"SIMPLE","scoring":"AREA","tax":"ALL","suicide":false}'},
        {"SZ": 9, "KM": 5.5, "RU": "stone_scoring"},
    ]:
        game = Game(katrain, engine, game_properties=properties)
        wait_until(lambda: game.root.analysis_complete, f"{properties}")
        wait_until(lambda: engine.is_idle(), f"{properties}")
        generate_ai_move(game, "ai:default", {})
        wait_until(lambda: game.current_node.analysis_complete, f"a move with {properties}")
    engine.on_new_game()
    print("other boards and rules")


def main():
    katrain = Headless()
    engine = make_engine(katrain, sys.argv[1:])
    game = play_a_game(katrain, engine)
    analyse_more(katrain, engine, game)
    other_games(katrain, engine)
    check(engine.check_alive(), "the engine is still there")
    engine.shutdown(finish=None)
    check(not katrain.errors, f"KaTrain saw errors: {katrain.errors}")
    print("all is well")


try:
    main()
except Exception:
    fail(traceback.format_exc())
