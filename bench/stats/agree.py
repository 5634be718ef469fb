"""agree.py OUT PERMUTATIONS: what 'aladdin stats' wrote (agree.sh), computed again by others.

t, F and p   numpy.linalg.lstsq of the full and the reduced model, scipy.stats
TFCE         nilearn's calculate_tfce on our t map; nilearn leaves out the factor dh, which is put back
p_fwe        nilearn's permuted_ols (its own permutations): within Monte Carlo error
p_tfce       permutations of numpy, each enhanced by nilearn
"""
import csv
import sys
from pathlib import Path

import nibabel as nib
import numpy as np
from nilearn.mass_univariate import permuted_ols
from nilearn.mass_univariate._utils import calculate_tfce
from scipy import ndimage, stats

out, permutations = Path(sys.argv[1]), int(sys.argv[2])


def load(path):
    image = nib.load(path)
    data = np.asarray(image.dataobj, dtype=np.float64)
    return data.reshape(data.shape + (1,) * (3 - data.ndim))


def design_of(folder):
    rows = list(csv.reader(open(folder / "design.csv")))
    return rows[0][1:], [row[0] for row in rows[1:]], np.array([row[1:] for row in rows[1:]], dtype=float)


names, ids, x = design_of(out / "age")
maps = [load(out / "sizes/maps" / f"{i}_space-atlas_desc-absolute_logjacobian.nii.gz") for i in ids]
mask = load(out / "age/p.nii.gz") != 1
mask |= np.any([m != 0 for m in maps], axis=0)
y = np.array([m[mask] for m in maps])
print(f"{len(ids)} subjects, {mask.sum()} voxels, {permutations} permutations")


def residual_squares(matrix, values):
    left = values - matrix @ np.linalg.lstsq(matrix, values, rcond=None)[0]
    return (left**2).sum(axis=0)


def report(what, ours, theirs, relative_to=None):
    size = np.abs(theirs) if relative_to is None else relative_to
    print(f"{what:34s} largest difference {np.max(np.abs(ours - theirs) / np.maximum(size, 1e-300)):.2e}")


# float32 holds no p below 1e-38: where it is smaller still, 0 is right
def report_p(what, ours, theirs):
    kept = theirs > 1e-35
    report(what, ours[kept], theirs[kept])
    assert (ours[~kept] <= 1.1e-35).all()


def t_of(folder, column):
    names, _, x = design_of(out / folder)
    b = np.linalg.lstsq(x, y, rcond=None)[0]
    dof = len(ids) - x.shape[1]
    c = names.index(column)
    error = np.sqrt(residual_squares(x, y) / dof * np.linalg.inv(x.T @ x)[c, c])
    return b[c] / error, b[c], error, dof


for folder, column in (("age", "age"), ("slopes", "age:sex[M]")):
    t, effect, error, dof = t_of(folder, column)
    ours = load(out / folder / "t.nii.gz")[mask]
    report(f"t of {column}, of its largest", ours, t, np.abs(t).max())
    report(f"t of {column}, absolute", ours, t, 1)
    report_p("p", load(out / folder / "p.nii.gz")[mask], 2 * stats.t.sf(np.abs(t), dof))
    report("effect, of its largest", load(out / folder / "effect.nii.gz")[mask], effect, np.abs(effect).max())
    high = effect + stats.t.ppf(0.975, dof) * error
    report("upper end, of its largest", load(out / folder / "effect_high.nii.gz")[mask], high, np.abs(high).max())
    fdr = stats.false_discovery_control(2 * stats.t.sf(np.abs(t), dof))
    report_p("false discovery rate", load(out / folder / "p_fdr.nii.gz")[mask], fdr)

names, _, full = design_of(out / "era")
reduced = full[:, [not name.startswith("era") for name in names]]
dof = len(ids) - full.shape[1]
s_full, s_reduced = residual_squares(full, y), residual_squares(reduced, y)
f = (s_reduced - s_full) / 2 / (s_full / dof)
report("F of era, relative", load(out / "era/F.nii.gz")[mask], f)
report_p("p of F", load(out / "era/p.nii.gz")[mask], stats.f.sf(f, 2, dof))

# TFCE of the same map
cross = ndimage.generate_binary_structure(3, 1)


def enhanced(scores):
    volume = np.zeros(mask.shape)
    volume[mask] = scores
    found = calculate_tfce(volume[..., None], bin_struct=cross, E=0.5, H=2, dh="auto", two_sided_test=True)
    return np.asarray(found).reshape(mask.shape)[mask] * np.abs(scores).max() / 100


ours = load(out / "age/t.nii.gz")[mask]
tfce = enhanced(ours)
report("TFCE, of its largest", load(out / "age/tfce.nii.gz")[mask], tfce, np.abs(tfce).max())
big = np.abs(tfce) > 1e-3 * np.abs(tfce).max()
report("TFCE, relative, above .001 of it", load(out / "age/tfce.nii.gz")[mask][big], tfce[big])

# Corrected p of the interaction: there they are spread between 0 and 1.
names, _, x = design_of(out / "slopes")
c = names.index("age:sex[M]")
nuisance = np.delete(x, [c, 0], axis=1)
theirs = permuted_ols(
    x[:, [c]], y, confounding_vars=nuisance, model_intercept=True, n_perm=permutations, two_sided_test=True,
    random_state=0, n_jobs=2, verbose=0, output_type="dict",
)
p_theirs = 10.0 ** -theirs["logp_max_t"][0]
report("nilearn's t, of its largest", np.abs(theirs["t"][0]), np.abs(load(out / "slopes/t.nii.gz")[mask]),
       np.abs(theirs["t"]).max())


def compare_p(what, ours, theirs):
    # Two Monte Carlo estimates of one p: their difference has the variance 2 p (1 - p) / permutations.
    p = (ours + theirs) / 2
    z = (ours - theirs) / np.sqrt(np.maximum(2 * p * (1 - p) / permutations, 1 / permutations**2))
    print(f"{what:34s} smallest {ours.min():.4f} and {theirs.min():.4f}; largest |z| {np.abs(z).max():.2f}")


compare_p("p_fwe against nilearn", load(out / "slopes/p_fwe.nii.gz")[mask], p_theirs)

z_full = np.column_stack([np.delete(x, c, axis=1)])
q = np.linalg.qr(z_full)[0]
left = y - q @ (q.T @ y)
tested = x[:, c] - q @ (q.T @ x[:, c])
tested /= np.linalg.norm(tested)
dof = len(ids) - x.shape[1]
rng = np.random.default_rng(1)
largest, count = [], np.zeros(mask.sum())
t_ours = load(out / "slopes/t.nii.gz")[mask]
for _ in range(permutations):
    shuffled = left[rng.permutation(len(ids))]
    a = tested @ shuffled
    s = (shuffled**2).sum(axis=0) - ((q.T @ shuffled) ** 2).sum(axis=0) - a**2
    t = a / np.sqrt(s / dof)
    count += np.abs(t) >= np.abs(t_ours)
    largest.append(np.abs(enhanced(t)).max())
observed = np.abs(enhanced(t_ours))
p_tfce = (1 + (np.array(largest)[:, None] >= observed[None]).sum(axis=0)) / (1 + permutations)
compare_p("p_tfce against numpy + nilearn", load(out / "slopes/p_tfce.nii.gz")[mask], p_tfce)
compare_p("p_permuted against numpy", load(out / "slopes/p_permuted.nii.gz")[mask], (1 + count) / (1 + permutations))
