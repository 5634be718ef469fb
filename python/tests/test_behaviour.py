"""A guest in somebody's process: threads, signals, forks, warnings, memory."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import QUICK

import aladdin
from aladdin import _core


def fingerprint(found):
    return found.to_atlas.steps[0].values.tobytes() + found.warped.values.tobytes()


def test_nothing_is_printed(run, images, tmp_path, capfd):
    aladdin.register(run, images[0])
    aladdin.evaluate(run, split="all")
    aladdin.measure(run, output=tmp_path / "sizes")
    aladdin.segment(run, images[0], output=tmp_path / "labels")
    out = capfd.readouterr()
    assert out.out == "" and out.err == ""


def test_what_is_said_is_logged(run, tmp_path, caplog):
    import logging

    with caplog.at_level(logging.INFO, logger="aladdin"):
        aladdin.measure(run, output=tmp_path / "sizes")
    assert "the measures are in" in caplog.text


def test_a_warning_is_one_of_python_and_names_the_caller():
    field = aladdin.Transform.displacement(np.zeros((4, 4, 4, 3)), aladdin.Grid([4, 4, 4], [1, 1, 1], [0, 0, 0]))
    with pytest.warns(aladdin.AladdinWarning, match="outside the grid") as caught:
        field([[100.0, 0.0, 0.0]])
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(aladdin.AladdinWarning, match="outside the grid"):
            field([[100.0, 0.0, 0.0]])


def test_threads_belong_to_the_call_and_do_not_change_the_bits(run, images):
    before = _core.threads()
    found = [fingerprint(aladdin.register(run, images[0], threads=n)) for n in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert _core.threads() == before
    with pytest.raises(aladdin.UsageError, match="threads -1"):
        aladdin.register(run, images[0], threads=-1)


def test_several_threads_of_python(run, images):
    alone = [fingerprint(aladdin.register(run, image)) for image in images[:3]]
    together = [None] * 3

    def work(i):
        for _ in range(5):
            together[i] = fingerprint(aladdin.register(run, images[i], threads=1 + i % 2))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == alone


def test_the_gil_is_released(run, images):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.monotonic()
    aladdin.register(run, [aladdin.Image.read(image) for image in images] * 3, threads=1)
    end = time.monotonic()
    done.set()
    thread.join()
    during = [t for t in ticks if begin < t < end]
    assert len(during) > 3 and max(np.diff(during)) < 0.8 * (end - begin)


def test_progress_counts_to_the_end(run, images):
    seen = []
    aladdin.register(run, images, progress=lambda label, done, total: seen.append((label, done, total)))
    assert sorted(seen) == [("registering", n, len(images)) for n in range(1, len(images) + 1)]


def test_a_callback_that_raises_stops_the_call(run, images):
    def progress(label, done, total):
        raise RuntimeError(f"enough after {done}")

    with pytest.raises(RuntimeError, match="enough after 1"):
        aladdin.register(run, images, progress=progress)
    with pytest.raises(RuntimeError, match="enough"):
        aladdin.evaluate(run, split="all", progress=progress)


def worker(folder, image, queue):
    queue.put(fingerprint(aladdin.register(folder, image, threads=2)))


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(run, images, method):
    here = fingerprint(aladdin.register(run, images, threads=2)[0])  # its threads are there, and idle
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    process = context.Process(target=worker, args=(str(run.folder), str(images[0]), queue))
    process.start()
    try:
        assert queue.get(timeout=60) == here
    finally:
        process.join(10)
        if process.is_alive():
            process.kill()
    assert fingerprint(aladdin.register(run, images, threads=2)[0]) == here


SCRIPT = """
    import sys
    sys.path.insert(0, {tests!r})
    import aladdin
    from conftest import QUICK
    def progress(label, done, total):
        if label == "training":
            print("training", flush=True)
    settings = dict(QUICK, epochs=[40, 40, 1])
    try:
        aladdin.build({knees!r}, output={output!r}, threads=1, progress=progress, resume=True, **settings)
    except KeyboardInterrupt as stop:
        print("stopped", stop, flush=True)
        sys.exit(3)
    print("done", flush=True)
