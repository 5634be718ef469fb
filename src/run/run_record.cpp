#include "aladdin/run/run_record.h"

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "aladdin/core/error.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort.h"

namespace aladdin {
namespace {

using Json = nlohmann::ordered_json;

// The keys, in the order in which they are written. always(): also where the value is empty; if_any(): where it is not.
// Whoever reads passes over what is missing, but for what must().

template <class Of>
concept IsSubject = std::same_as<std::remove_const_t<Of>, SubjectRecord>;
template <class Of>
concept IsCohort = std::same_as<std::remove_const_t<Of>, CohortRecord>;
template <class Of>
concept IsResults = std::same_as<std::remove_const_t<Of>, RunResults>;
template <class Of>
concept IsTiming = std::same_as<std::remove_const_t<Of>, RunTiming>;
template <class Of>
concept IsRecord = std::same_as<std::remove_const_t<Of>, RunRecord>;

void visit(IsSubject auto& s, auto&& v) {
  v.must("id", s.id);
  v.always("split", s.split);
  v.always("image", s.image);
  v.if_any("label", s.label);
  v.if_any("size", s.size);
  v.if_any("spacing_mm", s.spacing_mm);
  v.always("shift_mm", s.shift_mm);
  v.if_any("intensity", s.intensity);
  v.if_any("covariates", s.covariates);
}

void visit(IsCohort auto& c, auto&& v) {
  v.always("source", c.source);
  v.always("kind", c.kind);
  v.always("dims", c.dims);
  v.if_any("label_names", c.label_names);
  v.always("notes", c.notes);
}

void visit(IsResults auto& r, auto&& v) {
  v.if_any("subjects", r.subjects);
  v.if_any("folds", r.folds);
  v.if_any("folded_cells", r.folded_cells);
  v.if_any("inverse_error_mm", r.inverse_error_mm);
  v.if_any("inverse_error_vox", r.inverse_error_vox);
  v.if_any("training_subjects", r.training_subjects);
  v.if_any("mean_displacement_mm", r.displacement.mean_mm);
  v.if_any("mean_displacement_max_mm", r.displacement.max_mm);
  v.if_any("mean_displacement_shift_mm", r.displacement.shift_mm);
  v.always("labels", r.labels);
  v.if_any("poor", r.poor);
  v.if_any("mean_velocity_mm", r.velocity.mean_mm);
  v.if_any("mean_velocity_max_mm", r.velocity.max_mm);
  v.if_any("mean_velocity_shift_mm", r.velocity.shift_mm);
  v.if_any("val_score", r.val_score);
  v.if_any("epochs", r.epochs);
  v.if_any("steps", r.steps);
}

void visit(IsTiming auto& t, auto&& v) {
  v.always("training_minutes", t.training_minutes);
  v.always("peak_memory_gb", t.peak_memory_gb);
}

void visit(IsRecord auto& r, auto&& v) {
  v.must("state", r.state);
  v.always("identity", r.identity);
  v.always("command", r.command);
  v.always("preset", r.preset);
  v.always("settings", r.settings);
  v.always("chosen", r.chosen);
  v.if_any("seed", r.seed);
  v.always("device", r.device);
  v.if_any("threads", r.threads);
  v.if_any("processes", r.processes);
  v.always("versions", r.versions);
  v.always("cohort", r.cohort);
  v.always("grid", r.grid);
  v.must("subjects", r.subjects);
  v.if_any("results", r.results);
  v.if_any("timing", r.timing);
}

struct AnyVisitor {
  template <class T>
  void must(const char*, T&);
  template <class T>
  void always(const char*, T&);
  template <class T>
  void if_any(const char*, T&);
};
template <class T>
concept Section = requires(T& value, AnyVisitor v) {
  visit(value, v);
};

class Writer {
 public:
  explicit Writer(Json& out) : out_(out) {}

