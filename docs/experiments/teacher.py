"""How often an engine plays a strong engine's move, and how its win rates go with that engine's.

    python teacher.py FILE POSITIONS [--raw] COMMAND...

FILE has positions on 9x9, one JSON object a line (moves, to_move, komi, best, winrate), plain or zstd. COMMAND is a GTP engine. With --raw a network is asked for
its policy and value (kata-raw-nn, one symmetry), otherwise the engine for a move (reg_genmove). Positions are taken at even distances; those with set-up stones
or a move out of turn are left out.
"""

import json
import math
import subprocess
import sys

LETTERS = "ABCDEFGHJ"


def vertex(text):
    if text in ("", "tt", "pass"):
        return "PASS"
    return LETTERS[ord(text[0]) - 97] + str(9 - (ord(text[1]) - 97))


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def ask(self, command):
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        lines = []
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit(f"the engine ended at {command!r}")
            if line.strip():
                lines.append(line.rstrip())
            elif lines:
                break
        if not lines[0].startswith("="):
            sys.exit(f"{command}: {lines[0]}")
        lines[0] = lines[0][1:].strip()
        return lines


def raw(engine):
    """The likeliest move, and the probability that White wins."""
    lines = engine.ask("kata-raw-nn 0")
    named = {line.split()[0]: line.split()[1:] for line in lines}
    start = lines.index("policy") + 1
    best, most = "pass", float(named["policyPass"][0])
    for y in range(9):
        for x, word in enumerate(lines[start + y].split()):
            if word != "NAN" and float(word) > most:
                best, most = LETTERS[x] + str(9 - y), float(word)
    return best, float(named["whiteWin"][0])


def wilson(won, of):
    z, share = 1.96, won / of
    middle, half = share + z * z / (2 * of), z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return [100 * (middle + sign * half) / (1 + z * z / of) for sign in (-1, 1)]


def main():
    path, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    is_raw = command[0] == "--raw"
    engine = Engine(command[is_raw:])
    text = subprocess.run(["zstdcat", "-f", path], capture_output=True, check=True, text=True).stdout
    positions = [json.loads(line) for line in text.splitlines()]
    positions = [p for p in positions if not p.get("setup_black") and not p.get("setup_white") and "BW"[len(p["moves"]) // 2 % 2] == p["to_move"]]
    positions = [positions[i * len(positions) // count] for i in range(min(count, len(positions)))]
    engine.ask("boardsize 9")
    agreed, pairs = 0, []
    for p in positions:
        engine.ask("clear_board")
        engine.ask(f"komi {p['komi']}")
        for at in range(0, len(p["moves"]), 2):
            engine.ask(f"play {'BW'[at // 2 % 2]} {vertex(p['moves'][at:at + 2])}")
        if is_raw:
            move, white = raw(engine)
            pairs.append((white, p["winrate"] if p["to_move"] == "W" else 1 - p["winrate"]))
        else:
            move = engine.ask(f"reg_genmove {p['to_move']}")[0]
        agreed += move.upper() == vertex(p["best"])
    low, high = wilson(agreed, len(positions))
    print(f"{agreed} of {len(positions)} moves, {100 * agreed / len(positions):.1f} % ({low:.1f}-{high:.1f})", end="")
    if pairs:
        means = [sum(column) / len(pairs) for column in zip(*pairs)]
        parts = [(a - means[0], b - means[1]) for a, b in pairs]
        correlation = sum(a * b for a, b in parts) / math.sqrt(sum(a * a for a, _ in parts) * sum(b * b for _, b in parts))
        print(f", correlation of win rates {correlation:.3f}, mean difference {sum(abs(a - b) for a, b in pairs) / len(pairs):.3f}", end="")
    print()


main()
