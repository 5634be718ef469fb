"""knees.py range COHORT.csv: the middle 80 % of the thickness as a sweep of nine values.
knees.py measure SLICES ATLASES: the thickness of each atlas, as the subjects' own label maps calibrate it.

A map's measure is its area of femoral cartilage (label 2) per length of the border with the bone (label 1); the table's
map's thickness is a line in the table's over the subjects, by least squares: the noise is in what is measured. The atlas's is
read off that line.
"""

import csv
import glob
import os
import sys

import nibabel
import numpy as np


def thickness(path):
    image = nibabel.load(path)
    labels = np.asarray(image.dataobj).squeeze()
    x, y = image.header.get_zooms()[:2] if labels.shape[0] > 1 else image.header.get_zooms()[1:3]
    cartilage, bone = labels == 2, labels == 1
    across_x = np.sum(cartilage[1:] & bone[:-1]) + np.sum(cartilage[:-1] & bone[1:])
    across_y = np.sum(cartilage[:, 1:] & bone[:, :-1]) + np.sum(cartilage[:, :-1] & bone[:, 1:])
    # Edges along a curve of any direction are 4 / pi as long as it is.
    length = np.pi / 4 * (across_x * y + across_y * x)
    return cartilage.sum() * x * y / length


def rows(cohort):
    return list(csv.DictReader(open(cohort)))


if sys.argv[1] == "range":
    low, high = np.quantile([float(row["femoral_cartilage_mm"]) for row in rows(sys.argv[2])], [0.1, 0.9])
    print(f"{low:.4f}:{high:.4f}:{(high - low) / 8 - 1e-6:.6f}")
else:
    slices, atlases = sys.argv[2:]
    table = rows(f"{slices}/cohort.csv")
    truth = np.array([float(row["femoral_cartilage_mm"]) for row in table])
    found = np.array([thickness(f"{slices}/{row['label']}") for row in table])
    slope, offset = np.polyfit(truth, found, 1)
    print(f"{len(truth)} subjects: correlation of measured and true thickness {np.corrcoef(found, truth)[0, 1]:.4f}, residual {np.std(found - slope * truth - offset) / slope:.3f} mm")
    worst = 0.0
    folders = sorted(glob.glob(f"{atlases}/femoral_cartilage_mm-*"), key=lambda name: float(name.rsplit("-", 1)[1]))
    for folder in folders:
        wanted = float(os.path.basename(folder).rsplit("-", 1)[1])
        has = (thickness(f"{folder}/atlas_labels.nii.gz") - offset) / slope
        worst = max(worst, abs(has / wanted - 1))
        print(f"asked {wanted:.3f} mm, has {has:.3f} mm, {100 * (has / wanted - 1):+.1f} %")
    print(f"worst: {100 * worst:.1f} %")
