"""Every command as a function. Made by python/tools/generate.py from the declarations of the commands: do not edit."""

# ruff: noqa
# fmt: off

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, Union

from . import _invoke, _results
from ._call import Progress
from ._images import PathLike
from ._run import Run

if TYPE_CHECKING:
    import pandas as pd

    from ._images import ImageLike, LabelsLike

    #: A path or a pattern, as 'aladdin build' takes it, or a table with the columns id, image, …
    CohortLike = Union[PathLike, pd.DataFrame]

Settings = TypedDict(
    "Settings",
    {
        "network.width": int,  # channels at full resolution
        "network.depth": int,  # number of times that the resolution is halved
        "network.velocity_scale": int,  # 1: velocity at full resolution, 2: at half
        "network.passes": Sequence[int],  # downsampling of each pass; every pass refines the last; [1]: one pass, as in the paper
        "network.squarings": int,  # steps of scaling and squaring
        "network.flow": Literal["velocity", "image", "atlas"],  # what the network predicts: a velocity, or a displacement of the image or the atlas
        "network.published": bool,  # the published code's quirks: residual sums, first flow, flow in [-1, 1], zero border
        "loss.energy": Literal["aladdin", "voxelmorph", "he", "dalca"],  # the energy of this method, see docs/methods.md
        "loss.similarity": Literal["mse", "ncc", "lncc", "mi"],  # how two images are compared
        "loss.window": int,  # lncc: voxels along each axis
        "loss.bins": int,  # mi: bins of the histogram
        "loss.sim": float,  # weight of the similarity
        "loss.regulariser": Literal["bending", "gradient", "velocity"],  # bending or gradient of Phi_{1,0}, or gradient of the velocity
        "loss.lambda": float,  # weight of the regulariser
        "loss.length": Literal["voxel", "mm"],  # unit of length for bending: voxel (the mean one of the working grid) or mm
        "loss.volume": float,  # weight of the mean squared log determinant
        "loss.gamma1": float,  # weight of the pairs in atlas space
        "loss.gamma2": float,  # weight of the pairs in image space
        "loss.supervise": float,  # weight of the Dice of the training labels; 0: images only
        "loss.magnitude": float,  # dalca: weight of the squared displacement, 1/mm^2
        "loss.middle": float,  # dalca, he: weight of the squared mean displacement, 1/mm^2
        "loss.cycle": float,  # he: weight of the squared inverse error, 1/mm^2
        "loss.published": bool,  # the published code's terms: units, normalisation, pairs of the halves of a batch
        "atlas.update": Literal["forward", "backward", "learned", "adam", "fixed"],  # by Eq. 4, by Eq. 3, learned by SGD each epoch or by Adam each step, or fixed
        "atlas.init": str,  # mean, medoid, or an image file
        "atlas.every": int,  # epochs between updates
        "atlas.rate": float,  # learned: rate of its SGD, one step per epoch; times the voxels over 80 x 192 x 192
        "atlas.floor": float,  # forward: smallest weight of a determinant
        "atlas.centre": bool,  # keep the mean displacement of the cohort at zero
        "atlas.robust": bool,  # optimise: a subject that matches far worse than the others weighs less
        "train.engine": Literal["auto", "learn", "optimise", "none", "joshi", "absorb"],  # learn a network or optimise velocities (auto: up to 40 subjects), or a method's own
        "train.affine": bool,  # align all subjects affinely to their evolving mean first
        "train.epochs": Sequence[int],  # rounds through the training subjects, for each stage of the pyramid
        "train.minutes": float,  # more than 0: train for so many minutes, shared by the stages like the work of the epochs
        "train.teach": float,  # learn: weight of the distance to velocities that are optimised first, with the atlas; 0: off
        "train.least": int,  # learn: smallest number of subjects per epoch; a smaller cohort is repeated
        "train.batch": int,  # subjects per step
        "train.rate": float,  # highest learning rate of Adam
        "train.schedule": Literal["constant", "multistep", "cosine"],  # course of the rate
        "train.warmup": float,  # cosine: fraction of the training with a rising rate
        "train.milestones": Sequence[float],  # multistep: fractions of the training at which the rate drops
        "train.decay": float,  # multistep: factor of each drop
        "train.clip": float,  # largest norm of a gradient; 0: no limit
        "train.average": float,  # decay of the exponential average of the weights; 0: no average
        "train.augment": float,  # strength of random affine and intensity changes; 0: none
        "train.pyramid": Sequence[int],  # downsampling of each stage; [1]: off
        "train.last": float,  # fraction of the training after the last atlas update
        "train.refine": int,  # learn: most iterations that refine the network's result, of any image; 0: none
        "train.validate_every": int,  # epochs between validations; 0: only at the end
        "train.patience": int,  # stop after so many validations without progress; 0: never
        "train.checkpoint_minutes": float,  # minutes between checkpoints
        "train.seed": int,  # seed of all random numbers
        "optimise.iterations": int,  # most iterations on each grid for an image registered without a network
        "optimise.tolerance": float,  # converged: five iterations lower the energy by less than this share
        "demons.sigma": float,  # Gaussian that smooths the displacement, in voxels
        "demons.iterations": int,  # iterations of each registration
        "demons.neighbours": int,  # absorb: number of nearest images whose mean is the target
        "demons.levels": int,  # absorb: largest number of levels of the hierarchy
    },
    total=False,
)
"""Settings of a build by their names (docs/configuration.md)."""

__all__ = [
    "Settings",
    "atlas",
    "build",
    "cohort",
    "compare",
    "evaluate",
    "info",
    "measure",
    "report",
    "snapshot",
    "stats",
    "synth",
    "tune",
]


