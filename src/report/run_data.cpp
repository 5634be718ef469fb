#include "aladdin/report/run_data.h"

#include <algorithm>

#include "aladdin/config/read.h"
#include "aladdin/core/error.h"
#include "aladdin/core/text.h"

namespace aladdin::report {
namespace {

bool is_there(const Path& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

void read_scores(RunData& data) {
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

RunData read_run(const Path& folder) {
  RunData data;
  data.run.folder = folder;
  data.record = read_record(data.run);
  data.name = std::filesystem::absolute(folder / ".").lexically_normal().parent_path().filename();
  for (const SubjectRecord& subject : data.record.subjects) data.subjects.push_back({subject, {}});
  data.label_names = data.record.cohort.label_names;
  if (data.record.results && data.record.results->labels.size() > 1)
    data.labels = data.record.results->labels;
  read_scores(data);
  if (is_there(data.run.metrics())) data.metrics = NumberTable(data.run.metrics(), {});
  read_settings(data);
  data.evolution = read_atlas_pictures(data.run);
  return data;
}

}  // namespace aladdin::report
