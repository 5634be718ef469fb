#include "help.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "declaration.h"
#include "parse.h"
#include "versions.h"

namespace aladdin::app {
namespace {

constexpr std::size_t kWidth = 96;
constexpr std::size_t kColumn = 26;  // where descriptions begin

std::string wrapped(const std::string& text, std::size_t indent) {
  std::istringstream words(text);
  std::string lines, word;
  std::size_t column = indent;
  while (words >> word) {
    if (column > indent && column + 1 + word.size() > kWidth) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
  }
  return lines + "\n";
}

// An empty line in the text begins a new paragraph.
std::string paragraphs(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find("\n\n", begin), text.size());
    lines += "\n" + wrapped(text.substr(begin, end - begin), 0);
    begin = end + 2;
  }
  return lines;
}

std::string entry(const std::string& left, const std::string& right) {
  std::string line = "  " + left;
  if (line.size() + 2 > kColumn) {
    line += "\n" + std::string(kColumn, ' ');
  } else {
    line.resize(kColumn, ' ');
  }
  return line + wrapped(right, kColumn);
}

std::string list(const std::string& title, const std::vector<Flag>& flags, bool arguments) {
  std::string text;
  for (const auto& flag : flags)
    if (flag.argument == arguments) text += entry(name_and_value(flag), description_of(flag));
  return text.empty() ? "" : "\n" + title + ":\n" + text;
}

}  // namespace

std::string help_of(const Command& command) {
  const auto flags = declared_flags(*declare(command).app);
  std::string text = wrapped(fmt::format("aladdin {}: {}", command.name, command.summary), 0) +
                     "\n" + fmt::format("usage: aladdin {} {}\n", command.name, synopsis_of(flags));
  text += paragraphs(command.description);
  text += list("arguments", flags, true) + list("flags", flags, false);
  if (!command.examples.empty()) text += "\nexamples:\n";
  for (const auto& example : command.examples)
    text += fmt::format("  # {}\n  aladdin {}\n", example.meaning, example.command);
  return text;
}

std::string help_of_all() {
  std::string text =
      "aladdin: atlases and diffeomorphic registration of 2-D and 3-D images\n\n"
      "usage: aladdin <command> [arguments] [flags]\n\ncommands:\n";
  for (const auto& command : commands())
    if (!command.hidden) text += entry(command.name, command.summary);
  text += "\nflags:\n" +
          entry("-h, --help", "Print this help; 'aladdin <command> --help' has the details") +
          entry("--version", "Print the versions of aladdin and its libraries");
  return text;
}

std::string version_text() {
  return fmt::format("aladdin {}\nTorch {}\nITK {}\noneDNN {}\ncompiler {}\n", kAladdinVersion,
                     kTorchVersion, kItkVersion, kOneDnnVersion, kCompiler);
}

}  // namespace aladdin::app
