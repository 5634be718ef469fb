// aladdin <command> …: finds the command, runs it, turns every failure into one sentence and an
// exit code (0 done, 1 failed, 2 wrong use, 128 + signal: stopped, and can be resumed).
#pragma once

#include <string>
#include <vector>

namespace aladdin::app {

// The words behind "aladdin".
int run_words(const std::vector<std::string>& words);

}  // namespace aladdin::app
