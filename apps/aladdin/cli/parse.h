// From a command line to something to run, or to one sentence that says what is wrong with it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "command.h"

namespace aladdin::app {

// A command with its flags declared, those of every command (-h, -v, -q) included.
struct Declared {
  std::unique_ptr<CLI::App> app;
  std::function<void()> action;
};
Declared declare(const Command& command);

// Parses the words after the command's name and sets the verbosity. Returns what to run: the
// command, or printing its help. Throws aladdin::Error with exit code 2 on anything unknown,
// missing or malformed, before any work.
std::function<void()> parse(const Command& command, const std::vector<std::string>& words);

}  // namespace aladdin::app
