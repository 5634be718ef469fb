#!/usr/bin/env python3
"""The measures of `aladdin evaluate --exact --json`, computed again with NumPy and SciPy alone.

  evaluate_reference.py FIGURES.json --run RUN
  evaluate_reference.py FIGURES.json --labels 'dir/{id}.nii.gz' [--to-atlas P --to-native P] [--atlas-labels F]

Without transforms they are the identity. Ends with 1 unless every Dice agrees to 1e-6 and every fold count exactly.
"""
import argparse
import itertools
import json
import sys

import nibabel
import numpy as np
from scipy.ndimage import map_coordinates

LPS = np.diag([-1.0, -1, 1, 1])


def read(path):
    """The values of a file and its matrix from indices to LPS points."""
    image = nibabel.load(path)
    return np.asarray(image.dataobj), LPS @ image.affine


def transform(matrix, points):
    return matrix[:3, :3] @ points + matrix[:3, 3:]


def indices(shape):
    return np.indices(shape, dtype=float).reshape(3, -1)


def inside(shape, at):
    size = np.array(shape)[:, None]
    return np.all((at >= -0.5) & (at < size - 0.5), axis=0)


def sample(values, at):
    return map_coordinates(values.astype(float), at, order=1, mode="nearest")


class Field:
    """Displacements in mm; a point outside the grid stays where it is."""

    def __init__(self, path):
        values, self.matrix = read(path)
        self.u = values.reshape(values.shape[:3] + (3,)).astype(float)

    def __call__(self, points):
        at = transform(np.linalg.inv(self.matrix), points)
        near = np.round(at)
        at = np.where(np.abs(at - near) < 1e-9, near, at)
        u = np.stack([sample(self.u[..., c], at) for c in range(3)])
        return points + np.where(inside(self.u.shape[:3], at), u, 0)

    def folds(self):
        voxels = np.einsum("ij,...j->...i", np.linalg.inv(self.matrix[:3, :3]), self.u)
        jacobian = np.stack([np.stack(np.gradient(voxels[..., c]), -1) for c in range(3)], -2)
        return int(np.sum(np.linalg.det(jacobian + np.eye(3)) < 0))


class Identity:
    def __call__(self, points):
        return points

    def folds(self):
        return 0


class Map:
    """A label map. Votes are its labels as images of 0 and 1, interpolated linearly."""

    def __init__(self, path):
        values, self.matrix = read(path)
        self.values = values.reshape(values.shape[:3]).astype(int)
        self.points = transform(self.matrix, indices(self.values.shape))

    def votes(self, points, table):
        at = transform(np.linalg.inv(self.matrix), points)
        near = np.round(at)
        at = np.where(np.abs(at - near) < 1e-9, near, at)
        shares = np.stack([sample(self.values == k, at) for k in table])
        shares[:, ~inside(self.values.shape, at)] = 0
        shares[0] = 1 - shares[1:].sum(0)
        return shares


def winner(votes, table):
    """The largest vote, of equals the smallest label."""
    return table[np.argmax(np.round(votes, 9), axis=0)]


def dice(a, b, k):
    total = np.sum(a == k) + np.sum(b == k)
    return None if total == 0 else 2 * np.sum((a == k) & (b == k)) / total


def source(options, ids):
    if options.run:
        with open(options.run + "/run.json") as file:
            label = {s["id"]: s.get("label") for s in json.load(file)["subjects"]}
        name = options.run + "/transforms/{}_from-{}_to-{}_mode-image_xfm.nii.gz"
        return ([Map(label[i]) for i in ids], [Field(name.format(i, "native", "atlas")) for i in ids],
                [Field(name.format(i, "atlas", "native")) for i in ids], options.run + "/atlas_labels.nii.gz")
    named = lambda pattern, i: Field(pattern.replace("{id}", i)) if pattern else Identity()
    return ([Map(options.labels.replace("{id}", i)) for i in ids], [named(options.to_atlas, i) for i in ids],
            [named(options.to_native, i) for i in ids], options.atlas_labels)


