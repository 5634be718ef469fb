#include "aladdin/condition/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "aladdin/core/error.h"
#include "aladdin/core/links.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/run/run_record.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin::condition {
namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "aladdin atlas";

Json bandwidth_json(const Plan& plan) {
  Json out = Json::object();
  if (plan.group.numbers.empty()) return out;
  for (std::size_t a = 0; a < plan.group.numbers.size(); ++a)
    out["of"][plan.group.numbers[a]] = plan.bandwidth[static_cast<Eigen::Index>(a)];
  out["chosen"] = plan.choice ? "leave-one-out" : "given";
  if (!plan.choice) return out;
  out["plain_error"] = plan.choice->plain_error;
  for (const auto& trial : plan.choice->trials) {
    Json bandwidth;
    for (std::size_t a = 0; a < plan.group.numbers.size(); ++a)
      bandwidth[plan.group.numbers[a]] = trial.bandwidth[static_cast<Eigen::Index>(a)];
    out["curve"].push_back(
        {{"bandwidth", bandwidth}, {"error", trial.error}, {"effective_subjects", trial.subjects}});
  }
  return out;
}

Json question_json(const Question& question) {
  Json out{{"where", question.where},
           {"at", Json::object()},
           {"drop_missing", question.drop_missing},
           {"extrapolate", question.extrapolate}};
  for (const auto& one : question.at) out["at"][one.name] = one.value;
  if (question.sweep)
    out["sweep"] = {{"covariate", question.sweep->name}, {"values", question.sweep->values}};
  return out;
}

Json rounds_json(const std::vector<Residual>& rounds) {
  Json out = Json::array();
  for (const auto& one : rounds) out.push_back({{"mean_mm", one.mean_mm}, {"max_mm", one.max_mm}});
  return out;
}

std::string volumes_csv(const RunSubjects& subjects, const Plan& plan,
                        const std::vector<AtlasFacts>& facts, const Curves& curves) {
  std::string text =
      "atlas,label,name,volume,expected_volume,subjects_volume,subjects_low,subjects_high\n";
  const auto& names = subjects.record().cohort.label_names;
  for (std::size_t a = 0; a < facts.size(); ++a)
    for (std::size_t k = 1; k < subjects.label_table().size(); ++k) {
      const std::int32_t label = subjects.label_table()[k];
      const auto name = names.find(label);
      text += fmt::format("{},{},{},{:.4f},{:.4f}", csv_field(plan.group.names[a]), label,
                          csv_field(name == names.end() ? "" : name->second), facts[a].volumes[k],
                          facts[a].expected_volumes[k]);
      if (curves.structures.empty()) {
        text += ",,,\n";
        continue;
      }
      const Curve& curve = curves.structures[k - 1];
      text +=
          fmt::format(",{:.4f},{:.4f},{:.4f}\n", curve.regression[a], curve.low[a], curve.high[a]);
    }
  return text;
}

std::string weights_csv(const RunSubjects& subjects, const Plan& plan) {
  std::string text = "id";
  for (const auto& name : plan.group.names) text += "," + csv_field(name);
  text += "\n";
  for (std::size_t m = 0; m < plan.group.members.size(); ++m) {
    text += csv_field(subjects.subject(plan.group.members[m]).id);
    for (std::size_t a = 0; a < plan.atlases(); ++a)
      text += fmt::format(",{:.6g}",
                          plan.weights(static_cast<Eigen::Index>(m), static_cast<Eigen::Index>(a)));
    text += "\n";
  }
  return text;
}

bool is_plain(const std::string& name) {
  const Path path(name);
  return path.is_relative() &&
         std::ranges::none_of(path, [](const Path& part) { return part == ".."; });
}

}  // namespace

AtlasFacts facts_of(const Atlas& atlas) {
  const auto length = length_of(Displacement(atlas.to_group));
  return {atlas.volumes, atlas.expected_volumes, atlas.rounds,
          atlas.folds,   length.mean_mm,         length.max_mm};
}

void AtlasFolder::prepare(bool force) {
  force_ = force;
  if (has_record({folder_}))
    throw Error(fmt::format("'{}' is a run directory", folder_.string()))
        .hint("choose another folder");
  refuse_links(folder_, {"atlas.json", "atlas.nii.gz", "sweep.nii.gz", "page.html"});
  std::error_code problem;
  if (!std::filesystem::exists(record(), problem)) return;
  require_writable(record(), force);
  Json old;
  try {
    old = parse_json<Json>(read_text(record()));
  } catch (const Json::exception&) {
  }
  if (!old.is_object() || !old.contains("format") || old["format"] != kFormat ||
      !old["files"].is_array())
    fail("'{}' is not the record of an atlas", record().string());
  std::filesystem::remove(record(), problem);
  for (const auto& each : old["files"]) {
    const std::string name = each.is_string() ? each.get<std::string>() : "..";
    if (!is_plain(name)) continue;
    std::filesystem::remove(folder_ / name, problem);
    const Path parent = (folder_ / name).parent_path();
    if (parent != folder_ && std::filesystem::is_empty(parent, problem))
      std::filesystem::remove(parent, problem);
  }
}

