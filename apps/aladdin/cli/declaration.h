// The flags that a command declared, read back from CLI11: the only source of help, docs and completion.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace aladdin::app {

struct Flag {
  std::vector<std::string> names;    // "-o", "--output"; one bare name for an argument
  std::string value;                 // "FILE", "N", "linear|nearest"; empty: an on/off flag
  std::vector<std::string> choices;  // of an enumeration
  std::string description;
  std::string default_value;
  bool argument = false;  // given by position
  bool required = false;
  bool repeated = false;
};

// In the order of declaration.
std::vector<Flag> declared_flags(const CLI::App& app);

// "-o, --output FILE", "IMAGE ...".
std::string name_and_value(const Flag& flag);
// What the flag means, whether it is required, its default in brackets.
std::string description_of(const Flag& flag);
// "RUN IMAGE... -o OUT [flags]": the arguments and the flags that must be given.
std::string synopsis_of(const std::vector<Flag>& flags);

}  // namespace aladdin::app
