"""knees.py range COHORT.csv: the middle 80 % of the thickness as a sweep of nine values.
knees.py measure SLICES ATLASES: the thickness of each atlas, as the subjects' own label maps calibrate it.

The measure is the area of femoral cartilage (label 2) per length of the border with the bone (label 1). Over the subjects it is a
line in the table's thickness, by least squares: the noise is in what is measured. The atlas's thickness is read off that line.
Cartilage is two voxels thick: label maps and probabilities are interpolated to quarters of a voxel, where the most probable label
counts. What the atlas's voxels alone give is printed as well.
"""

import csv
import glob
import os
import sys

import nibabel
import numpy as np
from scipy.ndimage import zoom

FINE = 4


def load(path):
    image = nibabel.load(path)
    return np.asarray(image.dataobj).squeeze(), float(image.header.get_zooms()[0])


def finest(shares):
    """The most probable label at every quarter of a voxel; shares: (x, y, labels)."""
    return np.stack([zoom(shares[..., k], FINE, order=1, grid_mode=True, mode="nearest") for k in range(shares.shape[-1])], -1).argmax(-1)


def thickness(labels, voxel):
    cartilage, bone = labels == 2, labels == 1
    edges = sum(np.sum(a & b) for a, b in ((cartilage[1:], bone[:-1]), (cartilage[:-1], bone[1:]), (cartilage[:, 1:], bone[:, :-1]), (cartilage[:, :-1], bone[:, 1:])))
    # Edges along a curve of any direction are 4 / pi as long as it is.
    return cartilage.sum() * voxel / (np.pi / 4 * edges)


def of_subject(path):
    labels, voxel = load(path)
    return thickness(labels, voxel), thickness(finest(np.eye(5)[labels.astype(int)]), voxel / FINE)


def of_atlas(folder):
    labels, voxel = load(f"{folder}/atlas_labels.nii.gz")
    shares, _ = load(f"{folder}/atlas_probabilities.nii.gz")
    return thickness(labels, voxel), thickness(finest(shares), voxel / FINE)


def rows(cohort):
    return list(csv.DictReader(open(cohort)))


if sys.argv[1] == "range":
    low, high = np.quantile([float(row["femoral_cartilage_mm"]) for row in rows(sys.argv[2])], [0.1, 0.9])
    print(f"{low:.4f}:{high:.4f}:{(high - low) / 8 - 1e-6:.6f}")
else:
    slices, atlases = sys.argv[2:]
    table = rows(f"{slices}/cohort.csv")
    truth = np.array([float(row["femoral_cartilage_mm"]) for row in table])
    found = np.array([of_subject(f"{slices}/{row['label']}") for row in table])
    lines = [np.polyfit(truth, found[:, k], 1) for k in range(2)]
    print(f"{len(truth)} subjects: correlation of measured and true thickness {np.corrcoef(found[:, 1], truth)[0, 1]:.4f}")
    worst = np.zeros(2)
    folders = sorted(glob.glob(f"{atlases}/femoral_cartilage_mm-*"), key=lambda name: float(name.rsplit("-", 1)[1]))
    for folder in folders:
        wanted = float(os.path.basename(folder).rsplit("-", 1)[1])
        voxels, fine = ((value - offset) / slope for value, (slope, offset) in zip(of_atlas(folder), lines))
        worst = np.maximum(worst, np.abs(np.array([voxels, fine]) / wanted - 1))
        print(f"asked {wanted:.3f} mm, has {fine:.3f} mm, {100 * (fine / wanted - 1):+.1f} % (voxels {voxels:.3f} mm, {100 * (voxels / wanted - 1):+.1f} %)")
    print(f"worst: {100 * worst[1]:.1f} % (voxels {100 * worst[0]:.1f} %)")
