// Turns a command line into an action, or into one sentence that says what is wrong.
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

// Parses the words after the command's name and sets the verbosity. Returns the action: to run the
// command or to print its help. Throws aladdin::Error with exit code 2 on anything unknown, missing
// or malformed, before any work.
std::function<void()> parse(const Command& command, const std::vector<std::string>& words);

}  // namespace aladdin::app
