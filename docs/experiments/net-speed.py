"""Evaluations per second of CPU time: ONNX Runtime and `tesuji bench net` by turns.

    python net-speed.py TESUJI NET SIZE BATCH

TESUJI is the program, NET a network that it can export. One thread each. Needs numpy and onnxruntime.
"""

import re
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime

TURNS = 3
SECONDS = 0.6


def session(path):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])


def runtime_speed(session, size, batch):
    random = numpy.random.default_rng(1)
    feed = {}
    for value in session.get_inputs():
        shape = (batch, value.shape[1]) + ((size, size) if value.name == "planes" else ())
        feed[value.name] = (random.random(shape) < 0.2).astype(numpy.float32)
    for _ in range(3):
        session.run(None, feed)
    start, count = time.process_time(), 0
    while time.process_time() - start < SECONDS:
        session.run(None, feed)
        count += batch
    return count / (time.process_time() - start)


def main(program, net, size, batch):
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/net.onnx"
        subprocess.run([program, "net", "export", net, path], check=True, stdout=subprocess.DEVNULL)
        runtime = session(path)
        command = [program, "bench", "net", net, "--size", size, "--batch", batch, "--rounds", "2"]
        for _ in range(TURNS):
            found.setdefault("onnxruntime", []).append(runtime_speed(runtime, int(size), int(batch)))
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            for isa, speed in re.findall(r"^isa (\S+) .* evaluations/cpu-s (\d+)", text, re.MULTILINE):
                found.setdefault(isa, []).append(float(speed))
    base = sum(found["onnxruntime"])
    for name, speeds in found.items():
        mean = sum(speeds) / len(speeds)
        print(f"{name:12} {mean:8.1f} {sum(speeds) / base:5.2f}  {min(speeds):.0f}…{max(speeds):.0f}")


main(*sys.argv[1:])