class Comparison:
    def __init__(self):
        self.worst, self.compared, self.wrong = 0.0, 0, []

    def __call__(self, what, ours, theirs):
        self.compared += 1
        if (ours is None) != (theirs is None):
            self.wrong.append(f"{what}: {ours} here, {theirs} there")
        elif ours is not None:
            self.worst = max(self.worst, abs(ours - theirs))
            if abs(ours - theirs) > 1e-6:
                self.wrong.append(f"{what}: {ours:.8f} here, {theirs:.8f} there")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("figures")
    for name in ("run", "labels", "to-atlas", "to-native", "atlas-labels"):
        parser.add_argument("--" + name)
    options = parser.parse_args()
    with open(options.figures) as file:
        figures = json.load(file)["evaluations"][0]
    if figures["bridge_votes"] != "exact":
        sys.exit("the figures are not those of --exact")
    subjects = figures["by_subject"]
    maps, to_atlas, to_native, atlas_labels = source(options, [s["id"] for s in subjects])
    table = np.unique(np.concatenate([[0]] + [np.unique(m.values) for m in maps]))
    same = Comparison()
    for s, there, back in zip(subjects, to_atlas, to_native):
        for name, field in (("native_to_atlas", there), ("atlas_to_native", back)):
            same(f"{s['id']} folds {name}", field.folds(), s[name]["folds"])

    # d^atlas and tilde d^atlas, on the grid of the fields (or of the first subject)
    grid = to_atlas[0] if isinstance(to_atlas[0], Field) else maps[0]
    shape = grid.u.shape[:3] if isinstance(grid, Field) else grid.values.shape
    atlas_points = transform(grid.matrix, indices(shape))
    pulled = [winner(m.votes(f(atlas_points), table), table) for m, f in zip(maps, to_atlas)]
    consensus = table[np.argmax([np.sum([p == k for p in pulled], axis=0) for k in table], axis=0)]
    for s, p in zip(subjects, pulled):
        for k in table[1:]:
            same(f"{s['id']} atlas {k}", dice(consensus, p, k), s["atlas"][str(k)])
    for k in table[1:]:
        pairs = [d for a, b in itertools.combinations(pulled, 2) if (d := dice(a, b, k)) is not None]
        same(f"atlas pairs {k}", np.mean(pairs), figures["atlas_pairs"][str(k)]["mean"])

    # d^image, and d^bridge with one interpolation for every pair
    segmentation = Map(atlas_labels) if atlas_labels else None
    if segmentation is None:
        segmentation = Map.__new__(Map)
        segmentation.values, segmentation.matrix = consensus.reshape(shape), grid.matrix
    segmentation.values = np.where(np.isin(segmentation.values, table), segmentation.values, 0)
    for i, (s, m) in enumerate(zip(subjects, maps)):
        on_atlas = to_native[i](m.points)
        own = m.values.ravel()
        image = winner(segmentation.votes(on_atlas, table), table)
        votes = sum(maps[j].votes(to_atlas[j](on_atlas), table) for j in range(len(maps)) if j != i)
        bridge = winner(votes, table)
        for k in table[1:]:
            same(f"{s['id']} image {k}", dice(image, own, k), s["image"][str(k)])
            same(f"{s['id']} bridge {k}", dice(bridge, own, k), s["bridge"][str(k)])

    folds = sum(s[n]["folds"] for s in subjects for n in ("native_to_atlas", "atlas_to_native"))
    print(f"{len(subjects)} subjects, {len(table) - 1} labels: {same.compared} figures, "
          f"the largest difference is {same.worst:.2g}; {folds} folds")
    for line in same.wrong[:20]:
        print("DIFFERENT:", line)
    sys.exit(1 if same.wrong else 0)


main()
