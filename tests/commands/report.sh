# What cannot be shown is said in a sentence; the pages themselves are tested in a browser (tests/web).
mkdir empty
expect_fail 2 'aladdin report needs RUN' aladdin report -o a.html
expect_fail 2 'there is nothing to do' aladdin report empty
expect_fail 1 "'empty' is not a run directory" aladdin report empty -o a.html
expect_fail 2 "'a.png' does not end in .html" aladdin report empty -o a.png
expect_fail 2 'such as 1=femur' aladdin report empty -o a.html --name femur
expect_fail 2 'such as bone=1,3' aladdin report empty -o a.html --group bone
expect_fail 2 '--embed -1 is out of range' aladdin report empty -o a.html --embed -1
expect_fail 2 '--port 70000 is out of range' aladdin report empty --serve --port 70000
touch there.html
expect_fail 1 "'there.html' exists already" aladdin report empty -o there.html

# A run that still trains has a page: its curves and settings
mkdir run
cat >run/run.json <<'JSON'
{"format": "aladdin run", "version": 1, "state": "training", "command": "aladdin build", "subjects": [{"id": "a<b"}]}
JSON
printf 'epoch,energy,val_bridge_dice\n1,2.5,\n2,1.25,0.71234\n' >run/metrics.csv
expect_out 'page.html' aladdin report run -o page.html
grep -q 'epoch 2: 0.71234' page.html || complain 'the validation is not on the page' report
grep -q 'a&lt;b' page.html || complain 'the subject is not on the page' report
expect_ok env PATH=/usr/bin:/bin "$ALADDIN" report run --figures figures
[[ -s figures/training_energy.svg && -s figures/training_energy.png ]] || complain 'no figures' report
expect_fail 1 "exists already" aladdin report run --figures figures
expect_fail 1 'need the program rsvg-convert' env PATH=/nowhere "$ALADDIN" report run --figures other

# Damaged tables
printf 'epoch,energy\n1,much\n' >run/metrics.csv
expect_fail 1 "has 'much' in line 2, column 'energy', expected a number" aladdin report run -o b.html
printf 'epoch,energy\n1\n' >run/metrics.csv
expect_fail 1 'has 1 fields in line 2, expected 2' aladdin report run -o b.html

# A record that aladdin build did not write
record() { printf '{"format": "aladdin run", "version": 1, "state": "done", "subjects": [{"id": "a"}], %s}\n' "$1" >run/run.json; }
rm run/metrics.csv
for id in ../../a a/b .a; do
  record '"subjects": [{"id": "'"$id"'"}]'
  expect_fail 1 'that aladdin build did not write' aladdin report run -o b.html
done
record '"timing": {"training_minutes": "long"}'
expect_fail 1 'timing.training_minutes is "long", expected a number' aladdin report run -o b.html
record '"cohort": {"notes": [1]}'
expect_fail 1 'cohort.notes[0] is 1, expected text' aladdin report run -o b.html
for section in results versions timing cohort; do
  record "\"$section\": [1]"
  expect_fail 1 "$section is [1], expected an object" aladdin report run -o b.html
done