def build(
    source: "CohortLike",
    *,
    output: PathLike,
    labels: Optional[PathLike] = None,
    masks: Optional[PathLike] = None,
    exclude: Optional[Union[str, Sequence[str]]] = None,
    suffix: Optional[str] = None,
    channel: Optional[int] = None,
    spacing: Optional[Union[Sequence[float], float]] = None,
    size: Optional[Union[Sequence[float], float]] = None,
    like: Optional[PathLike] = None,
    downsample: Optional[float] = None,
    keep_positions: bool = False,
    preset: Optional[Literal["default", "paper", "reference", "fast", "none", "affine", "joshi", "absorb", "voxelmorph", "he", "dalca"]] = None,
    config: Optional[PathLike] = None,
    settings: Optional[Settings] = None,
    engine: Optional[str] = None,
    epochs: Optional[Union[Sequence[int], str]] = None,
    minutes: Optional[float] = None,
    batch: Optional[int] = None,
    rate: Optional[float] = None,
    similarity: Optional[str] = None,
    window: Optional[int] = None,
    lambda_: Optional[float] = None,
    gamma1: Optional[float] = None,
    gamma2: Optional[float] = None,
    velocity_scale: Optional[int] = None,
    atlas: Optional[str] = None,
    init: Optional[PathLike] = None,
    refine: Optional[int] = None,
    seed: Optional[int] = None,
    pyramid: Optional[Union[Sequence[int], str]] = None,
    centre: Optional[Literal["on", "off"]] = None,
    affine: bool = False,
    supervise: bool = False,
    device: Optional[str] = None,
    warped: bool = False,
    fields: Optional[Literal["registration", "native"]] = None,
    bids: bool = False,
    bids_label: Optional[str] = None,
    no_report: bool = False,
    profile: bool = False,
    resume: bool = False,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Run:
    """Build an atlas and learn to register to it.

    Builds the atlas of a cohort and, jointly, trains the network that registers images to it.
    The run directory gets the atlas with its labels, probabilities and variability, the model,
    both transforms of every subject, metrics and settings.

    Subjects of the split train, or without a split, make the atlas. Those of val are measured
    during training. All subjects are registered at the end. docs/configuration.md lists the
    settings; settings and config change them, and config.toml in the run directory records
    them.

    Ctrl-C (SIGINT), SIGTERM and SIGHUP stop a build after the current step, with a checkpoint
    and the exit code 130, 143 or 129; a second signal stops it at once. Resume it with the same
    command and resume.

    When mpirun, srun or torchrun start several processes, they train one atlas and share every
    batch (docs/cluster.md).

    Parameters
    ----------
    source : FILE | DIR | PATTERN, required
        A CSV (id,image[,label,mask,split,...]), a folder, a quoted pattern, a Decathlon or
        nnU-Net folder, or a BIDS tree
    output : DIR, required
        The run directory
    labels : DIR | PATTERN
        Label maps: a folder, or a pattern with * for the id
    masks : DIR | PATTERN
        Masks, given in the same way
    exclude : ID
        Omit this subject; repeatable
    suffix : NAME
        BIDS: suffix of the images [T1w]
    channel : N
        nnU-Net: channel to read [0]
    spacing : L,P,S
        Spacing of the working grid in mm (default: the median)
    size : L,P,S
        Size of the working grid in voxels (default: as large as needed)
    like : FILE
        Use the grid of this image
    downsample : F
        Make the working grid coarser by this factor [1]
    keep_positions : bool
        Do not align the centres of the subjects
    preset : default | paper | reference | fast | none | affine | joshi | absorb | voxelmorph | he | dalca
        default, paper, reference, fast, none, affine, joshi, absorb, voxelmorph, he, dalca:
        docs/methods.md [default]
    config : FILE
        Settings from a TOML file, on top of the preset
    settings : KEY=VALUE
        One setting, such as train.rate=1e-4; repeatable
    engine : NAME
        Learn a network, optimise velocities, or a method's own way: auto, learn, optimise,
        none, joshi or absorb (train.engine)
    epochs : N,N,...
        Epochs of each stage (train.epochs)
    minutes : T
        Train for so many minutes instead (train.minutes)
    batch : N
        Subjects per step (train.batch)
    rate : R
        Learning rate (train.rate)
    similarity : NAME
        How two images are compared: mse, ncc, lncc or mi (loss.similarity)
    window : N
        Window of lncc in voxels (loss.window)
    lambda_ : W
        Weight of the regularity (loss.lambda)
    gamma1 : W
        Weight of the pairs in atlas space (loss.gamma1)
    gamma2 : W
        Weight of the pairs in image space (loss.gamma2)
    velocity_scale : 1 | 2
        Velocity at full or half resolution (network.velocity_scale)
    atlas : NAME
        How the atlas is made: forward, backward, learned, adam or fixed (atlas.update)
    init : NAME | FILE
        Initial atlas: mean, medoid or an image (atlas.init)
    refine : N
        Iterations that refine each subject at the end (train.refine)
    seed : N
        Seed of all random numbers (train.seed)
    pyramid : N,N,... | off
        Downsampling factor of each stage, or off (train.pyramid)
    centre : on | off
        Keep the atlas in the middle of the cohort (atlas.centre)
    affine : bool
        First align all subjects affinely to their evolving mean (train.affine)
    supervise : bool
        Use the labels of the training subjects (loss.supervise)
    device : NAME
        Device to train on: cpu, cuda, cuda:1 [cpu]
    warped : bool
        Also write every image on the atlas grid
    fields : registration | native
        Grid of from-atlas_to-native: that of the registration, or that of the image
        [registration]
    bids : bool
        Also lay the results out as a BIDS derivative dataset, of a BIDS tree
    bids_label : LABEL
        What BIDS names call the atlas: tpl-LABEL [atlas]
    no_report : bool
        Do not write the report page
    profile : bool
        Print how the time of a step was spent
    resume : bool
        Resume an interrupted run; start a new one if there is none
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The run.
    """
    given = dict(locals())
    printed = _invoke.invoke("build", given, threads=threads, progress=progress)
    return _results.build(given, printed)


def register_files(
    run: PathLike,
    images: Optional[Union[PathLike, Sequence[PathLike]]] = None,
    *,
    output: PathLike,
    shard: Optional[str] = None,
    masks: Optional[PathLike] = None,
    suffix: Optional[str] = None,
    to: Optional[PathLike] = None,
    to_mask: Optional[PathLike] = None,
    to_labels: Optional[PathLike] = None,
    kind: Optional[Literal["rigid", "similarity", "affine", "diffeomorphic"]] = None,
    similarity: Optional[Literal["mse", "ncc", "lncc", "mi"]] = None,
    lambda_: Optional[float] = None,
    spacing: Optional[float] = None,
    warped: bool = False,
    labels: bool = False,
    fields: Optional[Literal["registration", "native"]] = None,
    refine: Optional[int] = None,
    where: Optional[str] = None,
    at: Optional[str] = None,
    bandwidth: Optional[str] = None,
    drop_missing: bool = False,
    extrapolate: bool = False,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> "pd.DataFrame":
    """Register new images to an atlas, or to another image.

    Registers images like those that the atlas was built from: each in its own space, at its own
    size and resolution, nothing to prepare. RUN is the folder that 'aladdin build' made, or a
    model file (model.safetensors) on its own.

    For every IMAGE two displacement fields are written (LPS mm, as ITK and ANTs read them):

    OUT/transforms/<name>_from-native_to-atlas_mode-image_xfm.nii.gz lives on the atlas grid and
    pulls the image into atlas space; OUT/transforms/<name>_from-atlas_to-native_mode-
    image_xfm.nii.gz pulls the atlas to the image. The latter covers the image with the voxels
    of the registration: resampled with like IMAGE it loses nothing, and it is small; fields
    native writes it on the image's own grid.

    warped adds the image on the atlas grid (OUT/warped/<name>.nii.gz), labels the labels of the
    atlas on the image's grid (OUT/labels/<name>.nii.gz). With neither, both are written, the
    labels if the run has any.

    The network's answer is refined by optimisation against the atlas until it has converged, as
    it was for the cohort: the same image gets the same transforms. refine 0 takes the network's
    answer alone, which is faster. A model made with engine optimise has no network and always
    optimises.

    An image with a mask is compared within it alone; a cohort may name masks, as for 'aladdin
    build', or masks does.

    Small images are registered side by side, each on one thread; a single small one has one
    thread unless threads says otherwise.

    With at or where, images are registered to the atlas of that age or subgroup, made as
    'aladdin atlas' makes it, and from there on to the population's: the fields above mean what
    they always mean, so that results stay comparable, and OUT/transforms/<name>_from-native_to-
    conditional_mode-image_xfm.nii.gz and <name>_from-conditional_to-native_mode-
    image_xfm.nii.gz are those of the registration itself. The labels are those of that atlas.

    to FIXED registers to an image, without an atlas and without training: a rigid, similarity,
    affine or diffeomorphic registration (kind), found from the pose in the headers and from
    others, up to 40 degrees away. OUT/transforms/<name>_from-moving_to-fixed_mode-image_xfm
    pulls the image onto FIXED, <name>_from-fixed_to-moving_mode-image_xfm the other way: .tfm
    for a matrix, .nii.gz for fields. Masks of both (to_mask, masks) say where they count, and
    what an image does not show counts nowhere.

    If one of several images cannot be registered, the others still are, and the exit code is 1.

    Parameters
    ----------
    run : DIR | FILE, required
        The folder of an atlas, or its model file
    images : FILE | DIR
        Images to register: files, DICOM folders, or cohorts as 'aladdin build' takes them
        (CSV, folder, quoted pattern, BIDS tree)
    output : DIR, required
        Folder for the results
    shard : I/N
        Register one share of the images, such as 2/8 (array jobs)
    masks : DIR | PATTERN
        Masks, where a cohort names none: a folder, or a pattern with * for the name
    suffix : NAME
        BIDS: suffix of the images [T1w]
    to : FILE
        Register to this image instead of an atlas; all arguments are images then
    to_mask : FILE
        With to: its mask
    to_labels : FILE
        With to: its labels, to be carried to the grid of each image
    kind : rigid | similarity | affine | diffeomorphic
        With to: what is found. Without it diffeomorphic, or rigid if the names of both
        files begin with the same sub-LABEL
    similarity : mse | ncc | lncc | mi
        With to: how the two are compared, by default lncc; maps by ncc where it is lncc. mi
        is for images of different contrast
    lambda_ : W
        With to: weight of the regularity [loss.lambda]
    spacing : MM
        With to: the deformation is found at this spacing if that is coarser [of the image
        that is registered to]
    warped : bool
        Write the image on the atlas grid
    labels : bool
        Write the labels of the atlas on the image's grid
    fields : registration | native
        Grid of from-atlas_to-native: that of the registration, or that of the image
        [registration]
    refine : N
        Improve the network's result by at most N iterations of optimisation; 0: none
        [train.refine of the run]
    where : CONDITION
        Subjects of the atlas: a condition such as 'sex=F and age>60'
    at : VALUES
        Covariates of the atlas, such as age=70,sex=F
    bandwidth : WIDTH
        How far from these numbers subjects count, in their units, such as 5 or
        age=5,etiv=100 (default: chosen by leave-one-out)
    drop_missing : bool
        Omit subjects that lack a value of a covariate that is named
    extrapolate : bool
        Allow numbers outside the range of the subjects
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    How well each image was registered; the files are in `output`.
    """
    given = dict(locals())
    printed = _invoke.invoke("register", given, threads=threads, progress=progress)
    return _results.register(given, printed)


def atlas(
    run: PathLike,
    *,
    output: PathLike,
    where: Optional[str] = None,
    at: Optional[str] = None,
    bandwidth: Optional[str] = None,
    drop_missing: bool = False,
    extrapolate: bool = False,
    sweep: Optional[str] = None,
    names: Optional[Union[PathLike, Mapping[int, str]]] = None,
    seed: Optional[int] = None,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> str:
    """Make the atlas of a subgroup or an age from a finished run.

    Makes the atlas of a part of a run's cohort: of a subgroup, of an age, of any value of the
    covariates. Nothing is trained: the registrations of RUN, a folder that 'aladdin build'
    made, are averaged anew.

    where keeps the training subjects that fulfil a condition. at names where the atlas is:
    subjects of the same category count, those with nearer numbers count more (local linear
    regression, which is unbiased at the ends of the range). Both may be given. sweep makes one
    atlas for each of several values. With none of them, the atlas is that of everybody.

    OUT gets the same files as a run: atlas.nii.gz, atlas_labels.nii.gz,
    atlas_probabilities.nii.gz and atlas_variability.nii.gz, on the grid of the run's atlas;
    both transforms between this atlas and the population's; logjacobian.nii.gz, above 0 where
    this atlas is larger than the population's; volumes.csv, weights.csv, atlas.json and
    page.html. A sweep has a folder for each value, and sweep.nii.gz with all of them.

    The bandwidth says how far from the asked number subjects count: the standard deviation of a
    Gaussian, in the number's unit. Unless it is given, it is the one that best predicts the
    velocity of each subject from the others; the output has the whole curve.

    docs/conditional.md has formulas and files.

    Parameters
    ----------
    run : DIR, required
        Run directory
    output : DIR, required
        Folder for the atlas
    where : CONDITION
        Subjects of the atlas: a condition such as 'sex=F and age>60'
    at : VALUES
        Covariates of the atlas, such as age=70,sex=F
    bandwidth : WIDTH
        How far from these numbers subjects count, in their units, such as 5 or
        age=5,etiv=100 (default: chosen by leave-one-out)
    drop_missing : bool
        Omit subjects that lack a value of a covariate that is named
    extrapolate : bool
        Allow numbers outside the range of the subjects
    sweep : NAME=FROM
        One atlas for each value of a number, such as age=20:90:5
    names : FILE
        Names of the labels: a CSV or TSV with label and name, or a colour table of
        FreeSurfer or ITK-SNAP (default: the names in the cohort)
    seed : N
        Seed of all random numbers [0]
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    What it prints.
    """
    given = dict(locals())
    printed = _invoke.invoke("atlas", given, threads=threads, progress=progress)
    return printed


def evaluate(
    runs: Optional[Union[PathLike, Sequence[PathLike]]] = None,
    *,
    labels: Optional[str] = None,
    cohort: Optional["CohortLike"] = None,
    images: Optional[str] = None,
    to_atlas: Optional[Union[str, Sequence[str]]] = None,
    to_native: Optional[Union[str, Sequence[str]]] = None,
    atlas: Optional[PathLike] = None,
    atlas_labels: Optional[PathLike] = None,
    split: Optional[Literal["train", "val", "test", "all"]] = None,
    group: Optional[Mapping[str, Sequence[int]]] = None,
    names: Optional[Union[PathLike, Mapping[int, str]]] = None,
    exact: bool = False,
    no_surfaces: bool = False,
    csv: Optional[PathLike] = None,
    shard: Optional[str] = None,
    part: Optional[PathLike] = None,
    merge: Optional[Union[PathLike, Sequence[PathLike]]] = None,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> _results.Evaluation:
    """Measure an atlas and its registrations.

    Measures an atlas as the paper does, from the labels of the subjects and the transforms
    between them and the atlas. RUN is a folder made by 'aladdin build'.

    Dice comes in four kinds. bridge: the labels of all other subjects, carried through the
    atlas, against the subject's own, in the subject's own space. image: the atlas's labels
    against the subject's. atlas: each subject's labels in atlas space against the vote of all.
    atlas pairs: the same for every pair of subjects.

    By default the votes of the bridge are summed in atlas space, which takes one transform per
    subject. exact composes the transforms of every pair and interpolates once.

    Several runs are compared by their bridge Dice, paired by subject, with Wilcoxon's signed-
    rank test and Holm's correction.

    Without a RUN, evaluate reads the transforms of any program that writes ITK's formats (ANTs,
    Greedy, SimpleITK): name the label maps with labels and the transforms with to_atlas and
    to_native, with {id} for the subject. to_atlas lives on the atlas grid and pulls a subject
    into atlas space; to_native pulls the atlas to the subject. If only one is given, the other
    is its numerical inverse.

    Subjects without labels have no Dice; label-free measures are still reported.

    An array job shares the work: in each task shard 2/8 measures every eighth subject against
    the votes of all and writes its part; merge then combines the parts to the results of a
    single process.

    docs/evaluation.md has the formula of every measure.

    Parameters
    ----------
    runs : DIR
        Run directories; several are compared
    labels : PATTERN
        Label maps, with {id} for the subject
    cohort : SOURCE
        A cohort with labels, images and splits, as for 'aladdin cohort'
    images : PATTERN
        Images, to measure their similarity to atlas, or instead of labels
    to_atlas : PATTERN[,inverse]
        Transforms that pull a subject into atlas space, stacked as in 'aladdin warp'
    to_native : PATTERN[,inverse]
        Transforms that pull the atlas to a subject
    atlas : FILE
        Image of the atlas (default: only the grid of the transforms)
    atlas_labels : FILE
        Labels of the atlas, or 'vote' (default: those of the run, else the subjects' vote)
    split : train | val | test | all
        Subjects to measure (default: val if there are any, else all; labelled ones first)
    group : NAME=LABELS
        Average these structures, e.g. bone=1,3; repeatable
    names : FILE
        Names of the labels: a CSV or TSV with label and name, or a colour table of
        FreeSurfer or ITK-SNAP (default: the names in the cohort)
    exact : bool
        Compose the transforms of every pair for the bridge Dice
    no_surfaces : bool
        Omit the surface distances
    csv : FILE
        Write the results of every subject
    shard : I/N
        Measure one share, such as 2/8, and write part
    part : FILE
        File for the results of the share
    merge : FILE
        Combine the parts of all shares
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    Tables of the measures.
    """
    given = dict(locals())
    printed = _invoke.invoke("evaluate", given, threads=threads, progress=progress)
    return _results.evaluate(given, printed)


def measure(
    run: Optional[PathLike] = None,
    *,
    output: PathLike,
    smooth: Optional[float] = None,
    total: Optional[Union[Sequence[int], int]] = None,
    mask: Optional[PathLike] = None,
    split: Optional[Literal["all", "train", "val", "test"]] = None,
    maps: Optional[Literal["absolute", "relative", "both", "none"]] = None,
    to_atlas: Optional[Union[str, Sequence[str]]] = None,
    to_native: Optional[Union[str, Sequence[str]]] = None,
    cohort: Optional["CohortLike"] = None,
    labels: Optional[str] = None,
    images: Optional[str] = None,
    atlas: Optional[PathLike] = None,
    atlas_labels: Optional[PathLike] = None,
    names: Optional[Union[PathLike, Mapping[int, str]]] = None,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> _results.Measures:
    """Measure sizes of subjects against the atlas: maps and structures.

    Measures how much larger or smaller every subject is than the atlas, at each point of the
    atlas and by structure. RUN is a folder that 'aladdin build' made.

    The maps are log-Jacobians in atlas space: positive where the subject is larger than the
    atlas, negative where it is smaller. The absolute map has size in it; from the relative map
    the overall size, that of an affine fit over the analysed part of the atlas, is removed.

    measures.csv has one line per subject and structure, with the covariates of the cohort: the
    volume counted in the subject's own label map, the volume that the transform gives to the
    atlas's structure, and the mean of both log-Jacobians over it. measures.json has settings
    and definitions.

    With to_atlas, images that were registered later are measured against the atlas of RUN, or,
    without RUN, against the atlas that atlas or atlas_labels names. Any transforms that ITK
    reads will do; {id} stands for the subject.

    docs/statistics.md has the formulas, and says which map to model when.

    Parameters
    ----------
    run : DIR
        Run directory
    output : DIR, required
        Folder for maps and tables
    smooth : MM
        Smooth the maps by a Gaussian of this full width at half maximum, within the mask
        [0]
    total : LABELS
        Labels that make up the total, such as 1,2,3 (default: all)
    mask : FILE
        Analysed part, on the atlas grid (default: the labels of the atlas, else its
        foreground)
    split : all | train | val | test
        Subjects to measure [all]
    maps : absolute | relative | both | none
        Maps to write [both]
    to_atlas : PATTERN[,inverse]
        Measure these transforms instead of those of RUN; they pull a subject into atlas
        space, stacked as in 'aladdin warp'
    to_native : PATTERN[,inverse]
        Transforms that pull the atlas to a subject; inverted if there is no to_atlas
    cohort : SOURCE
        The subjects, with labels, splits and covariates, as for 'aladdin cohort'
    labels : PATTERN
        Their label maps, for volumes
    images : PATTERN
        Images, which name the subjects
    atlas : FILE
        Image of the atlas, without a RUN
    atlas_labels : FILE
        Labels of the atlas (default: those of RUN)
    names : FILE
        Names of the labels: a CSV or TSV with label and name, or a colour table of
        FreeSurfer or ITK-SNAP (default: the names in the cohort)
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    Tables and maps.
    """
    given = dict(locals())
    printed = _invoke.invoke("measure", given, threads=threads, progress=progress)
    return _results.measure(given, printed)


def stats(
    run: PathLike,
    *,
    model: str,
    test: str,
    output: PathLike,
    covariates: Optional[PathLike] = None,
    blocks: Optional[str] = None,
    measure: Optional[Literal["absolute", "relative"]] = None,
    smooth: Optional[float] = None,
    total: Optional[Union[Sequence[int], int]] = None,
    mask: Optional[PathLike] = None,
    split: Optional[Literal["all", "train", "val", "test"]] = None,
    drop_missing: bool = False,
    permutations: Optional[int] = None,
    no_tfce: bool = False,
    tail: Optional[Literal["empirical", "gamma", "pareto"]] = None,
    alpha: Optional[float] = None,
    resume: bool = False,
    names: Optional[Union[PathLike, Mapping[int, str]]] = None,
    seed: Optional[int] = None,
    force: bool = False,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> _results.Findings:
    """Test where sizes vary with a covariate, corrected by permutation.

    Tests, at every voxel of the atlas and for every structure, whether the size of the subjects
    of RUN varies with a covariate while others are held. RUN is a folder that 'aladdin build'
    made.

    The model is a formula of covariates, as in R: 'age + sex + group', 'age*sex', 'age^2',
    C(site) for a category of numbers. Covariates are columns of the cohort's CSV, which a run
    keeps, or of covariates; 'total' is the subject's total volume. Numbers are centred; a
    category has one column per level but the first.

    The test is a term of the model (t; F for a category of more than two levels), a combination
    of columns such as 'group[AD] - group[MCI]', or 1 for the mean.

    p values are corrected over the atlas by permutation (Freedman and Lane): by the largest
    statistic, and by threshold-free cluster enhancement (TFCE). A permutation test that was
    stopped resumes with resume.

    docs/statistics.md has the formulas and an example.

    Parameters
    ----------
    run : DIR, required
        Run directory
    model : FORMULA, required
        Covariates of the model, such as 'age + sex'
    test : TERM, required
        What is tested: a term, a combination of columns, or 1
    output : DIR, required
        Folder for maps, tables and page
    covariates : CSV
        Table with a column 'id'; adds to or replaces the cohort's covariates
    blocks : COLUMN
        Covariate that names what belongs together (repeated scans); permutations respect it
    measure : absolute | relative
        Log-Jacobian that is modelled [absolute]
    smooth : MM
        Full width at half maximum of the smoothing [4]
    total : LABELS
        Labels that make up 'total', such as 1,2,3 (default: all)
    mask : FILE
        Analysed part, on the atlas grid (default: the labels of the atlas, else its
        foreground)
    split : all | train | val | test
        Subjects to analyse [all]
    drop_missing : bool
        Omit subjects that lack a value of the model
    permutations : N
        Number of permutations; 0: only t or F, p and FDR [5000]
    no_tfce : bool
        Correct by the largest statistic alone
    tail : empirical | gamma | pareto
        How p is read from the permuted maxima: by counting, or from a fitted tail, which
        reaches below 1 / N [empirical]
    alpha : P
        Corrected p of the clusters that are listed [0.05]
    resume : bool
        Resume permutations that were stopped
    names : FILE
        Names of the labels: a CSV or TSV with label and name, or a colour table of
        FreeSurfer or ITK-SNAP (default: the names in the cohort)
    seed : N
        Seed of all random numbers [0]
    force : bool
        Overwrite files that exist
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    Clusters, structures and maps.
    """
    given = dict(locals())
    printed = _invoke.invoke("stats", given, threads=threads, progress=progress)
    return _results.stats(given, printed)


def compare(
    source: "CohortLike",
    *,
    output: PathLike,
    labels: Optional[PathLike] = None,
    masks: Optional[PathLike] = None,
    exclude: Optional[Union[str, Sequence[str]]] = None,
    suffix: Optional[str] = None,
    channel: Optional[int] = None,
    spacing: Optional[Union[Sequence[float], float]] = None,
    size: Optional[Union[Sequence[float], float]] = None,
    like: Optional[PathLike] = None,
    downsample: Optional[float] = None,
    keep_positions: bool = False,
    methods: Optional[str] = None,
    budget: Optional[float] = None,
    split: Optional[Literal["train", "val", "test", "all"]] = None,
    group: Optional[Mapping[str, Sequence[int]]] = None,
    settings: Optional[Mapping[str, object]] = None,
    exact: bool = False,
    device: Optional[str] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> _results.Comparison:
    """Run the paper's table of methods on a cohort.

    Builds an atlas of the training subjects with every method of the paper's Table 2 (rows A to
    K, and L, this program's default), measures the bridge Dice on the test subjects, and prints
    the table with the paper's findings tested on it. docs/methods.md describes the methods.

    Each line is a separate build in DIR/LINE/run. Finished lines are kept: after an
    interruption, run the same command to resume; name more methods to add them. The table shows
    the methods that the command names. budget gives each line the same time; methods without a
    network may finish earlier.

    Parameters
    ----------
    source : FILE | DIR | PATTERN, required
        A CSV (id,image[,label,mask,split,...]), a folder, a quoted pattern, a Decathlon or
        nnU-Net folder, or a BIDS tree
    output : DIR, required
        Folder for the runs and the table
    labels : DIR | PATTERN
        Label maps: a folder, or a pattern with * for the id
    masks : DIR | PATTERN
        Masks, given in the same way
    exclude : ID
        Omit this subject; repeatable
    suffix : NAME
        BIDS: suffix of the images [T1w]
    channel : N
        nnU-Net: channel to read [0]
    spacing : L,P,S
        Spacing of the working grid in mm (default: the median)
    size : L,P,S
        Size of the working grid in voxels (default: as large as needed)
    like : FILE
        Use the grid of this image
    downsample : F
        Make the working grid coarser by this factor [1]
    keep_positions : bool
        Do not align the centres of the subjects
    methods : LIST
        all, or rows (J) and lines (J3) of the table [all]
    budget : MINUTES
        Minutes of training for each line
    split : train | val | test | all
        Subjects to measure (default: test if there are any, else val)
    group : NAME=LABELS
        Average these structures, e.g. bone=1,3; repeatable
    settings : [LINES:]KEY=VALUE
        A setting for all lines, or for some: J,K3:train.rate=1e-3; repeatable
    exact : bool
        Compose the transforms of every pair for the bridge Dice
    device : NAME
        Device to train on: cpu, cuda, cuda:1 [cpu]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The table of methods.
    """
    given = dict(locals())
    printed = _invoke.invoke("compare", given, threads=threads, progress=progress)
    return _results.compare(given, printed)


def tune(
    source: "CohortLike",
    *,
    output: PathLike,
    grid: Mapping[str, Sequence[object]],
    labels: Optional[PathLike] = None,
    masks: Optional[PathLike] = None,
    exclude: Optional[Union[str, Sequence[str]]] = None,
    suffix: Optional[str] = None,
    channel: Optional[int] = None,
    spacing: Optional[Union[Sequence[float], float]] = None,
    size: Optional[Union[Sequence[float], float]] = None,
    like: Optional[PathLike] = None,
    downsample: Optional[float] = None,
    keep_positions: bool = False,
    preset: Optional[Literal["default", "paper", "reference", "fast", "none", "affine", "joshi", "absorb", "voxelmorph", "he", "dalca"]] = None,
    config: Optional[PathLike] = None,
    settings: Optional[Mapping[str, object]] = None,
    budget: Optional[float] = None,
    device: Optional[str] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> _results.Search:
    """Search for the best settings on the validation subjects.

    Builds an atlas at every point of a grid of settings, all with the same seed, ranks the
    points by the bridge Dice of the validation subjects, and writes the best settings to a TOML
    file, as the paper does. Test subjects are not used.

    Finished points are kept: after an interruption, run the same command to resume.

    Parameters
    ----------
    source : FILE | DIR | PATTERN, required
        A CSV (id,image[,label,mask,split,...]), a folder, a quoted pattern, a Decathlon or
        nnU-Net folder, or a BIDS tree
    output : DIR, required
        Folder for the runs and the ranking
    grid : KEY=VALUES, required
        Values to try, e.g. loss.lambda=0.1,0.3 (of lists: train.epochs=9,9;20,20);
        repeatable
    labels : DIR | PATTERN
        Label maps: a folder, or a pattern with * for the id
    masks : DIR | PATTERN
        Masks, given in the same way
    exclude : ID
        Omit this subject; repeatable
    suffix : NAME
        BIDS: suffix of the images [T1w]
    channel : N
        nnU-Net: channel to read [0]
    spacing : L,P,S
        Spacing of the working grid in mm (default: the median)
    size : L,P,S
        Size of the working grid in voxels (default: as large as needed)
    like : FILE
        Use the grid of this image
    downsample : F
        Make the working grid coarser by this factor [1]
    keep_positions : bool
        Do not align the centres of the subjects
    preset : default | paper | reference | fast | none | affine | joshi | absorb | voxelmorph | he | dalca
        Preset for all other settings [default]
    config : FILE
        Settings from a TOML file, on top of the preset
    settings : KEY=VALUE
        A setting for every point; repeatable
    budget : MINUTES
        Minutes of training for each point
    device : NAME
        Device to train on: cpu, cuda, cuda:1 [cpu]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The ranking.
    """
    given = dict(locals())
    printed = _invoke.invoke("tune", given, threads=threads, progress=progress)
    return _results.tune(given, printed)


def report(
    runs: Union[PathLike, Sequence[PathLike]],
    *,
    output: Optional[PathLike] = None,
    figures: Optional[PathLike] = None,
    serve: bool = False,
    port: Optional[int] = None,
    split: Optional[Literal["train", "val", "test", "all"]] = None,
    group: Optional[Mapping[str, Sequence[int]]] = None,
    name: Optional[Mapping[int, str]] = None,
    names: Optional[Union[PathLike, Mapping[int, str]]] = None,
    embed: Optional[float] = None,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Optional[Path]:
    """Show runs on one page: viewer, figures, facts.

    Writes one self-contained page that needs no network and no server. It shows the atlas with
    its labels, probabilities and variability; every subject before and after registration, with
    the difference and the Jacobian; training curves, Dice and deformations; the cohort, the
    settings and how to reproduce the run. 'aladdin build' writes the same page into its run
    directory during training and at the end.

    The page always holds the atlas, and as many subjects as fit into embed megabytes, worst
    first. serve shows all subjects; it listens on this machine only and writes nothing.

    Several runs are compared: the paper's Table 2 with paired tests, and their atlases side by
    side. figures writes all figures for a paper; PNG needs rsvg-convert (librsvg2-bin).

    Parameters
    ----------
    runs : DIR, required
        Run directories; several are compared
    output : HTML
        The page
    figures : DIR
        Write every figure as SVG and PNG
    serve : bool
        Serve the page, with every subject, to browsers on this machine until stopped; its
        other users can see it, too
    port : N
        Port of serve; 0: any free one [8000]
    split : train | val | test | all
        Subjects to evaluate [all]
    group : NAME=LABELS
        Average these structures, e.g. bone=1,3; repeatable
    name : LABEL=NAME
        Name of a label, e.g. 1=femur; repeatable
    names : FILE
        Names of the labels: a CSV or TSV with label and name, or a colour table of
        FreeSurfer or ITK-SNAP (default: the names in the cohort)
    embed : MB
        Megabytes of volumes in the page; serve shows the rest [12]
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The page, if `output` names one.
    """
    given = dict(locals())
    printed = _invoke.invoke("report", given, threads=threads, progress=progress)
    return _results.report(given, printed)


def segment_files(
    run: PathLike,
    images: Union[PathLike, Sequence[PathLike]],
    *,
    output: PathLike,
    shard: Optional[str] = None,
    masks: Optional[PathLike] = None,
    suffix: Optional[str] = None,
    probabilities: bool = False,
    bridge: bool = False,
    names: Optional[Union[PathLike, Mapping[int, str]]] = None,
    refine: Optional[int] = None,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> "pd.DataFrame":
    """Label new images from an atlas with labels.

    Registers each IMAGE to the atlas of RUN, as 'aladdin register' does, and labels it on its
    own grid: OUT/labels/<name>.nii.gz, and the volume of every structure in OUT/volumes.csv
    (mm3; 2-D: mm2; of shard 2/8 OUT/volumes_2_of_8.csv). Its columns have the names of the
    labels, where the cohort or names has any, else volume_<label>.

    The atlas knows how often each structure is where; these shares are carried to the image and
    the largest wins. With bridge the labels of the run's training subjects are carried through
    the atlas instead, each vote weighted by how much the subject's image looks like the new one
    nearby: more accurate, slower by a second or so per subject and image, and their images and
    labels must still be there.

    Parameters
    ----------
    run : DIR | FILE, required
        The folder of an atlas with labels
    images : FILE | DIR, required
        Images to label: files, DICOM folders, or cohorts as 'aladdin build' takes them
        (CSV, folder, quoted pattern, BIDS tree)
    output : DIR, required
        Folder for the results
    shard : I/N
        Label one share of the images, such as 2/8 (array jobs)
    masks : DIR | PATTERN
        Masks, where a cohort names none: a folder, or a pattern with * for the name
    suffix : NAME
        BIDS: suffix of the images [T1w]
    probabilities : bool
        Write OUT/probabilities/<name>.nii.gz, a volume for each label, background first
    bridge : bool
        Vote with the labels of the training subjects
    names : FILE
        Names of the labels: a CSV or TSV with label and name, or a colour table of
        FreeSurfer or ITK-SNAP (default: the names in the cohort)
    refine : N
        Improve the network's result by at most N iterations of optimisation; 0: none
        [train.refine of the run]
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The volumes of each image; the files are in `output`.
    """
    given = dict(locals())
    printed = _invoke.invoke("segment", given, threads=threads, progress=progress)
    return _results.segment(given, printed)


def cohort(
    source: "CohortLike",
    *,
    labels: Optional[PathLike] = None,
    masks: Optional[PathLike] = None,
    exclude: Optional[Union[str, Sequence[str]]] = None,
    suffix: Optional[str] = None,
    channel: Optional[int] = None,
    spacing: Optional[Union[Sequence[float], float]] = None,
    size: Optional[Union[Sequence[float], float]] = None,
    like: Optional[PathLike] = None,
    downsample: Optional[float] = None,
    keep_positions: bool = False,
    output: Optional[PathLike] = None,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> _results.Cohort:
    """Check a cohort and choose its working grid.

    Reads every header and every voxel of a cohort and reports all problems at once. Prints the
    subjects, the working grid and the memory that a build needs for them.

    Parameters
    ----------
    source : FILE | DIR | PATTERN, required
        A CSV (id,image[,label,mask,split,...]), a folder, a quoted pattern, a Decathlon or
        nnU-Net folder, or a BIDS tree
    labels : DIR | PATTERN
        Label maps: a folder, or a pattern with * for the id
    masks : DIR | PATTERN
        Masks, given in the same way
    exclude : ID
        Omit this subject; repeatable
    suffix : NAME
        BIDS: suffix of the images [T1w]
    channel : N
        nnU-Net: channel to read [0]
    spacing : L,P,S
        Spacing of the working grid in mm (default: the median)
    size : L,P,S
        Size of the working grid in voxels (default: as large as needed)
    like : FILE
        Use the grid of this image
    downsample : F
        Make the working grid coarser by this factor [1]
    keep_positions : bool
        Do not align the centres of the subjects
    output : FILE
        Write the cohort as a CSV
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The subjects and the working grid.
    """
    given = dict(locals())
    printed = _invoke.invoke("cohort", given, threads=threads, progress=progress)
    return _results.cohort(given, printed)


def info(
    files: Union[PathLike, Sequence[PathLike]],
    *,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> List[Dict[str, Any]]:
    """Describe images, label maps, transforms and models.

    Prints what each file is. Image: format, pixel type, grid and range of values. Label map
    (see 'aladdin warp' for the rule): every label with its voxels and volume. Displacement
    field: its size, the range of its Jacobian determinant and the number of folded voxels.
    Affine: matrix, scale, shear, rotation and determinant. 4-D image such as
    atlas_probabilities.nii.gz: grid and number of volumes. Model (model.safetensors): version,
    grid and network. Deformations of SPM (y_*.nii) and NiftyReg are described after their
    conversion to displacements.

    If a file cannot be read, the others are still described, and the exit code is 1.

    Parameters
    ----------
    files : FILE, required
        Images, label maps, transforms, models, DICOM folders
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    One dictionary for each file.
    """
    given = dict(locals())
    printed = _invoke.invoke("info", given, threads=threads, progress=progress)
    return _results.info(given, printed)


def warp_files(
    image: Optional[PathLike] = None,
    *,
    transform: Optional[Union[str, Sequence[str]]] = None,
    like: Optional[PathLike] = None,
    output: Optional[PathLike] = None,
    interp: Optional[Literal["linear", "nearest", "label", "bspline"]] = None,
    points: Optional[PathLike] = None,
    ras: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    force: bool = False,
    progress: Progress = None,
) -> "pd.DataFrame":
    """Resample an image or label map, or move points, through transforms.

    Resamples IMAGE onto the grid of like, or moves points.

    A transform maps points of the space resampled to (like) into the space resampled from
    (IMAGE), as in ITK and ANTs. Several are stacked as in ITK's composites: the last one given
    is applied first to the points of like. So with transform affine.mat transform warp.nii.gz a
    point of like goes through warp.nii.gz, then through affine.mat, into IMAGE. Add ',inverse'
    to a file to invert it: an affine exactly, a displacement field numerically at every point.
    Files: displacement fields (vector NIfTI, NRRD, MHA; LPS mm), ITK and ANTs affines and
    composites (.tfm .txt .mat .h5), SPM deformations (y_*.nii), NiftyReg deformation and
    displacement fields, or the word 'identity'.

    Points move with the transform, opposite to the image: the chain that pulls the atlas onto a
    native grid (from-atlas_to-native) takes native points to the atlas. So does the other file
    with ',inverse'.

    Without interp, an image of an integer type counts as a label map if it has at most 1024
    distinct values, none of them negative, and if at least half of the neighbours along the
    first axis that are not both 0 are equal. Label maps are then resampled with 'label', images
    with 'linear'. Images are written as float32, label maps as the smallest integer type.

    Parameters
    ----------
    image : FILE
        Image or label map to resample
    transform : FILE[,inverse]
        A transform; ',inverse' inverts it; repeatable, the last is applied first
    like : FILE
        Image on the output grid (default: the grid of the field that is applied first)
    output : FILE
        The result (points: standard output by default)
    interp : linear | nearest | label | bspline
        Interpolation (default: label for label maps, else linear)
    points : FILE
        Move these points instead of an IMAGE: a CSV with the columns x, y, z in LPS mm (-:
        standard input)
    ras : bool
        Read and write the points in RAS mm
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    force : bool
        Overwrite files that exist
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The points, where points are moved and `output` names no file; else an empty table.
    """
    given = dict(locals())
    printed = _invoke.invoke("warp", given, threads=threads, progress=progress)
    return _results.warp(given, printed)


def transform_files(
    *,
    transform: Optional[Union[str, Sequence[str]]] = None,
    invert: bool = False,
    like: Optional[PathLike] = None,
    source: Optional["CohortLike"] = None,
    format: Optional[Literal["auto", "itk", "ants", "greedy", "mrtrix", "niftyreg", "niftyreg-disp", "fsl", "spm", "lta", "x5"]] = None,
    output: Optional[PathLike] = None,
    threads: Optional[int] = None,
    force: bool = False,
    progress: Progress = None,
) -> Dict[str, Any]:
    """Compose, invert, convert or describe transforms.

    Writes a chain of transforms as one file, or without -o describes it.

    The chain is that of 'aladdin warp': a transform maps points of the space resampled to into
    the space resampled from, and the last one given is applied first. ',inverse' inverts a
    file, invert the whole.

    OUT says what is written. A field (.nii.gz, .nii, .nrrd, .mha, .mif) holds the whole chain,
    sampled on the grid of like, or of the field that is applied first. A matrix (.tfm, .txt,
    .mat, .lta) holds affines, exactly. .h5 and .x5, and .tfm or .txt where the chain has a
    field, hold a composite: every part as it is, inverses of fields sampled on the grids of
    those.

    format says whose file it becomes: itk (the default, also that of Greedy's fields), ants
    (OUT is the prefix: OUT0GenericAffine.mat, OUT1Warp.nii.gz, OUT1InverseWarp.nii.gz), greedy
    (also c3d: RAS matrix as text), mrtrix, niftyreg, niftyreg-disp, fsl, spm, lta, x5. FSL and
    LTA mean the voxels of two images: like and source.

    What is read is recognised by its name and header, except for plain matrices as text and 4-D
    NIfTI: add ',as=greedy' (also c3d, NiftyReg and MRtrix3), ',as=mrtrix' or
    ',as=fsl,src=IMAGE,ref=IMAGE'. docs/transforms.md has every format.

    Parameters
    ----------
    transform : FILE[,inverse]
        A transform, with ',inverse', ',as=FORMAT', ',src=IMAGE' or ',ref=IMAGE' behind it;
        repeatable, the last is applied first
    invert : bool
        Invert the whole chain
    like : FILE
        Image of the space resampled to: the grid of a field
    source : FILE
        Image that the transform resamples, for format fsl and lta
    format : auto | itk | ants | greedy | mrtrix | niftyreg | niftyreg-disp | fsl | spm | lta | x5
        Whose file to write (auto: by the name of OUT) [auto]
    output : FILE
        The result; for ants its prefix
    threads : N
        Number of threads (0: all cores) [0]
    force : bool
        Overwrite files that exist
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    What the transform is, where `output` names no file; else nothing.
    """
    given = dict(locals())
    printed = _invoke.invoke("transform", given, threads=threads, progress=progress)
    return _results.transform(given, printed)


def snapshot(
    images: Union["ImageLike", Sequence["ImageLike"]],
    *,
    output: PathLike,
    labels: Optional[Union["LabelsLike", Sequence["LabelsLike"]]] = None,
    at: Optional[Union[Sequence[float], float]] = None,
    offset: Optional[Union[Sequence[float], float]] = None,
    panel: Optional[int] = None,
    opacity: Optional[float] = None,
    plain_too: bool = False,
    neurological: bool = False,
    no_captions: bool = False,
    force: bool = False,
    nan: Optional[Literal["refuse", "zero"]] = None,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Path:
    """Draw slices of images as a PNG.

    Draws a sagittal, a coronal and an axial slice of each image, one image per row, tinted by
    its labels. Slices follow the axes of the world, not those of the file, and share one scale
    in mm. The convention is radiological unless neurological is given.

    Parameters
    ----------
    images : FILE, required
        Images, one row each
    output : PNG, required
        The picture
    labels : FILE
        Label maps to tint the images with, in the same order
    at : X,Y,Z
        World point (LPS mm) on the slices (default: the centroid of the labels, or the
        middle of the image)
    offset : X,Y,Z
        Shift the slices by these mm
    panel : N
        Pixels along the longest side of a slice [256]
    opacity : X
        Opacity of the label colours, 0 to 1 [0.45]
    plain_too : bool
        Also show each slice without labels
    neurological : bool
        Show the patient's left on the left (default: on the right)
    no_captions : bool
        Omit names and side marks
    force : bool
        Overwrite files that exist
    nan : refuse | zero
        NaN in images: refuse them, or take NaN as 0, a background [refuse]
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    The picture.
    """
    given = dict(locals())
    printed = _invoke.invoke("snapshot", given, threads=threads, progress=progress)
    return _results.snapshot(given, printed)


def synth(
    *,
    output: PathLike,
    subjects: Optional[int] = None,
    val: Optional[int] = None,
    test: Optional[int] = None,
    size: Optional[Union[Sequence[int], str]] = None,
    spacing: Optional[Union[Sequence[float], float]] = None,
    slice: bool = False,
    affine: Optional[float] = None,
    shape: Optional[float] = None,
    thickness: Optional[float] = None,
    planted: Optional[float] = None,
    lesions: Optional[float] = None,
    noise: Optional[float] = None,
    texture: Optional[float] = None,
    bias: Optional[float] = None,
    oblique: Optional[float] = None,
    seed: Optional[int] = None,
    force: bool = False,
    threads: Optional[int] = None,
    progress: Progress = None,
) -> Path:
    """Make a synthetic knee cohort with ground truth.

    Writes MR-like images of right knees, labels (1 femur, 2 femoral cartilage, 3 tibia, 4
    tibial cartilage), a canonical knee with the true transforms to and from it, and cohort.csv.
    Subjects differ by an affine and a smooth diffeomorphic map, by the thickness of their
    cartilage and by lesions. The same seed gives the same files. If the field of view is
    smaller than the bones, the knee is squeezed into it.

    Parameters
    ----------
    output : DIR, required
        Folder for the cohort
    subjects : N
        Number of subjects [20]
    val : N
        Subjects in the split val (default: a fifth)
    test : N
        Subjects in the split test (default: a fifth)
    size : I,J,K
        Voxels: left-right, front-back, up-down [40,96,96]
    spacing : X,Y,Z
        Size of a voxel in mm, in the same order [2.8,1.46,1.46]
    slice : bool
        2-D: only the sagittal plane through the lateral condyle
    affine : X
        Strength of affine differences between subjects [1]
    shape : X
        Strength of smooth differences in shape [1]
    thickness : X
        Strength of differences in cartilage thickness [1]
    planted : X
        Plant an effect: the cartilage at the back of the lateral condyle is exp(-X c) times
        as thick, c the column 'planted' of cohort.csv [0]
    lesions : X
        Mean number of cartilage lesions per subject [1.5]
    noise : X
        Strength of Rician noise [1]
    texture : X
        Strength of tissue texture [1]
    bias : X
        Strength of the coil's bias field [1]
    oblique : X
        Largest tilt of a scan in degrees [5]
    seed : N
        Seed of all random numbers [1]
    force : bool
        Overwrite files that exist
    threads : N
        Number of threads (0: all cores) [0]
    progress : callable(label, done, total), or True for bars of tqdm

    Returns
    -------
    cohort.csv.
    """
    given = dict(locals())
    printed = _invoke.invoke("synth", given, threads=threads, progress=progress)
    return _results.synth(given, printed)
