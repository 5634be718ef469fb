#include "aladdin/report/viewer_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/report/slices.h"

namespace aladdin::report {
namespace {

// Voxel to world in RAS mm, as NIfTI has it.
Json affine_of(const Grid& grid) {
  const Mat3 matrix = grid.index_to_point();
  Json rows = Json::array();
  for (int r = 0; r < 3; ++r) {
    const double sign = r < 2 ? -1 : 1;
    rows.push_back(
        {sign * matrix[r][0], sign * matrix[r][1], sign * matrix[r][2], sign * grid.origin[r]});
  }
  return rows;
}

Json labels_json(const RunData& run) {
  Json out = Json::array();
  for (std::size_t k = 1; k < run.labels.size(); ++k)
    out.push_back({{"value", run.labels[k]},
                   {"name", run.label_name(run.labels[k])},
                   {"colour", label_colour(run.labels[k])}});
  return out;
}

Json subjects_json(const RunFindings& run) {
  Json out = Json::array();
  std::vector<bool> shown(run.data.subjects.size(), false);
  for (const auto& subject : run.survey->subjects) shown[subject.subject] = true;
  for (std::size_t i = 0; i < run.data.subjects.size(); ++i) {
    const RunSubject& s = run.data.subjects[i];
    Json entry{{"id", s.id},
               {"split", s.split.empty() ? "train" : s.split},
               {"labels", !s.label.empty() && !run.data.labels.empty()},
               {"readable", static_cast<bool>(shown[i])}};
    if (run.evaluation)
      for (const auto& scores : run.evaluation->subjects)
        if (scores.id == s.id && scores.bridge.mean) entry["dice"] = *scores.bridge.mean;
    out.push_back(entry);
  }
  return out;
}

float largest(const Image& image) {
  return std::max(1e-6F, *std::max_element(image.values.begin(), image.values.end()));
}

Bytes bytes_of(const Image& image, float top) {
  Bytes out;
  for (const float value : image.values) out.push_back(to_byte(value / top));
  return out;
}

Bytes probabilities(const RunData& run) {
  Bytes out;
  const auto volumes = read_volumes(run.run.atlas_probabilities());
  for (std::size_t k = 1; k < volumes.size(); ++k)
    for (const float value : volumes[k].values) out.push_back(to_byte(value));
  return gzip(out);
}

// "subject-12" of a run.
Bytes subject_volume(const RunFindings& run, const std::string& which) {
  const auto index = parse_integer(which);
  if (!index || *index < 0 || *index >= static_cast<long long>(run.data.subjects.size()))
    fail("there is no subject '{}'", which);
  const auto subject = static_cast<std::size_t>(*index);
  for (const auto& seen : run.survey->subjects)
    if (seen.subject == subject && !seen.packed.empty()) return seen.packed;
  return pack(view_subject(run.data, run.data.subjects[subject], run.survey->atlas.grid),
              run.data.labels);
}

}  // namespace

Json viewer_json(std::span<const RunFindings> runs, const std::vector<std::string>& embedded) {
  Json out{{"runs", Json::array()}, {"embedded", embedded}};
  for (const RunFindings& run : runs) {
    Json entry{{"name", run.data.name}, {"training", !run.data.record.is_done()}};
    if (run.survey) {
      const Grid& grid = run.survey->atlas.grid;
      entry["dims"] = grid.dims;
      entry["size"] = grid.size;
      entry["spacing"] = grid.spacing;
      entry["affine"] = affine_of(grid);
      entry["labels"] = labels_json(run.data);
      entry["label_bytes"] = run.data.labels.size() > 256 ? 2 : 1;
      entry["variability_max"] = largest(read_image(run.data.run.atlas_variability()));
      entry["subjects"] = subjects_json(run);
      if (!run.survey->portraits.empty()) entry["worst"] = run.survey->portraits.front().subject;
    }
    out["runs"].push_back(entry);
  }
  return out;
}

Bytes volume(std::span<const RunFindings> runs, const std::string& name) {
  const auto dash = name.find('-');
  const auto number = parse_integer(name.substr(0, dash));
  if (dash == std::string::npos || !number || *number < 0 ||
      *number >= static_cast<long long>(runs.size()) || !runs[*number].survey)
    fail("there is no volume '{}'", name);
  const RunFindings& run = runs[static_cast<std::size_t>(*number)];
  const std::string what = name.substr(dash + 1);
  if (what == "atlas") return gzip(bytes_of(run.survey->atlas, 1));
  if (what == "variability") {
    const Image image = read_image(run.data.run.atlas_variability());
    return gzip(bytes_of(image, largest(image)));
  }
  if (what == "labels" && run.survey->atlas_labels) {
    Bytes out;
    append_labels(out, *run.survey->atlas_labels, run.data.labels);
    return gzip(out);
  }
  if (what == "probabilities" && run.survey->atlas_labels) return probabilities(run.data);
  if (what.starts_with("subject-")) return subject_volume(run, what.substr(8));
  fail("there is no volume '{}'", name);
}

std::string embedded_html(std::span<const RunFindings> runs, std::size_t budget_bytes,
                          std::vector<std::string>& embedded) {
  std::string out;
  const auto add = [&](const std::string& name, std::size_t most) {
    const std::string script = volume_script(name, volume(runs, name));
    if (script.size() > most) return;
    out += script;
    embedded.push_back(name);
  };
  for (std::size_t r = 0; r < runs.size(); ++r) {
    if (!runs[r].survey) continue;
    add(fmt::format("{}-atlas", r), SIZE_MAX);
    add(fmt::format("{}-variability", r), SIZE_MAX);
    if (runs[r].survey->atlas_labels) {
      add(fmt::format("{}-labels", r), SIZE_MAX);
      add(fmt::format("{}-probabilities", r), budget_bytes / 4);
    }
    for (const auto& subject : runs[r].survey->subjects)
      if (!subject.packed.empty()) add(fmt::format("{}-subject-{}", r, subject.subject), SIZE_MAX);
  }
  return out;
}

}  // namespace aladdin::report
