#include "aladdin/report/run_data.h"

#include <algorithm>

#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort.h"

namespace aladdin::report {
namespace {

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

std::string joined(const RunRecord& numbers) {
  std::string text;
  for (const auto& number : numbers)
    text += fmt::format("{}{:.4g}", text.empty() ? "" : " x ", number.get<double>());
  return text;
}

RunSubject read_subject(const RunRecord& entry, const RunDirectory& run) {
  RunSubject subject;
  subject.id = entry.at("id").get<std::string>();
  if (const std::string reason = check_id(subject.id); !reason.empty())
    fail("'{}' has a subject '{}' that aladdin build did not write: {}", run.record().string(),
         subject.id, reason);
  subject.split = entry.value("split", "");
  subject.image = entry.value("image", "");
  subject.label = entry.value("label", "");
  if (entry.contains("shift_mm")) entry.at("shift_mm").get_to(subject.shift);
  if (entry.contains("intensity"))
    subject.intensity = IntensityMap{entry.at("intensity").at(0).get<float>(),
                                     entry.at("intensity").at(1).get<float>()};
  if (entry.contains("size")) subject.size = joined(entry.at("size"));
  if (entry.contains("spacing_mm")) subject.spacing = joined(entry.at("spacing_mm"));
  return subject;
}

void read_subjects(RunData& data) {
  for (const auto& entry : data.record.at("subjects"))
    data.subjects.push_back(read_subject(entry, data.run));
  if (!is_there(data.run.subjects())) return;
  data.scores = NumberTable(data.run.subjects(), {"id", "split"});
  const auto table = parse_csv(read_text(data.run.subjects()));
  std::map<std::string, std::size_t> row_of;
  for (std::size_t row = 1; row < table.size(); ++row)
    if (!table[row].empty()) row_of[table[row][0]] = row - 1;
  for (RunSubject& subject : data.subjects)
    if (const auto found = row_of.find(subject.id); found != row_of.end())
      subject.score_row = found->second;
}

void read_labels(RunData& data) {
  if (data.record.contains("results") && data.record["results"].contains("labels"))
    data.record["results"]["labels"].get_to(data.labels);
  if (data.labels.size() < 2) data.labels.clear();
  const auto& cohort = data.record.value("cohort", RunRecord::object());
  if (!cohort.contains("label_names")) return;
  for (const auto& [label, name] : cohort["label_names"].items())
    if (const auto value = parse_integer(label))
      data.label_names[static_cast<std::int32_t>(*value)] = name.get<std::string>();
}

// What a page takes from the record as it is.
void require_kinds(const RunData& data) {
  const RunRecord none = RunRecord::object();
  const auto section = [&](const char* name) -> const RunRecord& {
    const auto found = data.record.find(name);
    if (found == data.record.end()) return none;
    if (!found->is_object())
      fail("'{}' has a {} that aladdin build did not write", data.run.record().string(), name);
    return *found;
  };
  section("results");
  section("versions");
  const RunRecord& timing = section("timing");
  if (timing.contains("training_minutes") && !timing["training_minutes"].is_number())
    fail("'{}' has a training time that is not a number", data.run.record().string());
  const RunRecord& cohort = section("cohort");
  if (!cohort.contains("notes")) return;
  for (const auto& note : cohort["notes"])
    if (!note.is_string())
      fail("'{}' has a note on the cohort that is not text", data.run.record().string());
}

void read_settings(RunData& data) {
  if (!is_there(data.run.config())) return;
  try {
    data.config = read_config(data.run.config());
  } catch (const Error& error) {
    data.notes.push_back(fmt::format("The settings are omitted: {}.", error.what()));
  }
}

}  // namespace

NumberTable::NumberTable(const Path& csv, const std::vector<std::string>& text_columns) {
  const auto lines = parse_csv(read_text(csv));
  if (lines.empty()) fail("'{}' is empty, expected a line of column names", csv.string());
  const auto& header = lines[0];
  for (std::size_t row = 1; row < lines.size(); ++row) {
    if (lines[row].size() == 1 && lines[row][0].empty()) continue;
    if (lines[row].size() != header.size())
      fail("'{}' has {} fields in line {}, expected {}", csv.string(), lines[row].size(), row + 1,
           header.size());
    ++rows_;
    for (std::size_t c = 0; c < header.size(); ++c) {
      if (std::find(text_columns.begin(), text_columns.end(), header[c]) != text_columns.end())
        continue;
      const std::string& field = lines[row][c];
      const auto number = parse_number(field);
      if (!field.empty() && !number)
        fail("'{}' has '{}' in line {}, column '{}', expected a number", csv.string(),
             one_line(field), row + 1, one_line(header[c]));
      columns_[header[c]].push_back(number);
    }
  }
}

const NumberTable::Column* NumberTable::find(const std::string& name) const {
  const auto found = columns_.find(name);
  return found == columns_.end() ? nullptr : &found->second;
}

std::optional<double> NumberTable::at(const std::string& name, std::size_t row) const {
  const Column* column = find(name);
  if (!column || row >= column->size()) return std::nullopt;
  return (*column)[row];
}

std::string RunData::label_name(std::int32_t label) const {
  const auto found = label_names.find(label);
  return found == label_names.end() ? fmt::format("label {}", label) : found->second;
}

std::optional<double> RunData::score(const RunSubject& subject, const std::string& column) const {
  return subject.score_row ? scores.at(column, *subject.score_row) : std::nullopt;
}

std::optional<double> RunData::result(const std::string& key) const {
  const auto results = record.find("results");
  if (results == record.end() || !results->contains(key) || !(*results)[key].is_number())
    return std::nullopt;
  return (*results)[key].get<double>();
}

RunData read_run(const Path& folder) {
  RunData data;
  data.run.folder = folder;
  data.record = read_record(data.run);
  data.name = std::filesystem::absolute(folder / ".").lexically_normal().parent_path().filename();
  data.done = data.record.value("state", "") == "done";
  require_kinds(data);
  try {
    read_subjects(data);
    read_labels(data);
  } catch (const nlohmann::json::exception&) {
    fail("'{}' has no list of subjects as aladdin build writes it", data.run.record().string());
  }
  if (is_there(data.run.metrics())) data.metrics = NumberTable(data.run.metrics(), {});
  read_settings(data);
  data.evolution = read_atlas_pictures(data.run);
  return data;
}

}  // namespace aladdin::report
