"""Points moved by aladdin and by the program whose file it is: agree.py ALADDIN [FOLDER].

Every check writes one line: the largest distance in mm between the two, over points inside an oblique, anisotropic grid.
Programs that only resample images are given the coordinates as images: linear interpolation leaves these exact. What is
not there is skipped, and said.
"""
import os
import shutil
import subprocess
import sys

import nibabel as nib
import numpy as np

ALADDIN = os.path.abspath(sys.argv[1])
FOLDER = sys.argv[2] if len(sys.argv) > 2 else "formats.tmp"
LIMIT_MM = 1e-3
LPS = np.diag([-1.0, -1.0, 1.0, 1.0])
failed = []


def say(name, error, limit=LIMIT_MM, unit="mm"):
    ok = error <= limit
    failed.extend([] if ok else [name])
    print(f"{name:<58}{error:12.2e} {unit}{'' if ok else '   FAILED'}", flush=True)


def skip(name, why):
    print(f"{name:<58}     skipped: {why}", flush=True)


def run(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


def have(program):
    return shutil.which(program) is not None


def rotation(axis, angle):
    c, s = np.cos(angle), np.sin(angle)
    m = np.eye(3)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    m[a, a] = m[b, b] = c
    m[a, b], m[b, a] = -s, s
    return m


def image_affine(spacing, turn, origin, flip):
    m = np.eye(4)
    m[:3, :3] = rotation(2, turn) @ rotation(0, -0.6 * turn) @ np.diag([flip, 1, 1]) @ np.diag(spacing)
    m[:3, 3] = origin
    return m


# Two images of both handednesses, RAS.
REF_SIZE, SRC_SIZE = (36, 30, 22), (60, 76, 52)
REF = image_affine([0.9, 1.2, 1.7], 0.3, [21, -14, -8], -1)
SRC = image_affine([1.2, 0.9, 1.4], -0.25, [0, 0, 0], 1)


def save(name, data, affine, **header):
    image = nib.Nifti1Image(data, affine)
    image.set_sform(affine, 1)
    image.set_qform(affine, 1)
    nib.save(image, name)


def apply(matrix, points):
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def grid_points(affine, size):
    index = np.stack(np.meshgrid(*map(np.arange, size), indexing="ij"), -1).reshape(-1, 3)
    return apply(affine, index.astype(float))


def points_inside(seed=1, count=300, margin=6):
    rng = np.random.default_rng(seed)
    index = rng.uniform(margin, np.array(REF_SIZE) - 1 - margin, (count, 3))
    return apply(REF, index)


CENTRE = apply(REF, np.array(REF_SIZE) / 2)
SRC[:3, 3] = CENTRE - SRC[:3, :3] @ (np.array(SRC_SIZE) / 2)
AFFINE = np.eye(4)  # RAS, reference to source
AFFINE[:3, :3] = rotation(2, 0.12) @ rotation(0, -0.08) @ np.diag([1.06, 0.95, 1.03])
AFFINE[:3, 3] = CENTRE - AFFINE[:3, :3] @ CENTRE + [1.5, -2.25, 0.75]


def bend(points):
    """A smooth displacement, RAS mm."""
    p = (points - CENTRE) / 12
    return 1.6 * np.stack([np.sin(p[:, 1] + 0.3), np.cos(p[:, 2] - 0.2), np.sin(p[:, 0] + p[:, 1])], -1)


def ours(words, points_ras):
    """The points that aladdin's chain takes these to."""
    lps = points_ras * [-1, -1, 1]
    with open("p.csv", "w") as f:
        f.write("x,y,z\n" + "\n".join(",".join(f"{x:.9f}" for x in p) for p in lps) + "\n")
    args = [a for w in words for a in ("-t", w)]
    run(ALADDIN, "warp", "--points", "p.csv", *args, "-o", "q.csv")
    out = np.loadtxt("q.csv", delimiter=",", skiprows=1)
    os.remove("q.csv")
    return out * [-1, -1, 1]


def distance(a, b):
    return float(np.abs(np.asarray(a) - np.asarray(b)).max())


def interpolated(field_ras, points):
    """Linear interpolation of vectors on the reference grid."""
    from scipy.ndimage import map_coordinates

    index = apply(np.linalg.inv(REF), points).T
    return np.stack([map_coordinates(field_ras[..., c], index, order=1, mode="nearest") for c in range(3)], -1)


# ours: the truth, in ITK's own files made without aladdin
def write_truth():
    save("ref.nii.gz", np.zeros(REF_SIZE, np.float32), REF)
    save("src.nii.gz", np.zeros(SRC_SIZE, np.float32), SRC)
    points = grid_points(SRC, SRC_SIZE)
    for c, name in enumerate("xyz"):
        save(f"coord_{name}.nii.gz", points[:, c].reshape(SRC_SIZE).astype(np.float32), SRC)
    u = bend(grid_points(REF, REF_SIZE)).reshape(*REF_SIZE, 3).astype(np.float32)
    field = nib.Nifti1Image((u * np.array([-1, -1, 1], np.float32))[..., None, :], REF)
    field.header.set_intent(1007)
    field.set_sform(REF, 1)
    field.set_qform(REF, 1)
    nib.save(field, "field.nii.gz")
    lps = LPS @ AFFINE @ LPS
    with open("affine.tfm", "w") as f:
        f.write("#Insight Transform File V1.0\n#Transform 0\nTransform: AffineTransform_double_3_3\n")
        f.write("Parameters: " + " ".join(map(repr, map(float, [*lps[:3, :3].ravel(), *lps[:3, 3]]))) + "\n")
        f.write("FixedParameters: 0 0 0\n")
    return u


U = None  # the field, RAS, on the reference grid


def truth_affine(points):
    return apply(AFFINE, points)


def truth_whole(points):
    """The field, then the affine."""
    return apply(AFFINE, points + interpolated(U, points))


WHOLE = ["affine.tfm", "field.nii.gz"]


def convert(out, words, *flags):
    args = [a for w in words for a in ("-t", w)]
    run(ALADDIN, "transform", *args, "--like", "ref.nii.gz", "--source", "src.nii.gz", "-o", out, "--force", *flags)


def resampled_error(resample, truth):
    """Where a program that resamples takes the voxels well inside the reference, against where they should go."""
    moved = []
    for name in "xyz":
        resample(f"coord_{name}.nii.gz", f"moved_{name}.nii.gz")
        image = nib.load(f"moved_{name}.nii.gz")
        moved.append(image.get_fdata().squeeze())
    points = grid_points(image.affine, moved[0].shape).reshape(*moved[0].shape, 3)  # axes may be in another order
    inside = (slice(4, -4),) * 3
    return distance(np.stack(moved, -1)[inside].reshape(-1, 3), truth(points[inside].reshape(-1, 3)))


# FLIRT's and FNIRT's points, from FSL's documentation
def fsl_scale(affine, size):
    zooms = np.sqrt((affine[:3, :3] ** 2).sum(0))
    m = np.diag([*zooms, 1.0])
    if np.linalg.det(affine[:3, :3]) > 0:
        m = m @ np.array([[-1, 0, 0, size[0] - 1], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    return m @ np.linalg.inv(affine)


def check_simpleitk(p):
    try:
        import SimpleITK as sitk
    except ImportError as e:
        return skip("SimpleITK", e)

    def theirs(transform, points):
        return np.array([transform.TransformPoint(q) for q in points * [-1, -1, 1]]) * [-1, -1, 1]

    for name in ("a.tfm", "a.txt", "a.mat", "a.h5"):
        convert(name, ["affine.tfm"])
        say(f"SimpleITK reads {name}", distance(theirs(sitk.ReadTransform(name), p), truth_affine(p)))
        sitk.WriteTransform(sitk.ReadTransform(name), "their_" + name)
        say(f"aladdin reads SimpleITK's {name}", distance(ours(["their_" + name], p), truth_affine(p)))
    for name in ("c.h5", "c.tfm"):
        convert(name, WHOLE)
        say(f"SimpleITK reads the composite {name}", distance(theirs(sitk.ReadTransform(name), p), truth_whole(p)))
        sitk.WriteTransform(sitk.ReadTransform(name), "their_" + name)
        say(f"aladdin reads SimpleITK's composite {name}", distance(ours(["their_" + name], p), truth_whole(p)))
    for name in ("f.nii.gz", "f.nrrd", "f.mha"):
        convert(name, WHOLE)
        image = sitk.ReadImage(name, sitk.sitkVectorFloat64)
        say(f"SimpleITK reads the field {name}", distance(theirs(sitk.DisplacementFieldTransform(image), p), truth_whole(p)))
        sitk.WriteImage(sitk.Cast(sitk.ReadImage(name), sitk.sitkVectorFloat32), "their_" + name)
        say(f"aladdin reads SimpleITK's field {name}", distance(ours(["their_" + name], p), truth_whole(p)))


def check_ants(p):
    try:
        import ants
        import pandas as pd
    except ImportError as e:
        return skip("antspyx", e)
    convert("ants_", WHOLE, "--format", "ants")
    lps = pd.DataFrame(p * [-1, -1, 1], columns=["x", "y", "z"])
    for kind, files in (("the three files", ["ants_1Warp.nii.gz", "ants_0GenericAffine.mat"]), ("composite .h5", ["c.h5"])):
        convert("c.h5", WHOLE)
        moved = ants.apply_transforms_to_points(3, lps, files)
        say(f"ANTs reads {kind}", distance(moved[["x", "y", "z"]].to_numpy() * [-1, -1, 1], truth_whole(p)))
    matrix = ants.read_transform("ants_0GenericAffine.mat")
    ants.write_transform(matrix, "their_ants.mat")
    say("aladdin reads ANTs' .mat", distance(ours(["their_ants.mat"], p), truth_affine(p)))
    back = ants.apply_transforms_to_points(
        3, moved, ["ants_0GenericAffine.mat", "ants_1InverseWarp.nii.gz"], whichtoinvert=[True, False]
    )
    say("ANTs' inverse warp undoes the warp", distance(back[["x", "y", "z"]].to_numpy() * [-1, -1, 1], p), 0.05)


def check_greedy(p):
    if subprocess.run([sys.executable, "-c", "import picsl_greedy"], capture_output=True).returncode != 0:
        return skip("Greedy", "no picsl_greedy")

    def greedy(words):  # it may end its process
        run(sys.executable, "-c", f"from picsl_greedy import Greedy3D; Greedy3D().execute({words!r})")

    convert("greedy.mat", ["affine.tfm"], "--format", "greedy")
    convert("greedy.nii.gz", WHOLE, "--format", "greedy")
    for kind, files, truth in (
        ("matrix", "greedy.mat", truth_affine),
        ("warp", "greedy.nii.gz", truth_whole),
        ("warp and matrix", "field.nii.gz greedy.mat", truth_whole),
    ):

        def resample(a, b):
            greedy(f"-d 3 -rf ref.nii.gz -rm {a} {b} -r {files} -V 0")

        say(f"Greedy reads its {kind}", resampled_error(resample, truth))
    np.savetxt("their_greedy.mat", AFFINE)
    say("aladdin reads Greedy's matrix (NumPy)", distance(ours(["their_greedy.mat,as=greedy"], p), truth_affine(p)))
    save("fixed.nii.gz", np.random.default_rng(2).uniform(0, 1, REF_SIZE).astype(np.float32), REF)
    greedy("-d 3 -i fixed.nii.gz fixed.nii.gz -V 0 -a -dof 6 -n 1 -m NCC 1x1x1 -o their_rigid.mat -ia-identity")
    moved = ours(["their_rigid.mat,as=greedy"], p)
    say("aladdin reads a matrix that Greedy wrote", distance(moved, apply(np.loadtxt("their_rigid.mat"), p)))


def check_mrtrix(p):
    if not have("mrtransform"):
        return skip("MRtrix3", "no mrtransform")
    convert("mrtrix.txt", ["affine.tfm"], "--format", "mrtrix")
    for name in ("warp.mif", "warp.mif.gz", "warp.nii.gz"):
        convert(name, WHOLE, "--format", "mrtrix")

        def resample(a, b):
            run("mrtransform", "-quiet", "-force", "-interp", "linear", "-warp", name, a, b)

        say(f"MRtrix3 reads {name}", resampled_error(resample, truth_whole))

    def linear(a, b):
        run("mrtransform", "-quiet", "-force", "-interp", "linear", "-linear", "mrtrix.txt", "-template", "ref.nii.gz", a, b)

    say("MRtrix3 reads mrtrix.txt", resampled_error(linear, truth_affine))
    run("transformcalc", "-quiet", "-force", "mrtrix.txt", "invert", "their_mrtrix.txt")
    moved = ours(["their_mrtrix.txt,as=mrtrix,inverse"], p)
    say("aladdin reads MRtrix3's matrix", distance(moved, truth_affine(p)))
    run("mrconvert", "-quiet", "-force", "warp.mif", "their.mif", "-strides", "-2,3,-4,1", "-datatype", "float64be")
    say("aladdin reads MRtrix3's .mif, other strides", distance(ours(["their.mif"], p), truth_whole(p)))
    run("mrconvert", "-quiet", "-force", "warp.mif", "their.nii.gz")
    say("aladdin reads MRtrix3's NIfTI", distance(ours(["their.nii.gz,as=mrtrix"], p), truth_whole(p)))
    run("warpinit", "-quiet", "-force", "ref.nii.gz", "identity.mif")
    say("aladdin reads warpinit's field", distance(ours(["identity.mif"], p), p))


def check_fsl(p):
    convert("flirt.mat", ["affine.tfm"], "--format", "fsl")
    numpy_flirt = fsl_scale(REF, REF_SIZE) @ np.linalg.inv(AFFINE) @ np.linalg.inv(fsl_scale(SRC, SRC_SIZE))
    say("FLIRT's matrix, NumPy", distance(np.loadtxt("flirt.mat"), numpy_flirt), 1e-4, "")
    np.savetxt("their_flirt.mat", numpy_flirt)
    words = ",as=fsl,src=src.nii.gz,ref=ref.nii.gz"
    say("aladdin reads FLIRT's matrix (NumPy)", distance(ours(["their_flirt.mat" + words], p), truth_affine(p)))
    try:
        from fsl.data.image import Image
        from fsl.transform import affine as fslaffine
        from fsl.transform import flirt, fnirt, nonlinear
    except ImportError as e:
        return skip("fslpy", e)
    src, ref = Image("src.nii.gz"), Image("ref.nii.gz")
    world = flirt.fromFlirt(flirt.readFlirt("flirt.mat"), src, ref, "world", "world")  # source to reference
    say("fslpy reads FLIRT's matrix", distance(fslaffine.transform(p, np.linalg.inv(world)), truth_affine(p)))
    flirt.writeFlirt(flirt.toFlirt(np.linalg.inv(AFFINE), src, ref, "world", "world"), "fslpy.mat")
    say("aladdin reads fslpy's FLIRT matrix", distance(ours(["fslpy.mat" + words], p), truth_affine(p)))
    convert("fnirt.nii.gz", WHOLE, "--format", "fsl")
    field = fnirt.readFnirt("fnirt.nii.gz", src, ref)
    assert field.deformationType == "relative"
    v = grid_points(REF, REF_SIZE).reshape(*REF_SIZE, 3)[4:-4, 4:-4, 4:-4].reshape(-1, 3)
    moved = fnirt.fromFnirt(field, "world", "world").transform(v, "world", "world")
    say("fslpy reads FNIRT's field", distance(moved, truth_whole(v)))
    absolute = nonlinear.convertDeformationType(field, "absolute")
    data = nib.Nifti1Image(absolute.astype(np.float32), REF)
    data.header.set_intent(2006, allow_unknown=True)
    nib.save(data, "their_fnirt.nii.gz")
    say("aladdin reads fslpy's positions", distance(ours(["their_fnirt.nii.gz,src=src.nii.gz"], p), truth_whole(p)))


def check_niftyreg_spm(p):
    """No package has them: from their documentation."""
    grid = grid_points(REF, REF_SIZE)
    position = truth_whole(grid).reshape(*REF_SIZE, 1, 3).astype(np.float32)
    convert("niftyreg.txt", ["affine.tfm"], "--format", "niftyreg")
    say("NiftyReg's matrix, NumPy", distance(np.loadtxt("niftyreg.txt"), AFFINE), 1e-9, "")
    for name, form, p1 in (("def", "niftyreg", 0), ("disp", "niftyreg-disp", 1), ("y", "spm", 0)):
        convert(f"{name}.nii", WHOLE, "--format", form)
        image = nib.load(f"{name}.nii")
        expected = position - (grid.reshape(position.shape) if name == "disp" else 0)
        say(f"{form}: the values, NumPy", distance(image.get_fdata(), expected))
        other = nib.Nifti1Image(expected, REF)
        if form == "spm":
            other.header.set_intent(1007, (), "Mapping")
        else:
            other.header.set_intent(1007, (), "NREG_TRANS")
            other.header["intent_p1"] = p1
        nib.save(other, f"their_{name}.nii")
        say(f"aladdin reads {form} (NumPy)", distance(ours([f"their_{name}.nii"], p), truth_whole(p)))


def check_lta(p):
    convert("a.lta", ["affine.tfm"])
    try:
        from nitransforms.io.lta import FSLinearTransform

        lta = FSLinearTransform.from_filename("a.lta")
        say("nitransforms reads the LTA", distance(apply(np.asarray(lta.to_ras()), p), truth_affine(p)))
    except ImportError as e:
        skip("nitransforms", e)
    try:
        import surfa as sf
    except ImportError as e:
        return skip("surfa", e)
    a = sf.load_affine("a.lta").convert(space="world")
    say("surfa reads the LTA", distance(apply(np.linalg.inv(a.matrix), p), truth_affine(p)))
    source, target = sf.load_volume("src.nii.gz"), sf.load_volume("ref.nii.gz")
    theirs = sf.Affine(np.linalg.inv(AFFINE), source=source, target=target, space="world")
    for space in ("world", "voxel"):
        theirs.convert(space=space).save(f"their_{space}.lta")
        say(f"aladdin reads surfa's LTA of {space}s", distance(ours([f"their_{space}.lta"], p), truth_affine(p)))


def check_x5(p):
    try:
        import h5py
        from nitransforms.io import x5
        from nitransforms.linear import Affine
        from nitransforms.manip import TransformChain
        from nitransforms.nonlinear import DenseFieldTransform
    except ImportError as e:
        return skip("X5", e)
    voxels = grid_points(REF, REF_SIZE).reshape(*REF_SIZE, 3)[4:-4, 4:-4, 4:-4].reshape(-1, 3)  # their interpolation is cubic
    convert("a.x5", ["affine.tfm"])
    say("nitransforms reads the X5 affine", distance(Affine.from_filename("a.x5", fmt="X5").map(p), truth_affine(p)))
    convert("c.x5", WHOLE)
    moved = TransformChain.from_filename("c.x5", fmt="X5").map(voxels)
    say("nitransforms reads the X5 chain", distance(moved, truth_whole(voxels)))
    with h5py.File("c.x5", "r") as f:
        node = f["TransformGroup/0"]
        say("h5py: the field's values", distance(node["Transform"][()], U))
        say("h5py: the field's grid", distance(node["Domain/Mapping"][()], REF), 1e-5)
    x5.to_filename("their_a.x5", [Affine(AFFINE, reference="ref.nii.gz").to_x5()])
    say("aladdin reads nitransforms' X5 affine", distance(ours(["their_a.x5"], p), truth_affine(p)))
    field = DenseFieldTransform(U.astype(np.float64), is_deltas=True, reference="ref.nii.gz")
    positions = DenseFieldTransform(field._field, is_deltas=False, reference="ref.nii.gz")
    for name, one in (("displacements", field), ("positions", positions)):
        x5.to_filename("their_f.x5", [one.to_x5()])
        expected = p + interpolated(U, p)
        say(f"aladdin reads nitransforms' X5 {name}", distance(ours(["their_f.x5"], p), expected))
    if os.path.exists("their_c.x5"):
        os.remove("their_c.x5")
    TransformChain([field, Affine(AFFINE, reference="ref.nii.gz")]).to_filename("their_c.x5")
    say("aladdin reads nitransforms' X5 chain", distance(ours(["their_c.x5"], p), truth_whole(p)))


def check_minc():
    """The file is that of minc-tools, read by nibabel, and by us."""
    if not have("nii2mnc"):
        return skip("MINC", "no nii2mnc (minc-tools)")
    data = np.random.default_rng(6).uniform(0, 100, REF_SIZE).astype(np.float32)
    save("for_minc.nii", data, REF)
    if os.path.exists("one.mnc"):
        os.remove("one.mnc")
    run("nii2mnc", "-quiet", "for_minc.nii", "one.mnc")
    run("mincconvert", "-2", "-clobber", "one.mnc", "image.mnc")
    theirs = nib.load("image.mnc")
    run(ALADDIN, "warp", "image.mnc", "--like", "image.mnc", "--interp", "nearest", "-o", "from_minc.nii", "--force")
    mine = nib.load("from_minc.nii")
    # The axes of the file are in another order, and ITK turns those with a negative step.
    theirs, mine = nib.as_closest_canonical(theirs), nib.as_closest_canonical(mine)
    say("MINC, read: voxels, nibabel", float(np.abs(mine.get_fdata() - theirs.get_fdata()).max()), 1e-4, "")
    say("MINC, read: affine, nibabel", distance(mine.affine, theirs.affine), 1e-4)


def check_mgh():
    rng = np.random.default_rng(3)
    for kind, extension in ((np.uint8, "mgz"), (np.int16, "mgh"), (np.int32, "mgz"), (np.float32, "mgz")):
        data = (rng.uniform(0, 200, REF_SIZE)).astype(kind)
        nib.save(nib.MGHImage(data, REF), f"theirs.{extension}")
        run(ALADDIN, "warp", f"theirs.{extension}", "--like", f"theirs.{extension}", "--interp", "nearest", "-o", "ours.nii", "--force")
        image = nib.load("ours.nii")
        say(f"MGH of {kind.__name__}, read: voxels", float(np.abs(image.get_fdata() - data).max()), 0, "")
        say(f"MGH of {kind.__name__}, read: affine", distance(image.affine, nib.load(f"theirs.{extension}").affine), 1e-4)
    save("labels.nii.gz", (rng.uniform(0, 2000, REF_SIZE)).astype(np.int16), REF)
    save("values.nii.gz", rng.uniform(0, 1, REF_SIZE).astype(np.float32), REF)
    for name in ("labels", "values"):
        for extension in ("mgz", "mgh"):
            run(ALADDIN, "warp", f"{name}.nii.gz", "--like", f"{name}.nii.gz", "--interp", "nearest", "-o", f"ours.{extension}", "--force")
            image, expected = nib.load(f"ours.{extension}"), nib.load(f"{name}.nii.gz")
            say(f"{extension} of {name}, written: voxels", float(np.abs(image.get_fdata() - expected.get_fdata()).max()), 0, "")
            say(f"{extension} of {name}, written: affine", distance(image.affine, expected.affine), 1e-4)
    stack = rng.uniform(0, 1, (*REF_SIZE, 4)).astype(np.float32)
    nib.save(nib.MGHImage(stack, REF), "stack.mgz")
    save("stack.nii.gz", stack, REF)
    for name in ("stack.mgz", "stack.nii.gz"):
        run(ALADDIN, "warp", f"{name},2", "--like", f"{name},0", "-o", "ours.nii", "--force")
        say(f"volume 2 of {name}", float(np.abs(nib.load("ours.nii").get_fdata() - stack[..., 2]).max()), 0, "")


def check_shear():
    from scipy.ndimage import map_coordinates

    shear = np.eye(4)
    shear[1, 2], shear[0, 1] = 0.28, -0.12  # a gantry tilt, and a registration's
    affine = REF @ shear
    rng = np.random.default_rng(5)
    data = rng.uniform(0, 100, REF_SIZE).astype(np.float32)
    image = nib.Nifti1Image(data, affine)
    image.set_sform(affine, 1)
    image.header["qform_code"] = 0
    nib.save(image, "sheared.nii.gz")
    like = image_affine([1, 1, 1.3], -0.1, apply(affine, np.array([6, 6, 5.0])), 1)
    save("like.nii.gz", np.zeros((20, 18, 14), np.float32), like)
    run(ALADDIN, "warp", "sheared.nii.gz", "--like", "like.nii.gz", "--interp", "linear", "-o", "straight.nii.gz", "--force")
    index = apply(np.linalg.inv(affine) @ like, np.stack(np.meshgrid(*map(np.arange, (20, 18, 14)), indexing="ij"), -1).reshape(-1, 3).astype(float))
    inside = np.all((index >= 0) & (index <= np.array(REF_SIZE) - 1), axis=1)
    expected = map_coordinates(data.astype(float), index.T, order=1)[inside]
    got = nib.load("straight.nii.gz").get_fdata().ravel()[inside]
    say(f"sheared image against SciPy ({inside.sum()} voxels)", distance(got, expected), 1e-3, "")


def main():
    global U
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)
    U = write_truth()
    p = points_inside()
    say("aladdin: the affine", distance(ours(["affine.tfm"], p), truth_affine(p)))
    say("aladdin: the field, then the affine", distance(ours(WHOLE, p), truth_whole(p)))
    for check in (check_simpleitk, check_ants, check_greedy, check_mrtrix, check_fsl, check_niftyreg_spm, check_lta, check_x5):
        try:
            check(p)
        except Exception as e:  # the others go on
            failed.append(check.__name__)
            print(f"{check.__name__}: {type(e).__name__}: {e}   FAILED", flush=True)
    for check in (check_mgh, check_minc, check_shear):
        try:
            check()
        except Exception as e:
            failed.append(check.__name__)
            print(f"{check.__name__}: {type(e).__name__}: {e}   FAILED", flush=True)
    print(f"{len(failed)} failed{': ' if failed else ''}{', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
