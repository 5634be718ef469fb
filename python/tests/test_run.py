"""What a run directory gives."""

import numpy as np
import pytest

import aladdin


def test_a_run(run):
    assert run.ids == [f"knee{n:03d}" for n in range(1, 7)]
    assert run.atlas.grid.is_same(run.labels.grid)
    assert set(run.probabilities) == set(run.label_values)
    assert sum(image.values for image in run.probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert run.settings["train.epochs"] == [2, 2, 1] and run.settings["train.engine"] == "learn"
    assert set(run.settings) == {setting.key for setting in aladdin.settings()}
    assert run.subjects.loc["knee001", "split"] == "train" and run.subjects["age"].dtype.kind in "if"
    assert len(run.metrics) == 5
    assert run.variability.values.min() >= 0 and run.model.exists()
    assert "data:image/png" in run._repr_html_()


def test_its_transforms_are_each_others_inverse(run):
    there, back = run.transform("knee001"), run.transform("knee001", to="native")
    centre = np.mean(np.argwhere(run.labels.values > 0), axis=0)
    point = np.asarray(run.atlas.grid.origin) + run.atlas.grid.direction @ (centre * run.atlas.grid.spacing)
    assert back(there(point)) == pytest.approx(point, abs=0.01)


def test_what_is_refused(run, tmp_path):
    with pytest.raises(aladdin.Error, match="not a run directory"):
        aladdin.Run(tmp_path)
    with pytest.raises(aladdin.Error, match="no subject 'x'"):
        run.transform("x")
    with pytest.raises(aladdin.UsageError, match="expected one of atlas, native"):
        run.transform("knee001", to="x")