  template <class T>
  void must(const char* key, const T& value) {
    out_[key] = to_json(value);
  }
  template <class T>
  void always(const char* key, const T& value) {
    out_[key] = to_json(value);
  }
  template <class T>
  void if_any(const char* key, const T& value) {
    if (!value.empty()) out_[key] = to_json(value);
  }
  template <class T>
  void if_any(const char* key, const std::optional<T>& value) {
    if (value) out_[key] = to_json(*value);
  }

 private:
  template <class T>
  static Json to_json(const T& value) {
    if constexpr (Section<const T>) {
      Json out = Json::object();
      visit(value, Writer(out));
      return out;
    } else {
      return value;
    }
  }
  static Json to_json(const Path& path) { return path.string(); }
  static Json to_json(RunState state) { return state == RunState::done ? "done" : "training"; }
  static Json to_json(const IntensityMap& map) { return {map.low, map.high}; }
  static Json to_json(const LabelNames& names) {
    Json out = Json::object();
    for (const auto& [label, name] : names) out[std::to_string(label)] = name;
    return out;
  }
  static Json to_json(const std::vector<std::pair<std::string, std::string>>& values) {
    Json out = Json::object();
    for (const auto& [name, value] : values) out[name] = value;
    return out;
  }
  static Json to_json(const std::vector<SubjectRecord>& subjects) {
    Json out = Json::array();
    for (const auto& subject : subjects) out.push_back(to_json(subject));
    return out;
  }

  Json& out_;
};

class Reader {
 public:
  // where: "", or what stands before the keys, "cohort.".
  Reader(const Json& json, const Path& file, std::string where = "")
      : json_(json), file_(file), where_(std::move(where)) {}

  template <class T>
  void must(const char* key, T& value) const {
    if (!json_.contains(key))
      fail("'{}' has no {}{}, expected what 'aladdin build' writes", file_.string(), where_, key);
    read(json_.at(key), where_ + key, value);
  }
  template <class T>
  void always(const char* key, T& value) const {
    if_any(key, value);
  }
  // A number that is not finite was written as null.
  template <class T>
  void if_any(const char* key, T& value) const {
    if (const auto found = json_.find(key); found != json_.end() && !found->is_null())
      read(*found, where_ + key, value);
  }

 private:
  [[noreturn]] void refuse(const Json& json, const std::string& what, const char* expected) const {
    constexpr std::size_t kMost = 60;
    std::string value = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (value.size() > kMost) value = value.substr(0, kMost) + "…";
    fail("'{}' was not written by 'aladdin build': {} is {}, expected {}", file_.string(),
         one_line(what), one_line(value), expected);
  }
  void require(bool good, const Json& json, const std::string& what, const char* expected) const {
    if (!good) refuse(json, what, expected);
  }

