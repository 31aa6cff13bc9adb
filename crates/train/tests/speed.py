"""Training speed of `tesuji bench train` and of PyTorch, by turns in one run: the same network, batch and number of threads.

    python crates/train/tests/speed.py target/release/tesuji [threads]

Needs torch. Positions per second of CPU time (all threads together) and on the wall, the median of the rounds, and their ratio.
"""

import re
import statistics
import subprocess
import sys
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

PLANES, GLOBALS, HEAD, HIDDEN = 22, 19, 32, 64


def pool(x, with_maximum):
    mean, side = x.mean((2, 3)), (x.shape[2] * x.shape[3]) ** 0.5 - 14
    third = x.amax((2, 3)) if with_maximum else mean * (side * side / 100 - 0.1)
    return torch.cat([mean, mean * (side / 10), third], 1)


class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.pre, self.mid = nn.BatchNorm2d(channels), nn.BatchNorm2d(channels)
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.last = nn.Conv2d(channels, channels, 3, padding=1, bias=False)

    def forward(self, x):
        return x + self.last(F.relu(self.mid(self.first(F.relu(self.pre(x))))))


class Network(nn.Module):
    """`tesuji_net::model::residual` without pooling blocks."""

    def __init__(self, blocks, channels):
        super().__init__()
        self.stem = nn.Conv2d(PLANES, channels, 3, padding=1, bias=False)
        self.globals = nn.Linear(GLOBALS, channels, bias=False)
        self.blocks = nn.Sequential(*[Block(channels) for _ in range(blocks)])
        self.tip = nn.BatchNorm2d(channels)
        self.policy, self.pooled = nn.Conv2d(channels, HEAD, 1, bias=False), nn.Conv2d(channels, HEAD, 1, bias=False)
        self.pooled_norm, self.policy_norm = nn.BatchNorm2d(HEAD), nn.BatchNorm2d(HEAD)
        self.to_bias, self.passing = nn.Linear(3 * HEAD, HEAD, bias=False), nn.Linear(3 * HEAD, 2, bias=False)
        self.moves = nn.Conv2d(HEAD, 2, 1, bias=False)
        self.value, self.value_norm = nn.Conv2d(channels, HEAD, 1, bias=False), nn.BatchNorm2d(HEAD)
        self.hidden, self.outcome, self.score = nn.Linear(3 * HEAD, HIDDEN), nn.Linear(HIDDEN, 2), nn.Linear(HIDDEN, 3)
        self.ownership = nn.Conv2d(HEAD, 1, 1, bias=False)

    def forward(self, planes, globals_):
        x = self.stem(planes) + self.globals(globals_)[:, :, None, None]
        x = F.relu(self.tip(self.blocks(x)))
        g = pool(F.relu(self.pooled_norm(self.pooled(x))), True)
        h = F.relu(self.policy_norm(self.policy(x) + self.to_bias(g)[:, :, None, None]))
        moves = torch.cat([self.moves(h).flatten(2), self.passing(g)[:, :, None]], 2)
        v = F.relu(self.value_norm(self.value(x)))
        d = F.relu(self.hidden(pool(v, False)))
        return moves, self.outcome(d), self.score(d), self.ownership(v)


class Torch:
    def __init__(self, size, blocks, channels, batch):
        self.batch = batch
        self.network = Network(blocks, channels).to(memory_format=torch.channels_last)
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=0.01, momentum=0.9)
        planes = (torch.rand(batch, PLANES, size, size) < 0.2).float()
        self.planes = planes.contiguous(memory_format=torch.channels_last)
        self.globals = torch.rand(batch, GLOBALS)
        self.move, self.reply = (torch.randint(0, size * size + 1, (batch,)) for _ in range(2))
        self.winner = torch.randint(0, 2, (batch,))
        self.score = torch.zeros(batch, 3)
        self.owner = torch.rand(batch, 1, size, size)
        self.step()

    def step(self):
        self.optimizer.zero_grad()
        moves, outcome, score, ownership = self.network(self.planes, self.globals)
        loss = F.cross_entropy(moves[:, 0], self.move) + 0.15 * F.cross_entropy(moves[:, 1], self.reply)
        loss = loss + 1.5 * F.cross_entropy(outcome, self.winner) + 0.5 * F.huber_loss(score, self.score, delta=0.5)
        loss = loss + F.binary_cross_entropy_with_logits(ownership, self.owner)
        loss.backward()
        self.optimizer.step()

    def measure(self, steps):
        wall, cpu = time.perf_counter(), time.process_time()
        for _ in range(steps):
            self.step()
        positions = steps * self.batch
        return positions / (time.perf_counter() - wall), positions / (time.process_time() - cpu)


def ours(program, size, blocks, channels, batch, steps, threads):
    words = f"bench train --size {size} --blocks {blocks} --channels {channels} --batch {batch} --steps {steps} --threads {threads}"
    line = subprocess.run([program, *words.split()], capture_output=True, text=True, check=True).stdout
    return tuple(float(re.search(name + r" (\d+)", line).group(1)) for name in ("positions/s", "positions/cpu-s"))


def main():
    program, threads = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    torch.set_num_threads(threads)
    print(f"torch {torch.__version__}, {threads} threads, positions/s (positions per CPU second)")
    for size, blocks, channels, batch, steps in [(9, 6, 64, 256, 4), (19, 6, 96, 64, 2)]:
        other = Torch(size, blocks, channels, batch)
        rounds = [(ours(program, size, blocks, channels, batch, steps, threads), other.measure(steps)) for _ in range(5)]
        (wall, cpu), (torch_wall, torch_cpu) = (
            [statistics.median(one[side][kind] for one in rounds) for kind in (0, 1)] for side in (0, 1)
        )
        print(
            f"{blocks}x{channels} on {size}x{size}, batch {batch}: ours {wall:.0f} ({cpu:.0f}), "
            f"torch {torch_wall:.0f} ({torch_cpu:.0f}), ratio {wall / torch_wall:.2f} ({cpu / torch_cpu:.2f})",
            flush=True,
        )


main()
