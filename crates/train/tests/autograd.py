"""The gradients of a network by PyTorch's autograd, for the test `pytorch.rs`.

Reads from the directory that it is given: `model.json` (the description of the network), `layout.json` (names and shapes of the
parameters), `targets.json` (weights of losses, board and counts), and lists of little-endian floats. Writes `gradients.bin` and prints the loss.
"""

import json
import math
import pathlib
import sys

import numpy
import torch
import torch.nn.functional as F

directory = pathlib.Path(sys.argv[1])
torch.set_num_threads(1)


def floats(name):
    return torch.from_numpy(numpy.fromfile(directory / name, dtype="<f4").copy())


model = json.loads((directory / "model.json").read_text())
layout = json.loads((directory / "layout.json").read_text())
given = json.loads((directory / "targets.json").read_text())
count, width, height = given["count"], given["width"], given["height"]
area = width * height
flat = floats("parameters.bin")
parameters, at = {}, 0
for name, shape in layout:
    size = math.prod(shape)
    parameters[name] = flat[at : at + size].reshape(shape).clone().requires_grad_()
    at += size


def conv(path, x):
    weights = parameters[path + ".weights"]  # [row][column][input][output]
    padding = (weights.shape[0] // 2, weights.shape[1] // 2)
    return F.conv2d(x, weights.permute(3, 2, 0, 1), padding=padding)


def dense(path, x):
    return x @ parameters[path + ".weights"]


def activate(name, x):
    return {"identity": lambda x: x, "relu": F.relu, "mish": F.mish, "silu": F.silu}[name](x)


def norm(path, activation, x):
    scale, bias = parameters[path + ".scale"], parameters[path + ".bias"]
    if given["batch_norm"]:
        x = F.batch_norm(x, None, None, scale, bias, training=True, eps=1e-5)
    else:
        x = x * scale[:, None, None] + bias[:, None, None]
    return activate(activation, x)


def norm_act(path, part, x):
    return norm(path + ".norm", part["activation"], x)


def pool(x, with_maximum):
    mean, side = x.mean((2, 3)), math.sqrt(area) - 14
    third = x.amax((2, 3)) if with_maximum else mean * (side * side / 100 - 0.1)
    return torch.cat([mean, mean * (side / 10), third], 1)


def block(path, kind, part, x):
    if kind == "plain":
        return norm_act(path + ".post", part["post"], conv(path + ".conv", x))
    h = norm_act(path + ".pre", part["pre"], x)
    if kind == "residual":
        h = norm_act(path + ".mid", part["mid"], conv(path + ".first", h))
        return x + conv(path + ".last", h)
    if kind == "pooling":
        g = norm_act(path + ".pooled_act", part["pooled_act"], conv(path + ".pooled", h))
        bias = dense(path + ".to_bias", pool(g, True))
        h = norm_act(path + ".mid", part["mid"], conv(path + ".regular", h) + bias[:, :, None, None])
        return x + conv(path + ".last", h)
    if kind == "bottleneck":
        h = conv(path + ".down", h)
        for number, inner in enumerate(part["blocks"]):
            ((inner_kind, inner_part),) = inner.items()
            h = block(f"{path}.blocks.{number}", inner_kind, inner_part, h)
        return x + conv(path + ".up", norm_act(path + ".post", part["post"], h))
    raise ValueError(kind)


def known(name, shape):
    return floats(name + ".bin").reshape(shape), floats(name + ".weights.bin")


def cross_entropy(logits, target):
    return -(target * F.log_softmax(logits, 1)).sum(1)


def huber(error):
    return torch.where(error.abs() <= 0.5, 0.5 * error * error, 0.5 * (error.abs() - 0.25))


def policy_loss(head, x):
    ((kind, part),) = head.items()
    if kind == "point":
        logits = conv("policy.conv", x).flatten(1) + parameters["policy.bias.values"]
        target, weight = known("policy", (count, area + 1))
        weight = weight * (target[:, area] == 0)
        return given["losses"]["policy"] * (weight * cross_entropy(logits, target[:, :area])).sum()
    g = pool(norm_act("policy.pooled_act", part["pooled_act"], conv("policy.pooled", x)), True)
    h = conv("policy.conv", x) + dense("policy.to_bias", g)[:, :, None, None]
    points = conv("policy.out", norm_act("policy.act", part["act"], h)).flatten(2)
    passes = dense("policy.pass", g)
    loss = 0
    for output, name in enumerate(part["outputs"]):
        logits = torch.cat([points[:, output], passes[:, output : output + 1]], 1)
        name = {"move": "policy", "reply": "reply"}[name]
        target, weight = known(name, (count, area + 1))
        loss = loss + given["losses"][name] * (weight * cross_entropy(logits, target)).sum()
    return loss


def value_loss(head, x):
    ((kind, part),) = head.items()
    losses = given["losses"]
    target, weight = known("outcome", (count, 3))
    v = norm_act("value.act", part["act"], conv("value.conv", x))
    if kind == "dense":
        h = dense("value.hidden", v.permute(0, 2, 3, 1).flatten(1)) + parameters["value.hidden_bias.values"]
        h = activate(part["hidden_activation"], h)
        out = dense("value.out", h)[:, 0] + parameters["value.out_bias.values"]
        error = torch.tanh(out) - (target[:, 0] - target[:, 1])
        return losses["outcome"] * (weight * error * error).sum()
    h = dense("value.hidden", pool(v, False)) + parameters["value.hidden_bias.values"]
    h = activate(part["hidden_activation"], h)
    logits = dense("value.outcome", h) + parameters["value.outcome_bias.values"]
    if logits.shape[1] == 2:
        target = target[:, :2] + target[:, 2:] / 2
    loss = losses["outcome"] * (weight * cross_entropy(logits, target)).sum()
    scores = dense("value.score.out", h) + parameters["value.score.bias.values"]
    score, has_score = known("score", (count,))
    for output, name in enumerate(part["score"]["outputs"]):
        own = scores[:, output]
        if name == "mean":
            loss = loss + losses["score"] * (has_score * huber(own - score / 20)).sum()
        elif name == "lead":
            lead, weight = known("lead", (count,))
            loss = loss + losses["lead"] * (weight * huber(own - lead / 20)).sum()
        elif name == "stdev":
            target, weight = known("deviation", (count,))
            deviation = F.softplus(own)
            ratio = ((scores[:, 0] - score / 20).detach() / deviation).clamp(-5, 5)
            likelihood = has_score * (deviation.log() + 0.5 * ratio * ratio)
            named = weight * huber(deviation - target / 20)
            loss = loss + losses["deviation"] * torch.where(weight > 0, named, likelihood).sum()
    ownership, weight = known("ownership", (count, area))
    logits = 2 * conv("value.ownership", v).flatten(1)
    each = F.binary_cross_entropy_with_logits(logits, (1 + ownership) / 2, reduction="none").mean(1)
    return loss + losses["ownership"] * (weight * each).sum()


planes = floats("planes.bin").reshape(count, height, width, -1).permute(0, 3, 1, 2)
trunk = model["trunk"]
x = conv("trunk.stem", planes)
if trunk["globals"] is not None:
    x = x + dense("trunk.globals", floats("globals.bin").reshape(count, -1))[:, :, None, None]
if trunk["stem_act"] is not None:
    x = norm_act("trunk.stem_act", trunk["stem_act"], x)
for number, entry in enumerate(trunk["blocks"]):
    ((kind, part),) = entry.items()
    x = block(f"trunk.blocks.{number}", kind, part, x)
if trunk["tip"] is not None:
    x = norm("trunk.tip.norm", trunk["tip"]["activation"], x)
loss = 0
if model["policy"] is not None:
    loss = loss + policy_loss(model["policy"], x)
if model["value"] is not None:
    loss = loss + value_loss(model["value"], x)
loss = loss / count
loss.backward()
gradients = torch.cat([parameters[name].grad.flatten() for name, _ in layout])
gradients.numpy().astype("<f4").tofile(directory / "gradients.bin")
print(loss.item())
