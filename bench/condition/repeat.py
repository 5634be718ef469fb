"""repeat.py RUN OUT N: a run directory with the training subjects of RUN again and again, N in all, to measure memory."""

import copy
import json
import os
import shutil
import sys

run, out, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
os.makedirs(f"{out}/velocities")
for name in ("model.safetensors", "atlas.nii.gz", "atlas_labels.nii.gz"):
    if os.path.exists(f"{run}/{name}"):
        shutil.copy(f"{run}/{name}", out)
record = json.load(open(f"{run}/run.json"))
training = [subject for subject in record["subjects"] if subject.get("split", "") in ("", "train")]
end = "_from-native_to-atlas_mode-image_velocity.nii.gz"
subjects = []
for k in range(count):
    subject = copy.deepcopy(training[k % len(training)])
    source = os.path.abspath(f"{run}/velocities/{subject['id']}{end}")
    subject["id"] = f"s{k}"
    os.symlink(source, f"{out}/velocities/s{k}{end}")
    subjects.append(subject)
record["subjects"] = subjects
json.dump(record, open(f"{out}/run.json", "w"))
