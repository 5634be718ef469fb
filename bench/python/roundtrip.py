"""Round trips of images and transforms with nibabel, SimpleITK, antspyx and nitransforms.

    PYTHONPATH=build/release/python python bench/python/roundtrip.py [FOLDER]

in an environment with these packages. Without FOLDER (of images) it makes synthetic knees. Prints for each trip the largest
difference, of points in mm and of values as a share of their range, and ends with 1 where one is beyond 1e-3 mm or 1e-5.
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import aladdin

MOST_MM, MOST_SHARE = 1e-3, 1e-5
worst = 0.0


def tell(what: str, value: float, most: float) -> None:
    """One line of the table."""
    global worst
    worst = max(worst, value / most)
    print(f"{what:<58} {value:10.2e} {'' if value <= most else '  TOO MUCH'}")


def corners(grid: aladdin.Grid) -> np.ndarray:
    """The outermost voxels, in RAS mm by the affine."""
    ends = np.array(np.meshgrid(*[[0, n - 1] for n in grid.size], indexing="ij")).reshape(3, -1).T
    return ends @ grid.affine[:3, :3].T + grid.affine[:3, 3]


def compare_images(what: str, ours: aladdin.Image, back: aladdin.Image) -> None:
    """Where the voxels are, and their values."""
    tell(f"{what}: voxels, mm", np.abs(corners(ours.grid) - corners(back.grid)).max(), MOST_MM)
    span = float(np.ptp(ours.values)) or 1.0
    tell(f"{what}: values", float(np.abs(ours.values - back.values).max()) / span, MOST_SHARE)


def images(file: Path, folder: Path) -> None:
    """An image through the memory and the files of each package."""
    import ants
    import nibabel
    import SimpleITK as sitk

    ours = aladdin.Image.read(file)

    def taken(image) -> aladdin.Image:
        from aladdin._images import as_image

        return as_image(image)

    compare_images("nibabel in memory", ours, taken(ours.to_nibabel()))
    compare_images("nibabel reads the file", ours, taken(nibabel.load(file)))
    nibabel.save(ours.to_nibabel(), folder / "nibabel.nii.gz")
    compare_images("nibabel writes a file", ours, aladdin.Image.read(folder / "nibabel.nii.gz"))
    compare_images("SimpleITK in memory", ours, taken(ours.to_sitk()))
    compare_images("SimpleITK reads the file", ours, taken(sitk.ReadImage(str(file), sitk.sitkFloat32)))
    sitk.WriteImage(ours.to_sitk(), str(folder / "sitk.nii.gz"))
    compare_images("SimpleITK writes a file", ours, aladdin.Image.read(folder / "sitk.nii.gz"))
    compare_images("antspyx in memory", ours, taken(ours.to_ants()))
    compare_images("antspyx reads the file", ours, taken(ants.image_read(str(file))))
    ants.image_write(ours.to_ants(), str(folder / "ants.nii.gz"))
    compare_images("antspyx writes a file", ours, aladdin.Image.read(folder / "ants.nii.gz"))


def field_on(grid: aladdin.Grid) -> aladdin.Transform:
    """A smooth displacement of a few millimetres."""
    axes = np.meshgrid(*[np.linspace(-1, 1, n) for n in grid.size], indexing="ij")
    waves = [4 * np.cos(2 * axes[c] + c) * np.cos(axes[(c + 1) % 3]) for c in range(3)]
    return aladdin.Transform.displacement(np.stack(waves, axis=-1), grid)


def transforms(file: Path, folder: Path) -> None:
    """Points and images through each transform, by us and by the others."""
    import ants
    import SimpleITK as sitk

    image = aladdin.Image.read(file)
    grid = image.grid
    affine = aladdin.Transform.affine(
        [[1.05, 0.08, 0, 3], [-0.08, 0.97, 0.04, -2], [0, -0.03, 1.02, 1.5], [0, 0, 0, 1]]
    )
    rng = np.random.default_rng(0)
    inside = rng.uniform(0.15, 0.85, (200, 3)) * (np.array(grid.size) - 1)
    points = inside @ (grid.direction * grid.spacing).T + grid.origin
    cases = {"affine": affine, "field": field_on(grid), "field, then affine": affine @ field_on(grid)}
    for name, ours in cases.items():
        moved = ours(points)
        theirs = ours.to_itk()
        tell(
            f"SimpleITK, {name}: points, mm",
            np.abs(np.array([theirs.TransformPoint(p) for p in points.tolist()]) - moved).max(),
            MOST_MM,
        )
        there = ours.to_ants()
        apply = ants.apply_ants_transform_to_point
        tell(f"antspyx, {name}: points, mm", np.abs(np.array([apply(there, p) for p in points]) - moved).max(), MOST_MM)
        # RAS points, and at voxels: between them nitransforms interpolates by cubic splines, ITK, ANTs and we linearly.
        turn = np.array([-1.0, -1.0, 1.0])
        nt = ours.to_nitransforms()
        voxels = np.rint(inside) @ (grid.direction * grid.spacing).T + grid.origin
        if name != "field, then affine":
            there_too = nt.map(voxels * turn) * turn
            tell(f"nitransforms, {name}: voxels, mm", np.abs(there_too - ours(voxels)).max(), MOST_MM)
        warped = ours.warp(image, like=image).values
        itk = sitk.Resample(image.to_sitk(), image.to_sitk(), theirs, sitk.sitkLinear)
        by_itk = sitk.GetArrayFromImage(itk).T
        # Within half a voxel of the border ITK and its wrappers differ among themselves.
        core = tuple(slice(2, -2) for _ in range(3))
        span = float(np.ptp(image.values))
        tell(f"SimpleITK, {name}: image", float(np.abs(by_itk - warped)[core].max()) / span, MOST_SHARE)
        by_ants = ants.apply_ants_transform_to_image(there, image.to_ants(), image.to_ants()).numpy()
        tell(f"antspyx, {name}: image", float(np.abs(by_ants - warped)[core].max()) / span, MOST_SHARE)
    affine.write(folder / "a.mat")
    by_file = ants.read_transform(str(folder / "a.mat"))
    tell("antspyx reads our .mat: points, mm",
         np.abs(np.array([ants.apply_ants_transform_to_point(by_file, p) for p in points]) - affine(points)).max(), MOST_MM)  # fmt: skip
    ants.write_transform(affine.to_ants(), str(folder / "b.mat"))
    tell("we read the .mat of antspyx: points, mm",
         np.abs(aladdin.Transform.read(folder / "b.mat")(points) - affine(points)).max(), MOST_MM)  # fmt: skip
    field_on(grid).write(folder / "f.nii.gz")
    theirs = sitk.DisplacementFieldTransform(sitk.ReadImage(str(folder / "f.nii.gz"), sitk.sitkVectorFloat64))
    tell("SimpleITK reads our field: points, mm",
         np.abs(np.array([theirs.TransformPoint(p) for p in points.tolist()]) - field_on(grid)(points)).max(), MOST_MM)  # fmt: skip
    sitk.WriteTransform(cases["field, then affine"].to_itk(), str(folder / "c.h5"))
    tell("we read a composite of SimpleITK: points, mm",
         np.abs(aladdin.Transform.read(folder / "c.h5")(points) - cases["field, then affine"](points)).max(), MOST_MM)  # fmt: skip


def main() -> None:
    """All trips."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if len(sys.argv) > 1:
            files = sorted(Path(sys.argv[1]).glob("*.nii.gz"))[:1]
        else:
            aladdin.synth(output=folder / "knees", subjects=1, val=0, test=0, size=[40, 48, 44], spacing=[2.8, 2.5, 2.7])
            files = sorted((folder / "knees" / "images").glob("*.nii.gz"))
        for file in files:
            print(file.name)
            images(file, folder)
            transforms(file, folder)
    if worst > 1:
        sys.exit(f"error: a difference is {worst:.1f} times as large as it may be")


if __name__ == "__main__":
    main()
