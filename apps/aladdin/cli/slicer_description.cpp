#include "slicer_description.h"

#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/text.h"
#include "declaration.h"
#include "parse.h"
#include "versions.h"

namespace aladdin::app {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string element(const std::string& name, const std::string& text) {
  return fmt::format("<{0}>{1}</{0}>", name, escaped(text));
}

// A word for C++ and for Slicer's tables: "keep_positions".
std::string identifier(const Flag& flag) {
  std::string out = flag.names.back();
  out.erase(0, out.find_first_not_of('-'));
  std::ranges::replace(out, '-', '_');
  return out;
}

std::string label_of(const Flag& flag) {
  std::string out = identifier(flag);
  std::ranges::replace(out, '_', ' ');
  out[0] = static_cast<char>(std::toupper(out[0]));
  return out;
}

// "file" as in FILE, FILE|DIR; the rest of the declarations' words are text to Slicer.
bool names_file(const Flag& flag) {
  return flag.value.starts_with("FILE") || flag.value == "PNG" || flag.value == "HTML";
}

std::string type_of(const Flag& flag) {
  if (flag.value.empty()) return "boolean";
  if (flag.argument && flag.names[0] == "IMAGE") return "image";
  if (flag.repeated) return "string";  // as "multiple": a vector would be one word with commas
  if (!flag.choices.empty()) return flag.default_value.empty() ? "string" : "string-enumeration";
  if (flag.value == "N" && parse_integer(flag.default_value)) return "integer";
  if (parse_number(flag.default_value)) return "double";
  if (flag.value == "DIR") return "directory";
  return names_file(flag) ? "file" : "string";
}

// The order of the elements is that of CTK's schema; Slicer's own takes any.
std::string parameter(const Flag& flag, int index) {
  const std::string type = type_of(flag);
  std::string attributes;
  if (flag.repeated) attributes = " multiple=\"true\"";
  std::string out = fmt::format("    <{}{}>\n", type, attributes);
  const auto line = [&](const std::string& name, const std::string& text) {
    out += "      " + element(name, text) + "\n";
  };
  line("name", identifier(flag));
  if (!flag.argument) {
    for (const auto& name : flag.names)
      line(name.starts_with("--") ? "longflag" : "flag", name.substr(name.find_first_not_of('-')));
  }
  if (flag.argument) line("index", std::to_string(index));
  line("description", description_of(flag));
  line("label", label_of(flag));
  if (type == "boolean") line("default", "false");
  if (!flag.default_value.empty() && type != "boolean") line("default", flag.default_value);
  if (type == "image" || type == "file" || type == "directory")
    line("channel", !flag.argument && identifier(flag) == "output" ? "output" : "input");
  if (type == "string-enumeration")
    for (const auto& choice : flag.choices) line("element", choice);
  return out + fmt::format("    </{}>\n", type);
}

std::string group(const std::string& label, const std::string& description,
                  const std::string& parameters) {
  if (parameters.empty()) return "";
  return "  <parameters>\n    " + element("label", label) + "\n    " +
         element("description", description) + "\n" + parameters + "  </parameters>\n";
}

}  // namespace

std::string slicer_description(const Command& command) {
  std::string arguments, flags;
  int index = 0;
  for (const auto& flag : declared_flags(*declare(command).app)) {
    if (identifier(flag) == "help") continue;
    if (flag.argument || flag.required)
      arguments += parameter(flag, index);
    else
      flags += parameter(flag, index);
    if (flag.argument) ++index;
  }
  std::string title = command.name;
  title[0] = static_cast<char>(std::toupper(title[0]));
  std::string out = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<executable>\n";
  for (const auto& [name, text] : std::initializer_list<std::pair<std::string, std::string>>{
           {"category", "Registration.Aladdin"},
           {"title", "Aladdin " + title},
           {"description", command.summary + ".\n\n" + command.description},
           {"version", kAladdinVersion},
           {"documentation-url", ""},
           {"license", "Apache 2.0"},
           {"contributor", "The Aladdin developers"}})
    out += "  " + element(name, text) + "\n";
  return out + group("Input and output", "What is read and written", arguments) +
         group("Settings", "Everything else", flags) + "</executable>\n";
}

}  // namespace aladdin::app
