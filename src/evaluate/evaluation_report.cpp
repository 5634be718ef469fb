#include "aladdin/evaluate/evaluation_report.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"

namespace aladdin::evaluate {
namespace {

using Json = nlohmann::ordered_json;

const std::vector<std::pair<Measure, const char*>> kMeasures{{Measure::bridge, "bridge"},
                                                             {Measure::image, "image"},
                                                             {Measure::atlas, "atlas"},
                                                             {Measure::hd95_mm, "hd95_mm"},
                                                             {Measure::average_mm, "average_mm"}};

Json to_json(const Statistic& s) {
  if (s.count == 0) return nullptr;
  return {{"mean", s.mean}, {"sd", s.sd}, {"subjects", s.count}};
}

Json to_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const Folds& f) {
  return {{"folds", f.negative},
          {"not_positive", f.not_positive},
          {"folds_percent", f.negative_percent()},
          {"folded_cells", f.folded_cells},
          {"volume_vox", f.volume_vox},
          {"volume_percent", f.volume_percent()},
          {"jacobian_min", f.smallest},
          {"jacobian_max", f.largest},
          {"jacobian_log_sd", f.log_sd},
          {"voxels", f.voxels}};
}

Json subject_json(const SubjectScores& subject, const std::vector<Row>& rows) {
  Json out{{"id", subject.id}, {"split", subject.split}};
  for (const auto& [measure, name] : kMeasures) {
    if (rows.empty() || (measure >= Measure::hd95_mm && subject.surface.empty())) continue;
    for (const Row& row : rows)
      out[name][row.name] = to_json(value_of(subject, measure, row.structures));
  }
  out["native_to_atlas"] = to_json(subject.to_atlas);
  out["atlas_to_native"] = to_json(subject.to_native);
  out["inverse_error_mm"] = {{"mean", subject.inverse.mean_mm}, {"max", subject.inverse.max_mm}};
  if (const auto& s = subject.similarity)
    out["similarity"] = {{"ncc_before", s->ncc_before},
                         {"ncc_after", s->ncc_after},
                         {"mse_before", s->mse_before},
                         {"mse_after", s->mse_after}};

  return out;
}

// Without the background.
std::vector<std::int32_t> labels_of(const Evaluation& e) {
  return {e.table.begin() + (e.has_labels() ? 1 : 0), e.table.end()};
}

}  // namespace

Group parse_group(const std::string& text) {
  const auto equals = text.find('=');
  Group group{trim(text.substr(0, equals)), {}};
  bool good = equals != std::string::npos && !group.name.empty();
  if (good)
    for (const auto& part : split(text.substr(equals + 1), ',')) {
      const auto label = parse_integer(trim(part));
      good = good && label && *label > 0 && *label <= INT32_MAX;
      if (good) group.labels.push_back(static_cast<std::int32_t>(*label));
    }
  if (!good)
    fail_usage("{} {}: expected a name and labels, such as bone=1,3", option_name("group"), text);
  return group;
}

void require_labels(const Evaluation& evaluation, std::span<const Group> groups) {
  for (const Group& group : groups)
    for (const std::int32_t label : group.labels)
      if (!std::binary_search(evaluation.table.begin(), evaluation.table.end(), label))
        fail_usage("{} {}: no subject of '{}' has the label {}", option_name("group"), group.name,
                   evaluation.name, label);
}

std::vector<Row> rows_of(const Evaluation& evaluation, std::span<const Group> groups) {
  std::vector<Row> rows;
  if (!evaluation.has_labels()) return rows;
  Row mean{"mean", {}, "mean"};
  for (std::size_t k = 1; k < evaluation.table.size(); ++k) {
    const auto index = static_cast<LabelIndex>(k);
    rows.push_back({std::to_string(evaluation.table[k]),
                    {index},
                    with_name(evaluation.table[k], evaluation.label_names)});
    mean.structures.push_back(index);
  }
  rows.push_back(mean);
  for (const Group& group : groups) {
    Row row{group.name, {}, group.name};
    for (const std::int32_t label : group.labels) {
      const auto at = std::lower_bound(evaluation.table.begin(), evaluation.table.end(), label);
      row.structures.push_back(static_cast<LabelIndex>(at - evaluation.table.begin()));
    }
    rows.push_back(row);
  }
  return rows;
}

