#!/usr/bin/env bash
# 5,000 permutations of 240 subjects with TFCE: 'aladdin stats' against nilearn's permuted_ols, on the same maps and the
# same two threads. nilearn is timed with few permutations and with twice as many; the difference is what one costs.
# Maps are read and measured outside both times (ours: the same command without permutations is subtracted). Seconds of the
# clock mean something on an idle machine only; processor seconds, of one thread each, nearly always.
#
#   bench/stats/speed.sh [OUT] [OURS] [NILEARN]      (default: stats_speed, 5000 and 50 permutations)
set -euo pipefail
source "$(dirname "$0")/common.sh"
out=${1:-stats_speed}
ours=${2:-5000}
nilearn=${3:-50}
run_of "$out"
"$aladdin" measure "$out/run" -o "$out/sizes" --split train --smooth 4 --maps absolute --force -q >/dev/null
"$python" - "$aladdin" "$out" "$oasis/subjects.csv" "$ours" "$nilearn" <<'PYTHON'
import csv, resource, subprocess, sys, time
import nibabel as nib
import numpy as np
from nilearn.maskers import NiftiMasker
from nilearn.mass_univariate import permuted_ols

aladdin, out, table = sys.argv[1:4]
ours, few = int(sys.argv[4]), int(sys.argv[5])


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed(permutations, threads=2):
    start = time.time(), processor()
    subprocess.run([aladdin, "stats", f"{out}/run", "--split", "train", "--covariates", table, "--model",
                    "age + sex + etiv", "--test", "age", "--permutations", str(permutations), "--threads", str(threads),
                    "-o", f"{out}/age", "--force", "-q"], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.time() - start[0], processor() - start[1]


(without, _), (whole, _) = timed(0), timed(ours)
(_, cpu_without), (_, cpu_whole) = timed(0, 1), timed(ours, 1)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
rows = list(csv.reader(open(f"{out}/age/design.csv")))
ids = [row[0] for row in rows[1:]]
x = np.array([row[1:] for row in rows[1:]], dtype=float)
images = [nib.load(f"{out}/sizes/maps/{i}_space-atlas_desc-absolute_logjacobian.nii.gz") for i in ids]
volumes = [np.asarray(i.dataobj, dtype=np.float32).reshape(i.shape + (1,) * (3 - i.ndim)) for i in images]
inside = np.any([v != 0 for v in volumes], axis=0)
masker = NiftiMasker(nib.Nifti1Image(inside.astype(np.uint8), np.eye(4)), standardize=False).fit()
y = np.array([v[inside] for v in volumes])


def theirs(permutations, jobs=2):
    start = time.time(), time.process_time()
    permuted_ols(x[:, [rows[0].index("age") - 1]], y, confounding_vars=x[:, 2:], model_intercept=True,
                 n_perm=permutations, tfce=True, masker=masker, n_jobs=jobs, random_state=0, verbose=0,
                 output_type="dict")
    return time.time() - start[0], time.process_time() - start[1]


theirs(4)
(one, _), (two, _) = theirs(few), theirs(2 * few)
(_, cpu_one), (_, cpu_two) = theirs(few, 1), theirs(2 * few, 1)
each_ours, each_theirs = (whole - without) / ours, (two - one) / few
print(f"{len(ids)} subjects, {int(inside.sum())} voxels, two threads")
print(f"aladdin: {whole:.1f} s for {ours} permutations, {without:.1f} s of it without; {1000 * each_ours:.2f} ms each; "
      f"peak {peak:.0f} MB")
print(f"nilearn: {one:.1f} s for {few}, {two:.1f} s for {2 * few}; {1000 * each_theirs:.1f} ms each")
print(f"a permutation is {each_theirs / each_ours:.0f} times faster; 5,000 with all the rest: "
      f"{each_theirs * 5000 / (without + 5000 * each_ours):.0f} times")
cpu_ours, cpu_theirs = (cpu_whole - cpu_without) / ours, (cpu_two - cpu_one) / few
print(f"processor, one thread: {1000 * cpu_ours:.2f} and {1000 * cpu_theirs:.1f} ms each, a ratio of "
      f"{cpu_theirs / cpu_ours:.0f}; 5,000 with all the rest {cpu_theirs * 5000 / (cpu_without + 5000 * cpu_ours):.0f}")
PYTHON
