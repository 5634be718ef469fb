"""register.py RUN IMAGES ALADDIN [REFINE]: the first 100 images of a folder registered in memory, and by the command with its files.

Prints CPU and wall-clock seconds of both. Reading the images counts in both; writing only in that of the command.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import aladdin


def main() -> None:
    """Measure both."""
    run, folder, program = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    refine = int(sys.argv[4]) if len(sys.argv) > 4 else None
    files = sorted(folder.glob("*.nii.gz"))[:100]
    print(f"{len(files)} images, {os.cpu_count()} cores")
    wall, cpu = time.perf_counter(), time.process_time()
    found = aladdin.register(run, [aladdin.Image.read(file) for file in files], refine=refine)
    print(f"in memory    {time.perf_counter() - wall:8.2f} s   CPU {time.process_time() - cpu:8.2f} s")
    mean = sum(one.figures["ncc_after"] for one in found) / len(found)
    words = [] if refine is None else ["--refine", str(refine)]
    with tempfile.TemporaryDirectory() as out:
        wall, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "register", run, *map(str, files), "-o", out, "-q", *words], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"the command  {time.perf_counter() - wall:8.2f} s   CPU {used:8.2f} s")
    print(f"mean NCC {mean:.4f}")


if __name__ == "__main__":
    main()
