# The same bits for any number of threads: everything that a command writes, but for what says how long it took.
export OMP_WAIT_POLICY=passive
# Large enough for every operation to be cut into several tasks.
aladdin synth --subjects 5 --val 2 --test 1 --size 36,40,44 --spacing 4,4,4 --threads 1 -q -o knees
aladdin synth --subjects 5 --val 2 --test 1 --size 40,192,184 --spacing 2.8,0.75,0.75 --slice --threads 1 -q -o slices
: >"$folder/talk/err"

learn=(--engine learn --set network.width=8 --set network.depth=3 --set network.passes=[2,1] --set train.pyramid=[2,1]
  --epochs 1,1 --set train.least=1 --set atlas.every=1 --set train.refine=2)
optimise=(--engine optimise --set train.pyramid=[2,1] --epochs 1,1 --set optimise.iterations=2)

# build NAME COHORT THREADS FLAGS…
build() {
  expect_ok aladdin build "$2/cohort.csv" -o "$1_$3" --threads "$3" --no-report -q "${@:4}"
}
# same A B: every file of A is in B with the same bytes. run.json and log.txt tell times, checkpoints hold them.
same() {
  local file
  cases=$((cases + 1))
  while read -r file; do
    cmp -s "$1/$file" "$2/$file" || complain "$1/$file and $2/$file differ" cmp
  done < <(cd "$1" && find . -type f ! -name run.json ! -name log.txt ! -path './checkpoints/*')
  [[ -n $(find "$1" -type f -size +0) ]] || complain "$1 is empty" cmp
}
# on NAME COHORT COUNTS FLAGS…: builds on one thread, and the same on each of these numbers
on() {
  local count
  build "$1" "$2" 1 "${@:4}"
  for count in $3; do
    build "$1" "$2" "$count" "${@:4}"
    same "$1_1" "$1_$count"
  done
}

on learn3 knees '2 3 8' "${learn[@]}"
on learn2 slices '2 3 8' "${learn[@]}"
on optimise3 knees '2 3 8' "${optimise[@]}"
on optimise2 slices '2 3 8' "${optimise[@]}"

# Terms and atlases of other kinds
few=(--set network.width=8 --set network.passes=[1] --set network.depth=3 --pyramid off --set train.epochs=1 --set train.least=1)
on learned slices 3 --engine learn "${few[@]}" --atlas learned --batch 4 --gamma1 0.5 --supervise
on mi slices 3 --engine learn "${few[@]}" --similarity mi
on affine knees 3 "${optimise[@]}" --affine
on paper slices 3 --preset paper "${few[@]}"
on fast slices 3 --preset fast "${few[@]}"

# What is done with a run
for pair in learn3:knees learn2:slices optimise3:knees; do
  run=${pair%:*}_1 cohort=${pair#*:}
  for count in 1 2 3 8; do
    expect_ok aladdin register "$run" "$cohort"/images/*4.nii.gz -o "register_$run$count" --threads $count -q
    expect_ok aladdin register "$run" "$cohort"/images/*4.nii.gz -o "refine_$run$count" --refine 3 --threads $count -q
    expect_ok aladdin segment "$run" "$cohort"/images/*4.nii.gz -o "segment_$run$count" --threads $count -q
    expect_ok aladdin evaluate "$run" --threads $count -q
    mkdir "evaluate_$run$count" && cp "$folder/talk/out" "evaluate_$run$count"
    for what in register refine segment evaluate; do same "${what}_${run}1" "${what}_$run$count"; done
  done
done
