# Commands as 3D Slicer calls them: with all parameters that have a value, and its kind of progress on standard output.
tests=$(dirname "$case_file")/..
# as_slicer COMMAND NAME=VALUE…
as_slicer() {
  local words
  mapfile -t words < <(python3 "$tests/slicer_words.py" "$ALADDIN" "$@")
  (( ${#words[@]} > 0 )) || { complain 'no words' "$@"; return; }
  expect_ok env ALADDIN_PROGRESS=slicer "$ALADDIN" "$1" "${words[@]}"
}
# Progress goes from 0 or above up to 1, and every filter that starts ends.
expect_progress() {
  local out=$folder/talk/out
  grep -q '<filter-progress>1.0000</filter-progress>' "$out" || complain 'no progress up to 1' "$1"
  [[ $(grep -c '<filter-start>' "$out") == $(grep -c '<filter-end>' "$out") ]] || complain 'a filter does not end' "$1"
  ! grep -oE '<filter-progress>[^<]*' "$out" | grep -qvE '>(0\.[0-9]{4}|1\.0000)$' || complain 'progress out of range' "$1"
}

as_slicer synth output=knees subjects=4 val=0 test=0 size=28,34,34 spacing=4,4,4 quiet=true
expect_progress synth
as_slicer build SOURCE=knees/cohort.csv output=run preset=fast spacing=6 epochs=2,1,1 refine=0 no_report=true exclude=knee004
expect_progress build
[[ -s run/atlas.nii.gz ]] || complain 'no atlas' build
image=$(ls knees/images/* | tail -1)
as_slicer register RUN=run "IMAGE=$(ls knees/images/* | head -2 | tr '\n' ',' | sed 's/,$//')" output=out warped=true
expect_progress register
[[ $(ls out/transforms | wc -l) == 4 && $(ls out/warped | wc -l) == 2 ]] || complain 'not both images' register
as_slicer segment RUN=run "IMAGE=$image" output=labels
expect_progress segment
as_slicer warp "IMAGE=$image" output=again.nii.gz transform=identity "like=$image"
as_slicer measure RUN=run output=sizes maps=none
expect_progress measure
