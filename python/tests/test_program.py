"""The same bits as the program, for the same settings."""

import filecmp
import json
from pathlib import Path

import numpy as np
import pytest
from conftest import QUICK, QUICK_WORDS

import aladdin


def files_of(folder):
    return sorted(file.relative_to(folder) for file in Path(folder).rglob("*") if file.is_file())


def assert_same(one, other, but=()):
    assert files_of(one) == files_of(other)
    for file in files_of(one):
        if not any(part in but for part in file.parts):
            assert filecmp.cmp(Path(one) / file, Path(other) / file, shallow=False), file


def test_build(knees, program, tmp_path, needs_training):
    aladdin.build(knees, output=tmp_path / "python", **QUICK, threads=1)
    program("build", knees, "-o", tmp_path / "program", *QUICK_WORDS, "--threads", 1)
    # run.json and log.txt say when and how long, the checkpoints too.
    assert_same(tmp_path / "python", tmp_path / "program", but=("run.json", "log.txt", "checkpoints", ".lock"))
    records = [json.loads((tmp_path / one / "run.json").read_text()) for one in ("python", "program")]
    assert records[0]["command"].startswith("aladdin.build(")
    for record in records:
        for key in ("command", "timing", "threads"):
            record.pop(key, None)
    assert records[0] == records[1]


def test_register_as_files(run, images, program, tmp_path):
    aladdin.register(run, images[:2], output=tmp_path / "python")
    program("register", run, *images[:2], "-o", tmp_path / "program")
    assert_same(tmp_path / "python", tmp_path / "program")


def test_register_in_memory(run, images, program, tmp_path):
    program("register", run, *images[:2], "-o", tmp_path / "program")
    for found in aladdin.register(run, [aladdin.Image.read(image) for image in images[:2]]):
        found.name = "x"
        found.save(tmp_path / "python" / str(len(list(tmp_path.glob("python/*")))))
    for number, image in enumerate(images[:2]):
        name = image.name[: -len(".nii.gz")]
        for file in files_of(tmp_path / "python" / str(number)):
            there = tmp_path / "program" / file.parent / file.name.replace("x", name, 1)
            assert filecmp.cmp(tmp_path / "python" / str(number) / file, there, shallow=False), file


def test_segment(run, images, program, tmp_path):
    table = aladdin.segment(run, images[:2], output=tmp_path / "python", probabilities=True)
    program("segment", run, *images[:2], "-o", tmp_path / "program", "--probabilities")
    assert_same(tmp_path / "python", tmp_path / "program")
    found = aladdin.segment(run, images[0], probabilities=True)
    written = aladdin.Labels.read(tmp_path / "program" / "labels" / images[0].name)
    assert np.array_equal(found.labels.values, written.values)
    assert list(found.volumes.values()) == pytest.approx(list(table.iloc[0]), abs=1e-3)
    assert found.probabilities.shape == (*found.image.shape, len(found.label_values))


def test_segment_by_the_bridge(run, images, program, tmp_path):
    program("segment", run, images[0], "-o", tmp_path, "--bridge")
    found = aladdin.segment(run, images[0], bridge=True)
    assert np.array_equal(found.labels.values, aladdin.Labels.read(tmp_path / "labels" / images[0].name).values)


def test_evaluate(run, program):
    found = aladdin.evaluate(run, split="all", group={"bone": [1, 3]}, exact=True)
    printed = json.loads(program("evaluate", run, "--split", "all", "--group", "bone=1,3", "--exact", "--json"))
    assert found.record == printed
    assert found["bridge"].loc[(printed["evaluations"][0]["name"], "bone"), "mean"] > 0.3
    assert len(found.subjects) == 6


def test_measure_and_stats(run, program, tmp_path):
    sizes = aladdin.measure(run, output=tmp_path / "python", smooth=4, total=[1, 3])
    program("measure", run, "-o", tmp_path / "program", "--smooth", 4, "--total", "1,3")
    assert_same(tmp_path / "python", tmp_path / "program")
    assert sizes.map("knee001", "absolute").grid.is_same(run.atlas.grid)
    settings = {"model": "age", "test": "age", "permutations": 30, "seed": 3}
    found = aladdin.stats(run, output=tmp_path / "python_stats", **settings)
    program("stats", run, "-o", tmp_path / "program_stats", "--model", "age", "--test", "age", "--permutations", 30,
            "--seed", 3)  # fmt: skip
    assert_same(tmp_path / "python_stats", tmp_path / "program_stats")
    assert {0, 1, 3} <= set(found.structures["label"]) <= set(run.label_values)
    assert found.map("t").grid.is_same(run.atlas.grid)


