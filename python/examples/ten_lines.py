import aladdin

run = aladdin.Run("run")  # or aladdin.build("subjects.csv", output="run")
new = aladdin.register(run, ["new.nii.gz", aladdin.Image.read("other.nii.gz")])
for scan in new:
    print(scan.name, scan.figures["ncc_after"], scan.warped.values.mean())
    scan.labels.write(scan.name + "_labels.nii.gz")
between = new[1].to_atlas @ new[0].to_native  # points of the first brain to the second
print(between([10.0, -20.0, 5.0]), aladdin.segment(run, "new.nii.gz").volumes)
