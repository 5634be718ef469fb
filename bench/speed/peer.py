#!/usr/bin/python3
"""The paper's training step and registration in plain PyTorch, to be timed against ours.

    peer.py step|register INPUTS.safetensors THREADS

Says "ready", then answers each line of its input with a number: "run" does the work once (seconds), "value"
what it computed (the energy, or the mean of the moved image), "cpu" the seconds of all cores so far, "peak" its most memory (bytes).
bench/speed/worker.cpp speaks the same. The formulas are those of `--preset paper`; no code is shared.
"""
import json
import struct
import sys
import time

import numpy as np
import torch
import torch.nn.functional as F

SQUARINGS, SIM, LAMBDA, GAMMA2, RATE = 7, 10.0, 1.0, 5.0, 1e-4


def read(path):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(np.frombuffer(data, "<f4", (e["data_offsets"][1] - e["data_offsets"][0]) // 4,
                                                 e["data_offsets"][0]).reshape(e["shape"]).copy())
            for name, e in header.items()}


def network(w, x):
    """Atlas and image as two channels to a velocity in voxels, along x, y, z."""
    def conv(x, name, stride=1):
        return F.conv3d(x, w[name + ".weight"], w[name + ".bias"], stride=stride, padding=1)

    def grow(x, name):
        return F.conv_transpose3d(x, w[name + ".weight"], w[name + ".bias"], stride=2)

    def leaky(x):
        return F.leaky_relu(x, 0.01)

    x = F.relu(conv(x, "down0"))
    levels = []
    for level, more in ((1, 2), (2, 2), (3, 2), (4, 1)):
        x = F.relu(conv(x, f"down{level}.0", 2))
        for i in range(1, more + 1):
            x = x + F.relu(conv(x, f"down{level}.{i}"))
        levels.append(x)
    for level in (3, 2):
        x = torch.cat([leaky(grow(x, f"up{level}.up")), levels[level - 1]], 1)
        x = leaky(conv(x, f"up{level}.0"))
        x = x + leaky(conv(x, f"up{level}.1"))
    x = torch.cat([leaky(grow(x, "up1.up")), levels[0]], 1)
    x = conv(conv(x, "up1.0"), "up1.1")
    return conv(grow(x, "up0.up"), "up0.flow")


class Space:
    """Displacements here are in [-1, 1] units, as grid_sample wants them."""

    def __init__(self, size):
        axes = [torch.linspace(-1, 1, n) for n in size]
        z, y, x = torch.meshgrid(*axes, indexing="ij")
        self.here = torch.stack([x, y, z]).unsqueeze(0)
        self.voxel = torch.tensor([2.0 / (n - 1) for n in reversed(size)]).view(1, 3, 1, 1, 1)

    def sample(self, values, points):
        return F.grid_sample(values, points.permute(0, 2, 3, 4, 1), mode="bilinear", padding_mode="border",
                             align_corners=True)

    def exponential(self, velocity):
        u = velocity * self.voxel / 2**SQUARINGS
        for _ in range(SQUARINGS):
            u = u + self.sample(u, self.here + u)
        return u

    def bending(self, u):
        u = u / self.voxel
        inner, ahead, behind = slice(1, -1), slice(2, None), slice(None, -2)

        def at(**steps):
            where = [inner] * 3
            for axis, step in steps.items():
                where["zyx".index(axis)] = ahead if step > 0 else behind
            return u[(slice(None), slice(None), *where)]

        total = 0
        for a in "zyx":
            total = total + ((at(**{a: 1}) + at(**{a: -1}) - 2 * at()) ** 2).mean()
        for a, b in ("zy", "zx", "yx"):
            mixed = at(**{a: 1, b: 1}) + at(**{a: -1, b: -1}) - at(**{a: 1, b: -1}) - at(**{a: -1, b: 1})
            total = total + 2 * ((mixed / 4) ** 2).mean()
        return 3 * total  # a mean over voxels, a sum over components


class Step:
    def __init__(self, tensors):
        self.atlas, self.images = tensors.pop("atlas"), tensors.pop("images")
        self.weights = {name: value.requires_grad_(True) for name, value in tensors.items()}
        self.space = Space(self.images.shape[2:])
        self.adam = torch.optim.Adam(self.weights.values(), lr=RATE)

    def run(self):
        space, images, atlases = self.space, self.images, self.atlas.expand_as(self.images)
        velocity = network(self.weights, torch.cat([atlases, images], 1))
        to_subject, to_atlas = space.exponential(velocity), space.exponential(-velocity)
        there = (space.here + to_atlas).flip(0)
        through = there + space.sample(to_subject, there)
        energy = (SIM * F.mse_loss(space.sample(atlases, space.here + to_atlas), images)
                  + LAMBDA * space.bending(to_atlas)
                  + GAMMA2 * F.mse_loss(space.sample(images, through), images.flip(0)))
        self.adam.zero_grad()
        energy.backward()
        self.adam.step()
        self.value = energy.item()


class Register:
    def __init__(self, tensors):
        self.atlas, self.image = tensors.pop("atlas"), tensors.pop("images")[:1]
        self.weights, self.space = tensors, Space(self.image.shape[2:])

    @torch.no_grad()
    def run(self):
        velocity = network(self.weights, torch.cat([self.atlas, self.image], 1))
        moved = self.space.sample(self.image, self.space.here + self.space.exponential(velocity))
        self.value = moved.mean().item()


def memory(key):
    for line in open("/proc/self/status"):
        if line.startswith(key):
            return int(line.split()[1]) * 1024


def main(kind, path, threads):
    torch.set_num_threads(int(threads))
    work = {"step": Step, "register": Register}[kind](read(path))
    print("ready", flush=True)
    for line in sys.stdin:
        command = line.strip()
        if command == "run":
            start = time.perf_counter()
            work.run()
            print(time.perf_counter() - start, flush=True)
        elif command == "cpu":
            print(time.process_time(), flush=True)
        elif command == "value":
            print(work.value, flush=True)
        else:
            print(memory("VmHWM:"), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: peer.py step|register INPUTS.safetensors THREADS")
    main(*sys.argv[1:])
