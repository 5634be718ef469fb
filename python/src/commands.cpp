// The commands of the program, by their declarations: their settings for aladdin/_commands.py, and their work.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "aladdin/config/choice.h"
#include "aladdin/config/presets.h"
#include "aladdin/config/read.h"
#include "aladdin/config/visit.h"
#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parallel.h"
#include "aladdin/image/label_names.h"
#include "aladdin/run/run_record.h"
#include "bindings.h"
#include "command.h"
#include "declaration.h"
#include "learning.h"
#include "output.h"
#include "parse.h"
#include "program.h"
#include "versions.h"

namespace aladdin::python {
namespace {

py::list flags_of(const app::Command& command) {
  py::list out;
  const app::Declared declared = app::declare(command);  // keeps what the flags point to
  for (const auto& flag : app::declared_flags(*declared.app)) {
    py::dict one;
    one["names"] = flag.names;
    one["value"] = flag.value;
    one["choices"] = flag.choices;
    one["description"] = flag.description;
    one["default"] = flag.default_value;
    one["argument"] = flag.argument;
    one["required"] = flag.required;
    one["repeated"] = flag.repeated;
    out.append(one);
  }
  return out;
}

py::list all_commands() {
  py::list out;
  for (const auto& command : app::commands()) {
    py::dict one;
    one["name"] = command.name;
    one["summary"] = command.summary;
    one["description"] = command.description;
    one["hidden"] = command.hidden;
    one["flags"] = flags_of(command);
    out.append(one);
  }
  return out;
}

template <class Value>
const char* type_of() {
  if constexpr (std::is_same_v<Value, bool>)
    return "bool";
  else if constexpr (std::is_integral_v<Value>)
    return "int";
  else if constexpr (std::is_floating_point_v<Value>)
    return "float";
  else if constexpr (std::is_same_v<Value, std::vector<int>>)
    return "Sequence[int]";
  else if constexpr (std::is_same_v<Value, std::vector<double>>)
    return "Sequence[float]";
  else
    return "str";
}

py::list all_settings() {
  py::list out;
  const Config defaults;
  visit_settings(defaults, [&](const Setting& setting, const auto& value) {
    py::dict one;
    one["key"] = std::string(setting.key);
    one["type"] = type_of<std::decay_t<decltype(value)>>();
    one["constraint"] = setting.constraint.text();
    one["choices"] = setting.constraint.choices;
    one["meaning"] = std::string(setting.meaning);
    out.append(one);
  });
  return out;
}

py::dict config_of(const Path& file) {
  py::dict out;
  const Config config = read_config(file);
  visit_settings(config, [&](const Setting& setting, const auto& value) {
    const py::str key{std::string(setting.key)};
    if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>)
      out[key] = py::str(std::string(name_of(value)));
    else
      out[key] = value;
  });
  return out;
}

py::dict record_of(const Path& folder) {
  const RunRecord record = read_finished_record(RunDirectory{folder});
  py::dict out;
  out["preset"] = record.preset;
  out["command"] = record.command;
  out["labels"] = record.results ? record.results->labels : std::vector<std::int32_t>{};
  out["label_names"] = record.cohort.label_names;
  py::list subjects;
  for (const auto& subject : record.subjects) {
    py::dict one;
    one["id"] = subject.id;
    one["split"] = subject.split;
    one["image"] = subject.image.string();
    one["label"] = subject.label.string();
    for (const auto& [name, value] : subject.covariates) one[py::str(name)] = value;
    subjects.append(one);
  }
  out["subjects"] = subjects;
  return out;
}

}  // namespace

void bind_commands(py::module_& m) {
  m.attr("version") = app::kAladdinVersion;
  m.def("commands", &all_commands);
  m.def("settings", &all_settings);
  m.def("presets", &preset_names);
  m.def("threads", &threads);
  m.def("record", &record_of);
  m.def("read_config", &config_of);
  m.def("read_label_names", &read_label_names);
  m.def("run_command",
        [](PythonCall& call, const std::string& name, const std::vector<std::string>& words) {
          run(call, [&] { app::parse(app::find_command(name), words)(); });
        });
  // "" where the library that trains can be opened, else why it cannot.
  m.def("learning_error", [] {
    const py::gil_scoped_release release;
    try {
      app::learning();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  });
  // `python -m aladdin`, as the program: its exit code.
  m.def("program", [](const std::vector<std::string>& words) {
    const py::gil_scoped_release release;
    name_options_as_flags();
    const int code = app::run_words(words);
    std::fflush(stdout);
    return code;
  });
}

}  // namespace aladdin::python
