"""Transforms compose, invert, and mean the same to points and to images."""

import pickle

import numpy as np
import pytest

import aladdin

POINTS = np.array([[1.0, 2.0, 3.0], [-4.0, 5.0, 0.5], [0.0, 0.0, 0.0]])


def grid(size=(16, 18, 14), spacing=2.0):
    return aladdin.Grid(list(size), [spacing] * 3, [-(n - 1) * spacing / 2 for n in size])


def smooth(seed=0, size=(16, 18, 14), scale=1.5):
    """A field of long waves, without folds."""
    axes = np.meshgrid(*[np.linspace(-1, 1, n) for n in size], indexing="ij")
    phases = np.random.default_rng(seed).uniform(0, 3, (3, 3))
    waves = [scale * np.prod([np.cos(a * 1.5 + p) for a, p in zip(axes, row)], axis=0) for row in phases]
    return aladdin.Transform.displacement(np.stack(waves, axis=-1), grid(size))


def affine():
    return aladdin.Transform.affine([[1.1, 0.1, 0, 3], [-0.1, 0.9, 0.05, -2], [0, 0, 1, 1], [0, 0, 0, 1]])


def test_the_inner_one_comes_first():
    outer, inner = affine(), smooth()
    assert (outer @ inner)(POINTS) == pytest.approx(outer(inner(POINTS)), abs=1e-9)
    assert [step.kind for step in (outer @ inner).steps] == ["displacement", "affine"]


def test_an_inverse_undoes():
    for transform in (affine(), smooth(), affine() @ smooth()):
        assert (~transform)(transform(POINTS)) == pytest.approx(POINTS, abs=1e-4)


def test_ras_is_lps_turned_round():
    matrix = np.array([[1.0, 0.2, 0, 5], [0, 1, 0.1, -3], [0, 0, 1, 2], [0, 0, 0, 1]])
    moved = aladdin.Transform.affine(matrix, ras=True)(POINTS, ras=True)
    assert moved == pytest.approx(POINTS @ matrix[:3, :3].T + matrix[:3, 3])
    turned = affine()(POINTS * [-1, -1, 1], ras=True) * [-1, -1, 1]
    assert turned == pytest.approx(affine()(POINTS))


def test_a_single_point_keeps_its_shape():
    assert affine()(POINTS[0]).shape == (3,)


def test_an_image_is_pulled_where_points_go():
    where = grid()
    index = np.meshgrid(*[np.arange(n) for n in where.size], indexing="ij")
    x = sum(where.direction[0][c] * where.spacing[c] * index[c] for c in range(3)) + where.origin[0]
    image = aladdin.Image(x, grid=where)
    shift = aladdin.Transform.affine([[1, 0, 0, 2.5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    inside = shift.warp(image, like=image).values[2:-3]
    assert inside == pytest.approx(x[2:-3] + 2.5, abs=1e-4)


def test_labels_stay_labels():
    labels = aladdin.Labels(np.arange(16 * 18 * 14).reshape(16, 18, 14) % 3, grid=grid())
    assert isinstance(smooth().warp(labels), aladdin.Labels)
    assert isinstance(smooth().warp(labels, interpolation="linear"), aladdin.Image)


def test_the_jacobian_of_a_scaling():
    scaling = aladdin.Transform.affine(np.diag([1.1, 0.9, 1.2, 1.0]))
    assert scaling.jacobian(grid()).values == pytest.approx(1.1 * 0.9 * 1.2, abs=1e-4)


def test_sampled_is_the_same_between_voxels_of_its_grid():
    whole = affine() @ smooth()
    one = whole.sampled(grid())
    assert [step.kind for step in one.steps] == ["displacement"]
    voxels = np.array([[-3.0, 5.0, 1.0]])  # a voxel of the grid
    assert one(voxels) == pytest.approx(whole(voxels), abs=1e-4)


@pytest.mark.parametrize("name", ["a.tfm", "a.mat", "a.h5", "a.lta"])
def test_matrices_come_back(name, tmp_path):
    images = {"like": grid(), "source": grid(spacing=1.5)} if name.endswith("lta") else {}
    affine().write(tmp_path / name, **images)
    assert aladdin.Transform.read(tmp_path / name)(POINTS) == pytest.approx(affine()(POINTS), abs=1e-4)


@pytest.mark.parametrize("name", ["a.nii.gz", "a.nrrd", "a.mha", "a.h5", "a.mif"])
def test_fields_come_back(name, tmp_path):
    smooth().write(tmp_path / name)
    assert aladdin.Transform.read(tmp_path / name)(POINTS) == pytest.approx(smooth()(POINTS), abs=1e-4)
    back = aladdin.Transform.read(tmp_path / name, inverse=True)
    assert back(smooth()(POINTS)) == pytest.approx(POINTS, abs=1e-3)


def test_fsl(tmp_path):
    source, reference = grid(spacing=1.5), grid()
    affine().to_fsl(tmp_path / "a.mat", source=aladdin.Image(np.zeros(source.size), grid=source), reference=reference)
    matrix = np.loadtxt(tmp_path / "a.mat")
    assert matrix.shape == (4, 4) and not np.allclose(matrix, np.eye(4))


def test_ants_writes_its_files(tmp_path):
    files = (affine() @ smooth()).write(tmp_path / "reg", format="ants")
    assert [file.name for file in files][:1] == ["reg0GenericAffine.mat"] and all(file.exists() for file in files)


def test_to_itk(tmp_path):
    sitk = pytest.importorskip("SimpleITK")
    assert sitk is not None
    for transform in (affine(), smooth(), affine() @ smooth(), ~smooth()):
        theirs = transform.to_itk()
        moved = [theirs.TransformPoint(point) for point in POINTS.tolist()]
        assert np.array(moved) == pytest.approx(transform(POINTS), abs=2e-2 if transform.steps[0].kind[0] == "i" else 1e-3)


def test_pickled():
    for transform in (affine(), smooth(), ~smooth(), affine() @ ~smooth()):
        again = pickle.loads(pickle.dumps(transform))
        assert np.array_equal(again(POINTS), transform(POINTS))
        assert [step.kind for step in again.steps] == [step.kind for step in transform.steps]


def test_what_is_refused(tmp_path):
    with pytest.raises(aladdin.UsageError, match="like is missing"):
        affine().warp(aladdin.Image(np.zeros((4, 4, 4)), np.eye(4)))
    with pytest.raises(aladdin.Error, match="2-D|3-D"):
        affine() @ aladdin.Transform.affine(np.eye(3))
    with pytest.raises(aladdin.Error, match="no inverse|singular"):
        ~aladdin.Transform.affine(np.diag([1.0, 1.0, 0.0, 1.0]))
    with pytest.raises(TypeError, match="columns"):
        affine()([[1.0, 2.0]])
    smooth().write(tmp_path / "a.nii.gz")
    with pytest.raises(aladdin.Error, match="exists already"):
        smooth().write(tmp_path / "a.nii.gz")
