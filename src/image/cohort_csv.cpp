#include <algorithm>

#include "aladdin/core/text.h"
#include "aladdin/image/cohort_source.h"

namespace aladdin {
namespace {

const std::vector<std::string> kKnown{"id", "image", "label", "mask", "split"};

// Two letters exchanged, or one letter more, less or other: "lable", "images", "spilt".
bool one_slip(const std::string& a, const std::string& b) {
  std::size_t same = 0;
  while (same < std::min(a.size(), b.size()) && a[same] == b[same]) ++same;
  const std::string_view rest_a = std::string_view(a).substr(same),
                         rest_b = std::string_view(b).substr(same);
  const auto tail = [](std::string_view text, std::size_t n) {
    return text.size() >= n ? text.substr(n) : std::string_view("\n");
  };
  if (rest_a.size() >= 2 && rest_b.size() >= 2 && rest_a[0] == rest_b[1] &&
      rest_a[1] == rest_b[0] && tail(rest_a, 2) == tail(rest_b, 2))
    return true;
  return tail(rest_a, 1) == rest_b || rest_a == tail(rest_b, 1) ||
         tail(rest_a, 1) == tail(rest_b, 1);
}

// The column that `name` was probably meant to be. Only near misses count, since any other name is
// a covariate: "age" is two letters from "image" and means something else.
std::string meant_column(const std::string& name) {
  static const std::map<std::string, std::string> other_words{
      {"subject", "id"}, {"subject_id", "id"},      {"participant_id", "id"},
      {"path", "image"}, {"filename", "image"},     {"scan", "image"},
      {"seg", "label"},  {"segmentation", "label"}, {"labelmap", "label"},
      {"fold", "split"}, {"set", "split"}};
  const std::string plain = lower(name);
  for (const auto& known : kKnown)
    if (plain == known || (known != "id" && plain[0] == known[0] && one_slip(plain, known)))
      return known;
  if (plain == "ids") return "id";
  const auto word = other_words.find(plain);
  return word == other_words.end() ? "" : word->second;
}

struct Columns {
  std::map<std::string, std::size_t> known;
  std::vector<std::size_t> covariates;
};

Columns read_columns(const std::vector<std::string>& header, Cohort& cohort, Problems& problems) {
  Columns columns;
  std::vector<std::string> names;
  for (const auto& field : header) names.push_back(trim(field));
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto& name = names[c];
    if (name.empty()) {
      problems.add("column {} has no name", c + 1);
    } else if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(c), name) !=
               names.begin() + static_cast<std::ptrdiff_t>(c)) {
      problems.add("the column '{}' appears twice", name);
    } else if (std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end()) {
      columns.known[name] = c;
    } else {
      const std::string meant = meant_column(name);
      // A study may well have both "label" and "segmentation"; only an empty place is suspicious.
      if (!meant.empty() && std::find(names.begin(), names.end(), meant) == names.end())
        problems.add("unknown column '{}'; did you mean '{}'?", name, meant);
      columns.covariates.push_back(c);
      cohort.covariates.push_back(name);
    }
  }
  for (const char* needed : {"id", "image"})
    if (!columns.known.contains(needed))
      problems.add(
          "there is no column '{}', expected id,image[,label,mask,split,…]; the columns are {}",
          needed, fmt::join(names, ","));
  return columns;
}

}  // namespace

void read_csv_source(const Path& csv, Cohort& cohort, Problems& problems) {
  cohort.kind = "CSV";
  const auto rows = [&] {
    try {
      return parse_csv(read_text(csv));
    } catch (Error& error) {
      throw error.within(fmt::format("while reading '{}'", csv.string()));
    }
  }();
  if (rows.empty()) fail("'{}' has no rows, expected id,image[,label,mask,split,…]", csv.string());
  if (rows[0].size() == 1 && rows[0][0].find_first_of(";\t") != std::string::npos)
    throw Error(fmt::format("'{}' is separated by {}, expected commas", csv.string(),
                            rows[0][0].find(';') != std::string::npos ? "semicolons" : "tabs"));
  const Columns columns = read_columns(rows[0], cohort, problems);
  if (!columns.known.contains("id") || !columns.known.contains("image")) return;
  const auto path_of = [&](const std::string& text) { return csv.parent_path() / text; };
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const auto& row = rows[r];
    if (row.size() != rows[0].size()) {
      problems.add("row {} has {} fields, expected {}", r + 1, row.size(), rows[0].size());
      continue;
    }
    const auto field = [&](const char* name) {
      const auto at = columns.known.find(name);
      return at == columns.known.end() ? std::string() : trim(row[at->second]);
    };
    Subject subject;
    subject.id = field("id");
    subject.split = field("split");
    if (field("image").empty()) {
      problems.add("row {} ('{}') names no image", r + 1, subject.id);
      continue;
    }
    subject.image = path_of(field("image"));
    if (!field("label").empty()) subject.label = path_of(field("label"));
    if (!field("mask").empty()) subject.mask = path_of(field("mask"));
    for (const auto c : columns.covariates) subject.covariates.push_back(trim(row[c]));
    cohort.subjects.push_back(std::move(subject));
  }
}

void write_cohort(const Path& csv, const Cohort& cohort) {
  const Path folder = std::filesystem::absolute(csv).lexically_normal().parent_path();
  const auto path_text = [&](const std::optional<Path>& path) -> std::string {
    if (!path) return "";
    const Path whole = std::filesystem::absolute(*path).lexically_normal();
    const Path below = whole.lexically_relative(folder);
    return csv_field((below.empty() || *below.begin() == ".." ? whole : below).string());
  };
  const auto any = [&](auto has) {
    return std::any_of(cohort.subjects.begin(), cohort.subjects.end(), has);
  };
  const bool labels = any([](const Subject& s) { return s.label.has_value(); });
  const bool masks = any([](const Subject& s) { return s.mask.has_value(); });
  const bool splits = any([](const Subject& s) { return !s.split.empty(); });
  std::string text = "id,image";
  text += labels ? ",label" : "";
  text += masks ? ",mask" : "";
  text += splits ? ",split" : "";
  for (const auto& name : cohort.covariates) text += "," + csv_field(name);
  text += "\n";
  for (const auto& subject : cohort.subjects) {
    text += csv_field(subject.id) + "," + path_text(subject.image);
    if (labels) text += "," + path_text(subject.label);
    if (masks) text += "," + path_text(subject.mask);
    if (splits) text += "," + csv_field(subject.split);
    for (const auto& value : subject.covariates) text += "," + csv_field(value);
    text += "\n";
  }
  write_text(csv, text);
}

}  // namespace aladdin