std::optional<double> value_of(const SubjectScores& subject, Measure measure,
                               std::span<const LabelIndex> structures) {
  const auto overlap = [&](const DiceScores& scores) {
    // A structure alone has 0 also where only the prediction has it.
    return structures.size() == 1 ? scores.of.at(structures[0]) : mean_of(scores, structures);
  };
  if (measure == Measure::bridge) return overlap(subject.bridge);
  if (measure == Measure::image) return overlap(subject.image);
  if (measure == Measure::atlas) return overlap(subject.atlas);
  double sum = 0;
  int count = 0;
  for (const LabelIndex k : structures) {
    if (k >= subject.surface.size() || !subject.surface[k]) continue;
    sum +=
        measure == Measure::hd95_mm ? subject.surface[k]->hd95_mm : subject.surface[k]->average_mm;
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

Statistic statistic_of(const Evaluation& evaluation, Measure measure,
                       std::span<const LabelIndex> structures) {
  std::vector<double> values;
  for (const auto& subject : evaluation.subjects)
    if (const auto value = value_of(subject, measure, structures)) values.push_back(*value);
  return statistic(values);
}

InverseError inverse_error_of(const Evaluation& e) {
  InverseError out;
  for (const auto& subject : e.subjects) {
    out.mean_mm += subject.inverse.mean_mm / static_cast<double>(e.subjects.size());
    out.max_mm = std::max(out.max_mm, subject.inverse.max_mm);
  }
  return out;
}

nlohmann::ordered_json to_json(const Evaluation& e, std::span<const Group> groups) {
  const auto rows = rows_of(e, groups);
  Json out{{"name", e.name}, {"subjects", e.subjects.size()}, {"labels", labels_of(e)}};
  if (!e.split.empty()) out["split"] = e.split;
  for (const std::int32_t label : labels_of(e))
    if (const auto name = e.label_names.find(label); name != e.label_names.end())
      out["label_names"][std::to_string(label)] = name->second;
  if (e.has_labels()) {
    out["bridge_votes"] = e.exact ? "exact" : "summed";
    out["atlas_segmentation"] = e.voted_segmentation ? "voted" : "given";
  }
  for (const auto& [measure, name] : kMeasures)
    for (const Row& row : rows)
      out[name][row.name] = to_json(statistic_of(e, measure, row.structures));
  if (e.pairs) {
    for (std::size_t k = 1; k < e.table.size(); ++k)
      out["atlas_pairs"][std::to_string(e.table[k])] = to_json(e.pairs->of[k]);
    out["atlas_pairs"]["mean"] = to_json(e.pairs->mean);
  }
  out["centrality"] = {{"mean_mm", e.centrality.mean_mm},   {"max_mm", e.centrality.max_mm},
                       {"mean_vox", e.centrality.mean_vox}, {"max_vox", e.centrality.max_vox},
                       {"shift_mm", e.centrality.shift_mm}, {"subjects", e.centrality.subjects}};
  const auto put_built = [&](const char* name, const std::optional<BuiltCentrality>& built) {
    if (built)
      out[name] = {{"mean_mm", built->mean_mm},
                   {"max_mm", built->max_mm},
                   {"shift_mm", built->shift_mm},
                   {"subjects", built->subjects}};
  };
  put_built("training_centrality", e.displacement);
  put_built("velocity_centrality", e.velocity);
  const InverseError inverse = inverse_error_of(e);
  out["inverse_error_mm"] = {{"mean", inverse.mean_mm}, {"max", inverse.max_mm}};
  if (e.sharpness)
    out["sharpness"] = {{"gradient_energy", e.sharpness->gradient_energy},
                        {"relative_energy", e.sharpness->relative_energy},
                        {"entropy_bits", e.sharpness->entropy_bits}};
  out["by_subject"] = Json::array();
  for (const auto& subject : e.subjects) out["by_subject"].push_back(subject_json(subject, rows));
  return out;
}

std::string to_csv(std::span<const Evaluation> evaluations, std::span<const Group> groups) {
  // Runs may have different structures: a column for every row name that any of them has.
  std::vector<std::string> names;
  for (const auto& e : evaluations)
    for (const Row& row : rows_of(e, groups))
      if (std::find(names.begin(), names.end(), row.name) == names.end()) names.push_back(row.name);
  std::string text = "run,id,split";
  for (const auto& [unused, measure_name] : kMeasures)
    for (const auto& name : names)
      text += "," + csv_field(fmt::format("{}_{}", measure_name, name));
  text +=
      ",folds_to_atlas,folds_to_native,folded_cells_to_atlas,folded_cells_to_native,"
      "nondiffeomorphic_vox_to_atlas,nondiffeomorphic_vox_to_native,jacobian_min,jacobian_max,"
      "jacobian_log_sd,inverse_mean_mm,inverse_max_mm,ncc_before,ncc_after,mse_before,mse_after\n";
  for (const auto& e : evaluations) {
    const auto rows = rows_of(e, groups);
    for (const auto& s : e.subjects) {
      text += fmt::format("{},{},{}", csv_field(e.name), csv_field(s.id), s.split);
      for (const auto& [measure, unused] : kMeasures)
        for (const auto& name : names) {
          const auto row =
              std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.name == name; });
          const auto value =
              row == rows.end() ? std::nullopt : value_of(s, measure, row->structures);
          text += value ? fmt::format(",{:.6f}", *value) : ",";
        }
      text += fmt::format(",{},{},{},{},{:.4f},{:.4f},{:.5f},{:.5f},{:.5f},{:.6f},{:.6f}",
                          s.to_atlas.negative, s.to_native.negative, s.to_atlas.folded_cells,
                          s.to_native.folded_cells, s.to_atlas.volume_vox, s.to_native.volume_vox,
                          s.to_atlas.smallest, s.to_atlas.largest, s.to_atlas.log_sd,
                          s.inverse.mean_mm, s.inverse.max_mm);
      if (const auto& n = s.similarity)
        text += fmt::format(",{:.6f},{:.6f},{:.6f},{:.6f}\n", n->ncc_before, n->ncc_after,
                            n->mse_before, n->mse_after);
      else
        text += ",,,,\n";
    }
  }
  return text;
}

}  // namespace aladdin::evaluate
