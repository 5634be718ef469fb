#include "aladdin/run/run_directory.h"

#include <regex>

#include "aladdin/core/error.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"

namespace aladdin {
namespace {

bool is_unfinished(const Path& path) {
  static const std::regex beside(R"(\..+\.[0-9]+\.[0-9]+(\.[A-Za-z]+)+)");
  return std::regex_match(path.filename().string(), beside);
}

}  // namespace

bool is_barely_begun(const RunDirectory& run) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(run.folder, ignored)) {
    const Path& path = entry.path();
    if (path.filename() != run.lock().filename() && path.filename() != run.log().filename() &&
        !is_unfinished(path))
      return false;
  }
  return true;
}

void remove_unfinished(const RunDirectory& run) {
  std::error_code ignored;
  for (const Path& folder : {run.folder, run.transforms(), run.warped(), run.affines(),
                             run.evolution(), run.checkpoints(), run.registrations()})
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.is_regular_file(ignored) && is_unfinished(entry.path()))
        std::filesystem::remove(entry.path(), ignored);
}

bool has_record(const RunDirectory& run) {
  std::error_code ignored;
  return std::filesystem::exists(run.record(), ignored);
}

RunRecord read_record(const RunDirectory& run) {
  if (!has_record(run))
    throw Error(fmt::format("'{}' is not a run directory: it has no run.json", run.folder.string()))
        .hint("give the folder that 'aladdin build' made");
  RunRecord record;
  try {
    record = parse_json<RunRecord>(read_text(run.record()));
  } catch (const nlohmann::json::exception&) {
    throw Error(fmt::format("'{}' is not JSON, or it is damaged", run.record().string()));
  }
  const auto format = record.is_object() ? record.find("format") : record.end();
  if (!record.is_object() || format == record.end() || *format != "aladdin run")
    fail("'{}' was not written by aladdin build", run.record().string());
  const auto version = record.find("version");
  if (version == record.end() || !version->is_number_integer() || *version != kRunVersion)
    throw Error(
        fmt::format("'{}' is a run directory of version {}, expected {}", run.folder.string(),
                    version == record.end() ? "unknown" : one_line(version->dump()), kRunVersion))
        .hint("use the aladdin that made it, or build it again");
  // What everybody asks of it first.
  for (const char* key : {"state", "identity"})
    if (record.contains(key) && !record.at(key).is_string())
      fail("'{}' was not written by aladdin build: its {} is not text", run.record().string(), key);
  return record;
}

void write_record(const RunDirectory& run, RunRecord record) {
  RunRecord out{{"format", "aladdin run"}, {"version", kRunVersion}};
  for (auto& [key, value] : record.items())
    if (key != "format" && key != "version") out[key] = value;
  write_text(run.record(),
             out.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace aladdin