def test_warp(run, images, program, tmp_path):
    file = run.folder / "transforms" / "knee001_from-native_to-atlas_mode-image_xfm.nii.gz"
    program("warp", images[0], "-t", file, "-o", tmp_path / "program.nii.gz", "--interp", "bspline")
    run.transform("knee001").warp(aladdin.Image.read(images[0]), interpolation="bspline").write(tmp_path / "one.nii.gz")
    aladdin.warp(images[0], transform=file, interp="bspline").write(tmp_path / "two.nii.gz")
    aladdin.warp(images[0], transform=file, interp="bspline", output=tmp_path / "three.nii.gz")
    for name in ("one", "two", "three"):
        assert filecmp.cmp(tmp_path / f"{name}.nii.gz", tmp_path / "program.nii.gz", shallow=False), name


def test_points(run, program, tmp_path):
    file = run.folder / "transforms" / "knee001_from-atlas_to-native_mode-image_xfm.nii.gz"
    points = np.array([[3.0, -8.0, 4.0], [10.0, 12.0, -9.0]])
    (tmp_path / "points.csv").write_text("x,y,z\n" + "".join("%r,%r,%r\n" % tuple(p) for p in points.tolist()))
    printed = program("warp", "--points", tmp_path / "points.csv", "-t", file, "--ras")
    expected = np.array([[float(word) for word in line.split(",")] for line in printed.splitlines()[1:]])
    assert aladdin.warp(points=points, transform=file, ras=True) == pytest.approx(expected, abs=1e-6)
    table = aladdin.warp(points=tmp_path / "points.csv", transform=file, ras=True)
    assert table[["x", "y", "z"]].to_numpy() == pytest.approx(expected, abs=1e-6)


def test_transform(run, program, tmp_path):
    file = run.folder / "transforms" / "knee001_from-native_to-atlas_mode-image_xfm.nii.gz"
    for output, words in (("a.h5", []), ("b.nii.gz", ["--invert", "--like", run.folder / "atlas.nii.gz"])):
        program("transform", "-t", file, "-o", tmp_path / f"program_{output}", *words)
        more = {"invert": True, "like": run.folder / "atlas.nii.gz"} if words else {}
        aladdin.transform(file, output=tmp_path / f"python_{output}", **more)
        assert filecmp.cmp(tmp_path / f"program_{output}", tmp_path / f"python_{output}", shallow=False)


def test_cohort_info_report_and_snapshot(run, knees, images, program, tmp_path):
    assert aladdin.cohort(knees).record == json.loads(program("cohort", knees, "--json"))
    assert aladdin.info([images[0]]) == json.loads(program("info", images[0], "--json"))
    for page in (tmp_path / "python.html", tmp_path / "program.html"):
        if page.stem == "python":
            assert aladdin.report(run, output=page, name={1: "femur"}) == page
        else:
            program("report", run, "-o", page, "--name", "1=femur")
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "program.html").read_bytes()
    aladdin.snapshot(images[:2], output=tmp_path / "python.png", offset=[2, -1.5, 3], panel=64)
    program("snapshot", *images[:2], "-o", tmp_path / "program.png", "--offset=2,-1.5,3", "--panel", 64)
    assert (tmp_path / "python.png").read_bytes() == (tmp_path / "program.png").read_bytes()


def test_tune_and_compare(knees, program, tmp_path, needs_training):
    settings = {key: value for key, value in QUICK["settings"].items() if key != "train.engine"}
    settings.update({"train.epochs": [1, 1, 1], "train.engine": "learn"})
    words = [f"--set={key}={str(value).replace(' ', '')}" for key, value in settings.items()]
    found = aladdin.tune(
        knees, output=tmp_path / "python", grid={"loss.lambda": [0.1, 1.0]}, spacing=6, settings=settings, threads=1
    )
    program("tune", knees, "-o", tmp_path / "program", "--grid", "loss.lambda=0.1,1.0", "--spacing", 6, *words,
            "--threads", 1)  # fmt: skip
    assert (tmp_path / "program" / "best.toml").read_bytes() == found.best.read_bytes()
    program_table = (tmp_path / "program" / "ranking.csv").read_text().splitlines()
    assert [line.split(",")[1] for line in program_table[1:]] == [f"{dice:.5f}" for dice in found.ranking["bridge"]]
    table = aladdin.compare(knees, output=tmp_path / "compare", methods="A", split="val", spacing=6, threads=1).table
    assert len(table) >= 1


def test_a_cohort_as_a_table(knees, tmp_path, needs_training):
    import pandas as pd

    table = pd.read_csv(knees)
    for column in ("image", "label"):
        table[column] = [knees.parent / name for name in table[column]]
    run = aladdin.build(table, output=tmp_path / "table", **QUICK, threads=1)
    same = aladdin.build(knees, output=tmp_path / "csv", **QUICK, threads=1)
    assert np.array_equal(run.atlas.values, same.atlas.values)
    assert run.subjects["age"].tolist() == table["age"].tolist()
    table["image"] = [run.atlas] * len(table)
    with pytest.raises(aladdin.UsageError, match="expected a path"):
        aladdin.build(table, output=tmp_path / "other")
