#include "man_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "declaration.h"
#include "parse.h"
#include "versions.h"

namespace aladdin::app {
namespace {

// Plain text as roff: '-' is a hyphen there, '\' an escape, '.' and ''' at the start of a line a request.
std::string roff(const std::string& text) {
  std::string out;
  bool line_starts = true;
  for (const char c : text) {
    if (line_starts && (c == '.' || c == '\'')) out += "\\&";
    line_starts = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string paragraphs(const std::string& text) {
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find("\n\n", begin), text.size());
    if (begin > 0) out += ".PP\n";
    out += roff(text.substr(begin, end - begin)) + "\n";
    begin = end + 2;
  }
  return out;
}

std::string entry(const std::string& term, const std::string& text) {
  return fmt::format(".TP\n.B {}\n{}\n", roff(term), roff(text));
}

std::string head(const std::string& name, const std::string& summary) {
  std::string upper = name;
  std::ranges::transform(upper, upper.begin(), [](char c) { return std::toupper(c); });
  return fmt::format(".TH {} 1 \"\" \"aladdin {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n",
                     roff(upper), kAladdinVersion, roff(name), roff(summary));
}

std::string section(const std::string& title, const std::string& body) {
  return body.empty() ? "" : fmt::format(".SH {}\n{}", title, body);
}

std::string list(const std::vector<Flag>& flags, bool arguments) {
  std::string out;
  for (const auto& flag : flags)
    if (flag.argument == arguments) out += entry(name_and_value(flag), description_of(flag));
  return out;
}

std::string environment() {
  std::string out;
  for (const auto& [name, meaning] : environment_variables()) out += entry(name, meaning);
  return out;
}

std::string exit_status() {
  return entry("0", "done") + entry("1", "failed; the last line on standard error says why") +
         entry("2", "wrong use; nothing was done") +
         entry("128 + signal", "stopped by a signal; a build continues with --resume");
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& environment_variables() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"ALADDIN_CACHE",
       "folder for the images of a cohort that does not fit into memory (default: "
       "$XDG_CACHE_HOME/aladdin, else ~/.cache/aladdin)"},
      {"ALADDIN_PROGRESS", "slicer: progress on standard output, as 3D Slicer reads it"},
      {"ALADDIN_LEARNING",
       "the libaladdin_learning to train with (default: that beside libaladdin)"},
      {"ALADDIN_SIMD", "baseline, avx2 or avx512: to use less than the processor has"},
      {"OMP_WAIT_POLICY",
       "how threads wait; set it, or GOMP_SPINCOUNT, to keep 'aladdin build' from choosing"}};
  return all;
}

std::string man_page_of_all() {
  std::string list;
  for (const auto& command : commands())
    if (!command.hidden) list += entry("aladdin-" + command.name + "(1)", command.summary);
  return head("aladdin", "atlases and diffeomorphic registration of 2-D and 3-D images") +
         section("SYNOPSIS", ".B aladdin\n.I command\n[arguments] [flags]\n") +
         section("DESCRIPTION",
                 paragraphs("Builds the atlas of a cohort of medical images and, jointly, a "
                            "diffeomorphic registration of new images to it. Each command has a "
                            "page of its own.\n\nResults go to standard output, messages to "
                            "standard error. Nothing is overwritten without --force.")) +
         section("COMMANDS", list) +
         section("OPTIONS",
                 entry("-h, --help", "Print the commands") +
                     entry("--version", "Print the versions of aladdin and its libraries")) +
         section("EXIT STATUS", exit_status()) + section("ENVIRONMENT", environment());
}

std::string man_page_of(const Command& command) {
  const auto flags = declared_flags(*declare(command).app);
  std::string examples;
  for (const auto& example : command.examples)
    examples +=
        fmt::format(".TP\n{}\n.B aladdin {}\n", roff(example.meaning), roff(example.command));
  return head("aladdin-" + command.name, command.summary) +
         section("SYNOPSIS",
                 fmt::format(".B aladdin {}\n{}\n", roff(command.name), roff(synopsis_of(flags)))) +
         section("DESCRIPTION", paragraphs(command.description)) +
         section("ARGUMENTS", list(flags, true)) + section("OPTIONS", list(flags, false)) +
         section("EXAMPLES", examples) + section("EXIT STATUS", exit_status()) +
         section("SEE ALSO", ".BR aladdin (1)\n");
}

}  // namespace aladdin::app