Path AtlasFolder::file(const std::string& name) {
  written_.push_back(name);
  require_writable(folder_ / name, force_);
  return folder_ / name;
}

void AtlasFolder::write(const Plan& plan, std::size_t which, const Atlas& atlas) {
  const std::string& folder = plan.group.folders[which];
  const auto name = [&](const char* end) {
    return folder.empty() ? std::string(end) : folder + "/" + end;
  };
  write_image(file(name("atlas.nii.gz")), atlas.image);
  write_image(file(name("atlas_variability.nii.gz")), atlas.variability);
  if (atlas.labels) {
    write_labels(file(name("atlas_labels.nii.gz")), *atlas.labels);
    std::vector<float> all;
    for (const auto& one : atlas.probabilities)
      all.insert(all.end(), one.values.begin(), one.values.end());
    write_volumes(file(name("atlas_probabilities.nii.gz")), atlas.image.grid, all);
  }
  write_displacement(file(name("from-population_to-conditional_mode-image_xfm.nii.gz")),
                     Displacement(atlas.to_population));
  write_displacement(file(name("from-conditional_to-population_mode-image_xfm.nii.gz")),
                     Displacement(atlas.to_group));
  write_image(file(name("logjacobian.nii.gz")), atlas.log_jacobian);
  if (!plan.question.sweep) return;
  grid_ = atlas.image.grid;
  images_.insert(images_.end(), atlas.image.values.begin(), atlas.image.values.end());
  if (atlas.labels)
    labels_.insert(labels_.end(), atlas.labels->values.begin(), atlas.labels->values.end());
}

void AtlasFolder::finish(const RunSubjects& subjects, const Plan& plan,
                         const std::vector<AtlasFacts>& facts, const Curves& curves,
                         const std::string& program) {
  if (!images_.empty()) write_volumes(file("sweep.nii.gz"), grid_, images_);
  if (!labels_.empty()) write_volumes(file("sweep_labels.nii.gz"), grid_, labels_);
  if (subjects.has_labels())
    write_text(file("volumes.csv"), volumes_csv(subjects, plan, facts, curves));
  write_text(file("weights.csv"), weights_csv(subjects, plan));
  written_.push_back(page().filename().string());
  Json atlases = Json::array();
  for (std::size_t a = 0; a < facts.size(); ++a) {
    Json at = Json::object();
    for (std::size_t k = 0; k < plan.group.numbers.size(); ++k)
      at[plan.group.numbers[k]] = plan.group.points[a][static_cast<Eigen::Index>(k)];
    atlases.push_back({{"name", plan.group.names[a]},
                       {"folder", plan.group.folders[a]},
                       {"at", at},
                       {"effective_subjects", plan.effective[a]},
                       {"displacement_mm", {{"mean", facts[a].mean_mm}, {"max", facts[a].max_mm}}},
                       {"folds", facts[a].folds},
                       {"rounds", rounds_json(facts[a].rounds)}});
  }
  const Json record{
      {"format", kFormat},
      {"version", 1},
      {"program", program},
      {"run", subjects.run().folder.string()},
      {"question", question_json(plan.question)},
      {"subjects", plan.group.members.size()},
      {"left_out", plan.group.dropped},
      {"labels", subjects.has_labels() ? Json(subjects.label_table()) : Json::array()},
      {"bandwidth", bandwidth_json(plan)},
      {"atlases", atlases},
      {"files", written_}};
  write_text(this->record(), record.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::string to_text(const RunSubjects& subjects, const Plan& plan,
                    const std::vector<AtlasFacts>& facts) {
  std::string text =
      fmt::format("{} of {} training subjects\n", plan.group.members.size(), subjects.size());
  if (plan.choice) {
    text += "bandwidth, leave-one-out error (1: as without covariates), subjects behind an atlas\n";
    for (std::size_t t = 0; t < plan.choice->trials.size(); ++t) {
      const auto& trial = plan.choice->trials[t];
      std::string widths;
      for (std::size_t a = 0; a < plan.group.numbers.size(); ++a)
        widths += fmt::format("{}{} {:.4g}", a == 0 ? "" : ", ", plan.group.numbers[a],
                              trial.bandwidth[static_cast<Eigen::Index>(a)]);
      text += fmt::format("{} {:<16} {:.4f}  {:.1f}\n", t == plan.choice->best ? "*" : " ", widths,
                          trial.error, trial.subjects);
    }
  }
  std::size_t width = 5;
  for (const auto& name : plan.group.names) width = std::max(width, name.size());
  text += fmt::format("{:<{}}  subjects  moved by mm, mean  max  rounds\n", "atlas", width);
  for (std::size_t a = 0; a < facts.size(); ++a)
    text +=
        fmt::format("{:<{}}  {:8.1f}  {:17.3f}  {:.2f}  {}\n", plan.group.names[a], width,
                    plan.effective[a], facts[a].mean_mm, facts[a].max_mm, facts[a].rounds.size());
  return text;
}

}  // namespace aladdin::condition
