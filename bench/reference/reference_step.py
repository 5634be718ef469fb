#!/usr/bin/python3
"""One training step of the published code, from its formulas, in plain PyTorch.

    reference_step.py IN.safetensors OUT.safetensors [--float]

IN holds the weights by our names, the atlas, a batch of images, and the weights of the terms as metadata
(bench/reference/step.cpp writes it). OUT gets the terms and the gradient of their sum in every weight and in
the atlas. In double, or with --float in the precision of the published code, which shows how much of a
difference is rounding. It shares no code with the C++ side.
"""
import json
import struct
import sys

import numpy as np
import torch
import torch.nn.functional as F

SQUARINGS = 7


def read(path, precision):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(length))
        data = file.read()
    metadata = header.pop("__metadata__", {})
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        kind = {"F32": "<f4", "F64": "<f8"}[entry["dtype"]]
        values = np.frombuffer(data[begin:end], kind).reshape(entry["shape"])
        tensors[name] = torch.from_numpy(values.astype(np.float64)).to(precision)
    return tensors, metadata


def write(path, tensors):
    header, blobs, at = {}, [], 0
    for name, tensor in tensors.items():
        blob = tensor.detach().numpy().astype("<f8").tobytes()
        header[name] = {"dtype": "F64", "shape": list(tensor.shape), "data_offsets": [at, at + len(blob)]}
        blobs.append(blob)
        at += len(blob)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blobs))


def flow_of(weights, x):
    """The residual U-Net: 2 channels in, a flow in [-1, 1] units out, its channels along z, y, x."""

    def conv(x, name, stride=1):
        return F.conv3d(x, weights[name + ".weight"], weights[name + ".bias"], stride=stride, padding=1)

    def grow(x, name):
        return F.conv_transpose3d(x, weights[name + ".weight"], weights[name + ".bias"], stride=2)

    def leaky(x):
        return F.leaky_relu(x, 0.01)

    full = F.relu(conv(x, "down0"))

    half_0 = F.relu(conv(full, "down1.0", 2))
    half_1 = half_0 + F.relu(conv(half_0, "down1.1"))
    half = half_0 + F.relu(conv(half_1, "down1.2"))  # the first again, only at this level

    quarter_0 = F.relu(conv(half, "down2.0", 2))
    quarter_1 = quarter_0 + F.relu(conv(quarter_0, "down2.1"))
    quarter = quarter_1 + F.relu(conv(quarter_1, "down2.2"))

    eighth_0 = F.relu(conv(quarter, "down3.0", 2))
    eighth_1 = eighth_0 + F.relu(conv(eighth_0, "down3.1"))
    eighth = eighth_1 + F.relu(conv(eighth_1, "down3.2"))

    deepest_0 = F.relu(conv(eighth, "down4.0", 2))
    deepest = deepest_0 + F.relu(conv(deepest_0, "down4.1"))

    up = leaky(conv(torch.cat([eighth, leaky(grow(deepest, "up3.up"))], 1), "up3.0"))
    up = up + leaky(conv(up, "up3.1"))
    up = leaky(conv(torch.cat([quarter, leaky(grow(up, "up2.up"))], 1), "up2.0"))
    up = up + leaky(conv(up, "up2.1"))
    up = conv(torch.cat([half, leaky(grow(up, "up1.up"))], 1), "up1.0")
    up = conv(up, "up1.1")
    return conv(grow(up, "up0.up"), "up0.flow")


def identity(size, precision):
    """(1, 3, d, h, w): every voxel's own coordinates in [-1, 1], along z, y, x."""
    axes = [torch.linspace(-1, 1, n, dtype=precision) for n in size]
    return torch.stack(torch.meshgrid(*axes, indexing="ij")).unsqueeze(0)


def sample(values, points, padding):
    """values at the points, (n, 3, d, h, w) along z, y, x."""
    grid = points.flip(1).permute(0, 2, 3, 4, 1)  # grid_sample wants x, y, z last
    return F.grid_sample(values, grid, mode="bilinear", padding_mode=padding, align_corners=True)


def integrate(flow, here):
    flow = flow / 2**SQUARINGS
    for _ in range(SQUARINGS):
        flow = flow + sample(flow, here + flow, "zeros")
    return flow


def dissimilarity(a, b, name):
    if name == "mse":
        return ((a - b) ** 2).mean() / a.shape[0]
    p, q = a.flatten(1), b.flatten(1)
    p, q = p - p.mean(1, keepdim=True), q - q.mean(1, keepdim=True)
    ncc = (p * q).mean(1) / torch.sqrt((p**2).mean(1) * (q**2).mean(1))
    return (1 - ncc.mean()) * a.shape[0] / a.shape[0]


def bending(u):
    """Of a displacement in [-1, 1] units, over the interior voxels."""
    size = torch.tensor(u.shape[2:], dtype=u.dtype)
    u = u * (size / size.min()).view(1, 3, 1, 1, 1)
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
        total = total + 2 * (mixed**2).mean()
    return total / 9


def main(source, target, precision):
    tensors, settings = read(source, precision)
    atlas, images = tensors.pop("atlas"), tensors.pop("images")
    weights = {name: value.requires_grad_(True) for name, value in tensors.items()}
    atlas.requires_grad_(True)
    atlases = atlas.expand_as(images)

    here = identity(images.shape[2:], precision)
    flow = flow_of(weights, torch.cat([atlases, images], 1))
    to_atlas, to_subject = integrate(flow, here), integrate(-flow, here)

    name = settings["similarity"]
    half = images.shape[0] // 2
    there = (here + to_atlas).flip(0)  # image j's voxels in the atlas, j = n - 1 - i
    through = there + sample(to_subject, there, "border")
    in_atlas = sample(images, here + to_subject, "border")
    terms = {
        "sim": dissimilarity(sample(atlases, here + to_atlas, "border"), images, name),
        "lambda": bending(to_atlas),
        "gamma1": dissimilarity(in_atlas[:half], in_atlas[half:], name),
        "gamma2": dissimilarity(sample(images, through, "border"), images.flip(0), name),
    }
    energy = sum(float(settings[weight]) * term for weight, term in terms.items())
    energy.backward()

    out = {"term." + weight: term.reshape(1) for weight, term in terms.items()}
    out["term.energy"] = energy.reshape(1)
    out["flow_largest"] = flow.abs().max().reshape(1)
    for weight, value in {**weights, "atlas": atlas}.items():
        out["grad." + weight] = value.grad
    write(target, out)


if __name__ == "__main__":
    single = sys.argv[3:] == ["--float"]
    if len(sys.argv) != 3 + single:
        sys.exit("usage: reference_step.py IN.safetensors OUT.safetensors [--float]")
    torch.set_num_threads(2)
    main(sys.argv[1], sys.argv[2], torch.float32 if single else torch.float64)
