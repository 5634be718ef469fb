"""areas.py VOLUMES.csv: areas of three tissues in each atlas, and how far from the regression of the subjects' own."""

import csv
import sys

TISSUES = {"ventricles": (3, 16), "cortex": (2, 15), "white matter": (1, 14)}

rows = list(csv.DictReader(open(sys.argv[1])))
print(f"{'atlas':10} {'tissue':12} {'atlas':>8} {'expected':>9} {'subjects':>9}  difference, expected's")
worst = worst_expected = 0.0
for atlas in dict.fromkeys(row["atlas"] for row in rows):
    for tissue, labels in TISSUES.items():
        mine = [row for row in rows if row["atlas"] == atlas and int(row["label"]) in labels]
        volume, expected, own = (sum(float(row[key]) for row in mine) for key in ("volume", "expected_volume", "subjects_volume"))
        worst = max(worst, abs(volume / own - 1))
        worst_expected = max(worst_expected, abs(expected / own - 1))
        print(f"{atlas:10} {tissue:12} {volume:8.0f} {expected:9.0f} {own:9.0f}  {100 * (volume / own - 1):+6.2f} %  {100 * (expected / own - 1):+6.2f} %")
print(f"worst: {100 * worst:.2f} % of the labels, {100 * worst_expected:.2f} % of the probabilities")
