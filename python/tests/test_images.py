"""Images of NumPy, nibabel and files: the same values at the same points."""

import gc
import pickle

import numpy as np
import pytest

import aladdin

AFFINE = np.array([[0.1, -1.9, 0.2, 10.0], [1.4, 0.05, 0.1, -20.0], [0.02, 0.3, 2.9, 5.0], [0, 0, 0, 1]])


def orthogonal(affine):
    """The nearest affine whose axes are at right angles."""
    axes, spacing = affine[:3, :3], np.linalg.norm(affine[:3, :3], axis=0)
    u, _, v = np.linalg.svd(axes / spacing)
    out = affine.copy()
    out[:3, :3] = (u @ v) * spacing
    return out


def volume(shape=(5, 6, 4)):
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


def test_an_affine_comes_back():
    affine = orthogonal(AFFINE)
    image = aladdin.Image(volume(), affine)
    assert image.affine == pytest.approx(affine, abs=1e-12)
    assert image.grid.spacing == pytest.approx(np.linalg.norm(affine[:3, :3], axis=0))
    assert image.shape == (5, 6, 4)


def test_values_are_a_view_that_keeps_its_image():
    image = aladdin.Image(volume(), np.eye(4))
    view = image.values
    assert np.shares_memory(view, image.values) and np.shares_memory(np.asarray(image), view)
    view[1, 2, 3] = 77
    assert image.values[1, 2, 3] == 77
    del image
    gc.collect()
    assert view[1, 2, 3] == 77


def test_any_order_in_memory_is_taken():
    values = volume()
    for array in (values, np.asfortranarray(values), values[::-1], values.astype(np.float64), values.astype(np.int16)):
        assert np.array_equal(aladdin.Image(array, np.eye(4)).values, array)


def test_a_file_and_nibabel_agree(images, tmp_path):
    nibabel = pytest.importorskip("nibabel")
    ours, theirs = aladdin.Image.read(images[0]), nibabel.load(images[0])
    assert ours.affine == pytest.approx(theirs.affine, abs=1e-4)
    assert np.array_equal(ours.values, np.asarray(theirs.dataobj, dtype=np.float32))
    ours.write(tmp_path / "ours.nii.gz")
    assert np.array_equal(nibabel.load(tmp_path / "ours.nii.gz").get_fdata(), ours.values)
    theirs.__class__(ours.values, ours.affine).to_filename(tmp_path / "theirs.nii.gz")
    back = aladdin.Image.read(tmp_path / "theirs.nii.gz")
    assert np.array_equal(back.values, ours.values) and back.grid.is_same(ours.grid)
    image = ours.to_nibabel()
    assert image.affine == pytest.approx(ours.affine) and np.shares_memory(image.dataobj, ours.values)
    point = aladdin.Transform()  # an image of nibabel is taken as it is
    assert np.array_equal(point.warp(theirs, like=ours, interpolation="nearest").values, ours.values)


def test_two_axes(slices):
    image = aladdin.Image.read(next((slices.parent / "images").glob("*.nii.gz")))
    assert image.grid.dims == 2 and image.values.ndim == 2
    again = aladdin.Image(image.values, image.affine)
    assert again.grid.is_same(image.grid)
    third = aladdin.Image(image.values[:, :, None], image.affine)
    assert third.shape == image.shape
    nibabel = pytest.importorskip("nibabel")
    assert nibabel.Nifti1Image(image.values[:, :, None], image.affine).affine == pytest.approx(image.affine)


def test_labels_are_whole_numbers(tmp_path):
    with pytest.raises(aladdin.UsageError, match="whole numbers"):
        aladdin.Labels(volume() + 0.5, np.eye(4))
    labels = aladdin.Labels(volume().astype(np.uint8), np.eye(4))
    labels.write(tmp_path / "labels.nii.gz")
    assert np.array_equal(aladdin.Labels.read(tmp_path / "labels.nii.gz").values, labels.values)


def test_what_is_refused(tmp_path):
    with pytest.raises(aladdin.UsageError, match="affine"):
        aladdin.Image(volume())
    with pytest.raises(TypeError, match=r"\(4, 4\)"):
        aladdin.Image(volume(), np.eye(3))
    with pytest.raises(TypeError, match=r"\(5, 6, 4\), expected \(5, 6, 3\)"):
        aladdin.Image(volume(), grid=aladdin.Grid([5, 6, 3], [1, 1, 1], [0, 0, 0]))
    with pytest.raises(aladdin.Error, match="singular|spacing"):
        aladdin.Image(volume(), np.diag([1.0, 1.0, 0.0, 1.0]))
    image = aladdin.Image(volume(), np.eye(4))
    image.write(tmp_path / "a.nii")
    with pytest.raises(aladdin.Error, match="exists already"):
        image.write(tmp_path / "a.nii")
    image.write(tmp_path / "a.nii", force=True)
    with pytest.raises(aladdin.Error, match="no such file"):
        aladdin.Image.read(tmp_path / "nothing.nii")
    with pytest.raises(aladdin.UsageError, match="cannot take a dict"):
        aladdin.register("run", {})


def test_nan(tmp_path):
    values = volume()
    values[0, 0, 0] = np.nan
    aladdin.Image(values, np.eye(4)).write(tmp_path / "nan.nii")
    with pytest.raises(aladdin.Error, match="NaN counts as 0 with nan zero"):
        aladdin.Image.read(tmp_path / "nan.nii")
    assert aladdin.Image.read(tmp_path / "nan.nii", nan="zero").values[0, 0, 0] == 0
    with pytest.raises(aladdin.Error, match="NaN"):  # of that call only
        aladdin.Image.read(tmp_path / "nan.nii")


def test_pickled(images):
    for image in (aladdin.Image.read(images[0]), aladdin.Labels(volume().astype(int), orthogonal(AFFINE))):
        again = pickle.loads(pickle.dumps(image))
        assert type(again) is type(image) and np.array_equal(again.values, image.values)
        assert again.affine == pytest.approx(image.affine)


def test_pictures(images):
    image = aladdin.Image.read(images[0])
    assert image.picture().startswith(b"\x89PNG")
    labels = aladdin.Labels.read(str(images[0]).replace("images", "labels"))
    assert image.picture(labels) != image.picture()
    assert 'src="data:image/png;base64,' in image._repr_html_()
