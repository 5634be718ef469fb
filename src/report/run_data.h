// A run directory as a report reads it: nothing on a page comes from anywhere else.
#pragma once

#include <map>
#include <optional>

#include "aladdin/config/config.h"
#include "aladdin/report/encode.h"
#include "aladdin/run/run_record.h"

namespace aladdin::report {

// Columns of numbers by name; an empty field has no value.
class NumberTable {
 public:
  NumberTable() = default;
  // Throws, with file, line and column, on anything but a number; ignores text columns.
  NumberTable(const Path& csv, const std::vector<std::string>& text_columns);

  using Column = std::vector<std::optional<double>>;
  std::size_t rows() const { return rows_; }
  // Without a value where there is no such column.
  const Column* find(const std::string& name) const;
  std::optional<double> at(const std::string& name, std::size_t row) const;

 private:
  std::map<std::string, Column> columns_;
  std::size_t rows_ = 0;
};

struct RunSubject : SubjectRecord {
  std::optional<std::size_t> score_row;  // of subjects.csv
};

// The atlas as it was after an update.
struct AtlasPicture {
  std::int64_t epoch = 0;
  Bytes png;
  int width = 0, height = 0;
};

struct RunData {
  RunDirectory run;
  std::string name;  // of its folder
  RunRecord record;
  std::optional<Config> config;  // of config.toml
  NumberTable metrics, scores;   // metrics.csv, subjects.csv
  std::vector<RunSubject> subjects;
  std::vector<std::int32_t> labels;  // [0] is 0; empty: none
  LabelNames label_names;
  std::vector<AtlasPicture> evolution;
  std::vector<std::string> notes;  // what is missing or cannot be read, a sentence each

  std::string label_name(std::int32_t label) const;
  std::optional<double> score(const RunSubject& subject, const std::string& column) const;
};

// Throws on a folder that is no run directory, and on files that are damaged.
RunData read_run(const Path& folder);

// evolution.cpp: RUN/evolution/epoch_000010.png, which `aladdin build` writes after each update.
void write_atlas_picture(const RunDirectory& run, std::int64_t epoch, const Image& atlas);
bool has_atlas_picture(const RunDirectory& run, std::int64_t epoch);
std::vector<AtlasPicture> read_atlas_pictures(const RunDirectory& run);

}  // namespace aladdin::report
