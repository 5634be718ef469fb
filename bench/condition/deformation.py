"""deformation.py OUT: mean squared velocity and Dice of the registrations in OUT/own and OUT/population, paired by subject.

The velocity is the logarithm of the displacement without its mean, found by v += u - (exp(v) - id) on the atlas grid.
"""

import sys

import nibabel
import numpy as np
from scipy.ndimage import map_coordinates
from scipy.stats import wilcoxon


def compose(a, b, grid):
    """b after a, both displacements in voxels, (2, x, y)."""
    return a + np.stack([map_coordinates(c, grid + a, order=1, mode="nearest") for c in b])


def exponential(v, grid, squarings=7):
    u = v / 2**squarings
    for _ in range(squarings):
        u = compose(u, u, grid)
    return u


def velocity(path):
    image = nibabel.load(path)
    field = np.asarray(image.dataobj)[:, :, 0, 0, :2].astype(float)
    u = np.moveaxis(field, -1, 0) / np.array(image.header.get_zooms()[:2])[:, None, None]
    # Files are LPS mm; the grid's axes are L and P.
    u -= u.mean(axis=(1, 2), keepdims=True)
    grid = np.stack(np.meshgrid(*map(np.arange, u.shape[1:]), indexing="ij")).astype(float)
    v = u.copy()
    for _ in range(15):
        v += 0.7 * (u - exponential(v, grid))
    left = np.abs(u - exponential(v, grid)).mean()
    return v, left


def dice(a, b):
    labels = [k for k in np.unique(b) if k]
    return np.mean([2 * np.sum((a == k) & (b == k)) / (np.sum(a == k) + np.sum(b == k)) for k in labels])


out = sys.argv[1]
rows, left = [], []
for line in open(f"{out}/val/subjects.csv"):
    name, truth = line.strip().split(",")
    labels = np.asarray(nibabel.load(truth).dataobj).squeeze()
    row = []
    for kind, target in (("population", "atlas"), ("own", "conditional")):
        v, error = velocity(f"{out}/{kind}/transforms/{name}_from-native_to-{target}_mode-image_xfm.nii.gz")
        left.append(error)
        row += [np.mean(np.sum(v**2, axis=0)), dice(np.asarray(nibabel.load(f"{out}/{kind}/labels/{name}.nii.gz").dataobj).squeeze(), labels)]
    rows.append(row)
rows = np.array(rows)
for name, population, own, better in (("mean squared velocity, mm²", rows[:, 0], rows[:, 2], np.less), ("Dice", rows[:, 1], rows[:, 3], np.greater)):
    print(f"{name}: population {population.mean():.4f} ({population.std(ddof=1):.4f}), own age and sex {own.mean():.4f} ({own.std(ddof=1):.4f}), better in {better(own, population).sum()} of {len(rows)}, Wilcoxon p {wilcoxon(own, population).pvalue:.2g}")
print(f"what the logarithms leave: {np.mean(left):.4f} voxels")