"""


def build_script(knees, output):
    text = textwrap.dedent(SCRIPT).format(tests=str(Path(__file__).parent), knees=str(knees), output=str(output))
    return subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_ctrl_c_leaves_a_build_that_resumes(knees, tmp_path, needs_training):
    child = build_script(knees, tmp_path / "stopped")
    assert child.stdout.readline().strip() == "training"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    assert child.returncode == 3, err
    assert "stopped" in out and "resume=True" in out and "done" not in out
    assert list((tmp_path / "stopped" / "checkpoints").iterdir())
    with pytest.raises(aladdin.Error):
        aladdin.Run(tmp_path / "stopped")
    child = build_script(knees, tmp_path / "stopped")
    assert child.communicate(timeout=300)[0].strip().endswith("done")
    whole = build_script(knees, tmp_path / "whole")
    whole.communicate(timeout=300)
    for name in ("atlas.nii.gz", "model.safetensors", "metrics.csv"):
        assert (tmp_path / "stopped" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_terminating_a_build_leaves_a_checkpoint(knees, tmp_path, needs_training):
    child = build_script(knees, tmp_path / "run")
    assert child.stdout.readline().strip() == "training"
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=120)
    assert child.returncode == -signal.SIGTERM
    assert list((tmp_path / "run" / "checkpoints").iterdir())


def test_a_callback_stops_a_build_with_a_checkpoint(knees, tmp_path, needs_training):
    def progress(label, done, total):
        if label == "training" and done < total:
            raise LookupError("enough")

    settings = dict(QUICK, epochs=[40, 40, 1])
    with pytest.raises(LookupError, match="enough"):
        aladdin.build(knees, output=tmp_path / "run", threads=1, progress=progress, **settings)
    assert list((tmp_path / "run" / "checkpoints").iterdir())


def test_the_log_of_a_build_is_its_own(knees, tmp_path, needs_training):
    for name in ("first", "second"):
        aladdin.build(knees, output=tmp_path / name, threads=1, **QUICK)
    first = (tmp_path / "first" / "log.txt").read_text()
    assert "second" not in first and first.count("100 %") == 1


def test_without_the_library_that_trains(knees, tmp_path):
    text = f"""
import os
os.environ["ALADDIN_LEARNING"] = "/nowhere/libaladdin_learning.so.0"
import aladdin
try:
    aladdin.build({str(knees)!r}, output={str(tmp_path / 'run')!r})
except aladdin.Error as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert "the training library cannot be loaded" in done.stdout and done.stdout.count("\n") == 1, done.stderr


def test_memory_stays_flat(run, images):
    image = aladdin.Image.read(images[0])
    count = int(os.environ.get("ALADDIN_LEAK_TEST", "60"))

    def repeat(times):
        for _ in range(times):
            found = aladdin.register(run, image, threads=1)
            found.warped, found.labels, found.to_native
        return _core.resident_memory()

    repeat(max(10, count // 10))
    before = repeat(1)
    growth = repeat(count) - before
    each = image.values.nbytes
    assert growth < max(8 << 20, 0.02 * count * each), f"{growth} bytes after {count} registrations"


def test_ctrl_c_ends_a_server(run):
    text = f"import aladdin; aladdin.report({str(run.folder)!r}, serve=True, port=0)"
    child = subprocess.Popen([sys.executable, "-u", "-c", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline().startswith("http://127.0.0.1:")
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert "KeyboardInterrupt" in err


def test_python_m_aladdin_is_the_program(images):
    done = subprocess.run([sys.executable, "-m", "aladdin", "info", images[0]], capture_output=True, text=True)
    assert done.returncode == 0 and "28 x 34 x 34" in done.stdout
    wrong = subprocess.run([sys.executable, "-m", "aladdin", "inf"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "did you mean 'info'" in wrong.stderr