  void read(const Json& json, const std::string& what, std::string& value) const {
    require(json.is_string(), json, what, "text");
    value = json.get<std::string>();
  }
  void read(const Json& json, const std::string& what, Path& value) const {
    std::string text;
    read(json, what, text);
    value = text;
  }
  void read(const Json& json, const std::string& what, double& value) const {
    require(json.is_number(), json, what, "a number");
    value = json.get<double>();
  }
  void read(const Json& json, const std::string& what, float& value) const {
    double wide = 0;
    read(json, what, wide);
    value = static_cast<float>(wide);
  }
  template <std::integral Whole>
  void read(const Json& json, const std::string& what, Whole& value) const {
    const bool fits =
        json.is_number_unsigned()
            ? std::in_range<Whole>(json.get<std::uint64_t>())
            : json.is_number_integer() && std::in_range<Whole>(json.get<std::int64_t>());
    require(fits, json, what, "a whole number");
    value = json.get<Whole>();
  }
  void read(const Json& json, const std::string& what, RunState& value) const {
    require(json == "done" || json == "training", json, what, "\"training\" or \"done\"");
    value = json == "done" ? RunState::done : RunState::training;
  }
  void read(const Json& json, const std::string& what, IntensityMap& value) const {
    require(json.is_array() && json.size() == 2, json, what, "two numbers");
    read(json[0], what, value.low);
    read(json[1], what, value.high);
    require(value.low < value.high, json, what, "two numbers, the smaller first");
  }
  void read(const Json& json, const std::string& what, Vec3& value) const {
    require(json.is_array() && json.size() == 3, json, what, "three numbers");
    for (std::size_t i = 0; i < 3; ++i) read(json[i], what, value[i]);
  }
  void read(const Json& json, const std::string& what, LabelNames& value) const {
    require(json.is_object(), json, what, "an object of names");
    for (const auto& [key, name] : json.items()) {
      const auto label = parse_integer(key);
      require(label && std::in_range<std::int32_t>(*label), Json(key), what, "a label value");
      read(name, fmt::format("{}.{}", what, key), value[static_cast<std::int32_t>(*label)]);
    }
  }
  void read(const Json& json, const std::string& what,
            std::map<std::string, std::string>& value) const {
    require(json.is_object(), json, what, "an object of texts");
    for (const auto& [key, text] : json.items())
      read(text, fmt::format("{}.{}", what, key), value[key]);
  }
  void read(const Json& json, const std::string& what,
            std::vector<std::pair<std::string, std::string>>& value) const {
    require(json.is_object(), json, what, "an object of texts");
    for (const auto& [key, text] : json.items())
      read(text, fmt::format("{}.{}", what, key), value.emplace_back(key, "").second);
  }
  template <class T>
  void read(const Json& json, const std::string& what, std::vector<T>& value) const {
    require(json.is_array(), json, what, "a list");
    for (std::size_t i = 0; i < json.size(); ++i)
      read(json[i], fmt::format("{}[{}]", what, i), value.emplace_back());
  }
  template <class T>
  void read(const Json& json, const std::string& what, std::optional<T>& value) const {
    read(json, what, value.emplace());
  }
  template <Section T>
  void read(const Json& json, const std::string& what, T& value) const {
    require(json.is_object(), json, what, "an object");
    visit(value, Reader(json, file_, what + "."));
  }

  const Json& json_;
  const Path& file_;
  std::string where_;
};

void require_version(const Json& json, const RunDirectory& run) {
  const auto format = json.is_object() ? json.find("format") : json.end();
  if (!json.is_object() || format == json.end() || *format != "aladdin run")
    fail("'{}' was not written by aladdin build", run.record().string());
  const auto version = json.find("version");
  if (version == json.end() || !version->is_number_integer() || *version != kRunVersion)
    throw Error(
        fmt::format("'{}' is a run directory of version {}, expected {}", run.folder.string(),
                    version == json.end() ? "unknown" : one_line(version->dump()), kRunVersion))
        .hint("use the aladdin that made it, or build it again");
}

}  // namespace

bool has_record(const RunDirectory& run) {
  std::error_code ignored;
  return std::filesystem::exists(run.record(), ignored);
}

RunRecord read_record(const RunDirectory& run) {
  if (!has_record(run))
    throw Error(fmt::format("'{}' is not a run directory: it has no run.json", run.folder.string()))
        .hint("give the folder that 'aladdin build' made");
  const Path file = run.record();
  RunRecord record;
  try {
    const auto json = parse_json<Json>(read_text(file));
    require_version(json, run);
    visit(record, Reader(json, file));
  } catch (const Json::exception&) {
    fail("'{}' is not JSON, or it is damaged", file.string());
  }
  for (const SubjectRecord& subject : record.subjects)
    if (const std::string reason = check_id(subject.id); !reason.empty())
      fail("'{}' has a subject '{}' that aladdin build did not write: {}", file.string(),
           one_line(subject.id), reason);
  return record;
}

RunRecord read_finished_record(const RunDirectory& run) {
  RunRecord record = read_record(run);
  if (!record.is_done())
    throw Error(fmt::format("the build of '{}' is not finished", run.folder.string()))
        .hint("its transforms are written at the end");
  return record;
}

void write_record(const RunDirectory& run, const RunRecord& record) {
  Json out{{"format", "aladdin run"}, {"version", kRunVersion}};
  visit(record, Writer(out));
  write_text(run.record(), out.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace aladdin
