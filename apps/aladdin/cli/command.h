// A command is one file of apps/aladdin/commands: NAME.cpp defines `Command NAME_command()`, which
// declares its flags and what to run. CMake finds the file; help, docs/commands.md and the shell
// completion are made from the declaration.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "aladdin/core/files.h"

namespace aladdin::app {

struct Example {
  std::string command;  // without the leading "aladdin"
  std::string meaning;
};

struct Command {
  std::string name;
  std::string summary;      // one line
  std::string description;  // paragraphs, with an empty line between them
  std::vector<Example> examples;
  // Adds the command's own flags to `app` and returns what to do once they are parsed. Name the
  // value of a flag with type_name("FILE") and check an enumeration with CLI::IsMember: help,
  // completion and "did you mean" take both from there.
  std::function<std::function<void()>(CLI::App& app)> declare;
  bool hidden = false;  // not in help, documentation and completion
};

// Those of all files, by file name; CMake writes its body.
std::vector<Command> declared_commands();
// All commands, in the order in which --help shows them.
const std::vector<Command>& commands();
// Throws (usage), with the nearest name, if there is none.
const Command& find_command(const std::string& name);

// Flags with one meaning everywhere; a command adds those that it supports. Every command has -v and -q.
void add_threads(CLI::App& app);
void add_force(CLI::App& app, bool& force);
void add_json(CLI::App& app, bool& json);
void add_seed(CLI::App& app, std::uint64_t& seed);
// --nan refuse|zero (image/io.h: set_nan_policy).
void add_nan(CLI::App& app);
void add_budget(CLI::App& app, double& minutes, const std::string& meaning);
void add_device(CLI::App& app, std::string& device);
// --names FILE (image/label_names.h).
void add_names(CLI::App& app, std::string& file);
// --fields registration|native (transform/export.h).
void add_fields(CLI::App& app, std::string& which);
// The path of this program; its real one rather than /proc/self/exe, so that process lists show its name.
Path own_program();
// A flag with one value that may be repeated; the word after its value belongs to something else.
CLI::Option* add_repeatable(CLI::App& app, const std::string& flag,
                            std::vector<std::string>& values, const std::string& type,
                            const std::string& meaning);

// The names of a --names file, over those that are known; nothing where `file` is empty.
void put_names(const std::string& file, std::map<std::int32_t, std::string>& names);

// "1,2,3" of a flag; none where the text is empty.
std::vector<std::int32_t> parse_labels(const std::string& flag, const std::string& text);

}  // namespace aladdin::app
