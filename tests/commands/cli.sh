# The frame around all commands.
make_image image a.nii

expect_out 'Describe images' aladdin --help
expect_out 'Describe images' aladdin help
expect_out 'usage: aladdin info FILE' aladdin info --help
expect_out 'usage: aladdin info FILE' aladdin help info
expect_out 'ITK 5.' aladdin --version

expect_fail 2 'no command given' aladdin
expect_fail 2 "there is no command 'inof'; did you mean 'info'?" aladdin inof a.nii
expect_fail 2 "there is no command 'inof'" aladdin help inof
expect_fail 2 "there is no command ''" aladdin ''
expect_fail 2 "no flag '--verson'; did you mean '--version'?" aladdin --verson
expect_fail 2 'flags follow the command' aladdin -v info a.nii
expect_fail 2 "no flag '--verbos'; did you mean '--verbose'?" aladdin info --verbos a.nii
expect_fail 2 "no flag '--verbos'" aladdin info --verbos=3 a.nii
expect_fail 2 "no flag '-x'" aladdin info a.nii -x
expect_fail 2 'aladdin info needs FILE' aladdin info
expect_fail 2 'cannot be used together' aladdin info -v -q a.nii
expect_fail 2 'takes no value' aladdin info --quiet=3 a.nii
expect_fail 2 "'csh' is not a value of SHELL, expected one of bash, zsh, fish" aladdin completion csh
expect_fail 2 "does not expect the argument 'zsh'" aladdin completion bash zsh

# Output that cannot be written is never lost in silence, nor does it land in another file.
to_full_disk() { "$ALADDIN" "$@" >/dev/full; }
to_closed_stdout() { "$ALADDIN" "$@" >&-; }
to_closed_pipe() {  # the reader is gone before anything is written
  local -a codes
  { sleep 0.2; "$ALADDIN" "$@"; echo $? >"$folder/talk/code"; } | true
  read -ra codes <"$folder/talk/code"
  return "${codes[0]}"
}
expect_fail 1 'cannot write to standard output: No space left on device' to_full_disk --help
expect_fail 1 'cannot write to standard output' to_full_disk info a.nii
expect_fail 1 'cannot write to standard output: Bad file descriptor' to_closed_stdout info a.nii
for words in 'info a.nii' 'help warp'; do  # a reader that has seen enough, such as head, is no error
  run_case to_closed_pipe $words
  (( status == 1 )) || complain "exit code $status, expected 1" to_closed_pipe $words
  [[ ! -s $folder/talk/err ]] || complain 'a closed pipe is talked about' to_closed_pipe $words
done
