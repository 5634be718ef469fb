# The pages for those who come from other programs: every command of ours on them, run in its order on files of these names.
docs=$(dirname "$case_file")/../../docs
aladdin synth --subjects 5 --val 0 --test 1 --size 28,34,34 --spacing 4,4,4 --threads 1 -q -o knees
mkdir data data/{scans,labels,masks}
cp knees/images/* data/scans && cp knees/labels/* data/labels && cp knees/labels/* data/masks
last=$(basename "$(ls data/scans/* | tail -1)")
mv "data/scans/$last" data/new.nii.gz && rm data/labels/"$last" data/masks/"$last"
for mask in data/masks/*; do cp "knees/images/$(basename "$mask")" "$mask"; done
{ echo id,age,sex; n=0; for scan in data/scans/*; do n=$((n + 1)); echo "$(basename "$scan" .nii.gz),$((40 + 7 * n % 5)),$((n % 2))"; done; } >data/table.csv
cp data/new.nii.gz data/template.nii.gz
printf 'x,y,z\n0,0,0\n5,-5,5\n' >data/landmarks.csv
printf '1 0 0 2\n0 1 0 0\n0 0 1 0\n0 0 0 1\n' | tee data/affine.txt >data/affine.mat
aladdin transform -t data/affine.txt,as=mrtrix --like data/template.nii.gz -o data/deformation.mif -q
aladdin transform -t data/deformation.mif --format ants -o data/new_ -q

for page in "$docs"/from_*.md; do
  cp -r data page && cd page
  # The first build of a page is 'run', whatever the page builds it with; short ones, since the network is not the point.
  while IFS= read -r line; do
    extra=
    [[ $line != *' -o '* ]] || extra=' --force --threads 1'
    [[ $line != 'aladdin build '* ]] || extra+=' --spacing 6 --minutes 0.02 --no-report -q'
    [[ $line != 'aladdin stats '* ]] || extra+=' --permutations 20'
    expect_ok eval "${line/--permutations 5000/}$extra"
  done < <(awk '/^```/ { inside = $0 == "```sh" } inside && /^aladdin /' "$page" | sed 's/ #.*//')
  cd .. && rm -rf page
done
(( cases >= 35 )) || complain "only $cases commands were found" pages
