#include "aladdin/evaluate/evaluation_part.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "aladdin/core/error.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/consensus.h"

namespace aladdin::evaluate {
namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kFormat = "aladdin evaluation part";
constexpr int kVersion = 1;
constexpr std::size_t kMostLabels = 65536;  // LabelIndex has 16 bits

// One description of every record for both ways: Writer puts, Reader gets.
struct Writer {
  Json& json;
  template <class T>
  void operator()(const char* key, const T& value) const {
    json[key] = value;
  }
};
struct Reader {
  const Json& json;
  template <class T>
  void operator()(const char* key, T& value) const {
    json.at(key).get_to(value);
  }
};

template <class Visit, class F>
void visit_folds(const Visit& visit, F& f) {
  visit("voxels", f.voxels);
  visit("cells", f.cells);
  visit("negative", f.negative);
  visit("not_positive", f.not_positive);
  visit("folded_cells", f.folded_cells);
  visit("volume_vox", f.volume_vox);
  visit("smallest", f.smallest);
  visit("largest", f.largest);
  visit("log_sd", f.log_sd);
}

template <class Visit, class I>
void visit_inverse(const Visit& visit, I& inverse) {
  visit("mean_mm", inverse.mean_mm);
  visit("max_mm", inverse.max_mm);
  visit("mean_vox", inverse.mean_vox);
  visit("max_vox", inverse.max_vox);
  visit("voxels", inverse.voxels);
}

template <class Visit, class S>
void visit_similarity(const Visit& visit, S& s) {
  visit("ncc_before", s.ncc_before);
  visit("ncc_after", s.ncc_after);
  visit("mse_before", s.mse_before);
  visit("mse_after", s.mse_after);
}

template <class Visit, class S>
void visit_surface(const Visit& visit, S& s) {
  visit("hd_mm", s.hd_mm);
  visit("hd95_mm", s.hd95_mm);
  visit("average_mm", s.average_mm);
}

template <class Visit, class C>
void visit_centrality(const Visit& visit, C& c) {
  visit("mean_mm", c.mean_mm);
  visit("max_mm", c.max_mm);
  visit("mean_vox", c.mean_vox);
  visit("max_vox", c.max_vox);
  visit("shift_mm", c.shift_mm);
  visit("shift_vox", c.shift_vox);
  visit("subjects", c.subjects);
}

template <class Visit, class S>
void visit_sharpness(const Visit& visit, S& s) {
  visit("gradient_energy", s.gradient_energy);
  visit("relative_energy", s.relative_energy);
  visit("entropy_bits", s.entropy_bits);
}

template <class Visit, class V>
void visit_built(const Visit& visit, V& v) {
  visit("mean_mm", v.mean_mm);
  visit("max_mm", v.max_mm);
  visit("shift_mm", v.shift_mm);
}

Json to_json(const DiceScores& scores) {
  Json values = Json::array();
  for (const auto& value : scores.of) values.push_back(value ? Json(*value) : Json());
  return {{"of", values}, {"in_truth", scores.in_truth}};
}

DiceScores dice_from(const Json& json, std::size_t labels) {
  DiceScores scores;
  std::vector<LabelIndex> all;
  json.at("in_truth").get_to(scores.in_truth);
  for (const Json& value : json.at("of")) {
    if (!scores.of.empty()) all.push_back(static_cast<LabelIndex>(scores.of.size()));
    scores.of.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
  }
  bool good = scores.of.size() == labels && scores.in_truth.size() == labels;
  for (std::size_t k = 0; good && k < labels; ++k)
    good = !scores.in_truth[k] || scores.of[k].has_value();
  if (!good) fail("its Dice does not fit {} labels", labels);
  scores.mean = mean_of(scores, all);
  return scores;
}

Json to_json(const SubjectScores& s) {
  Json out{{"id", s.id}, {"split", s.split}};
  visit_folds(Writer{out["to_atlas"]}, s.to_atlas);
  visit_folds(Writer{out["to_native"]}, s.to_native);
  visit_inverse(Writer{out["inverse"]}, s.inverse);
  if (s.similarity) visit_similarity(Writer{out["similarity"]}, *s.similarity);
  if (s.bridge.of.empty()) return out;
  out["bridge"] = to_json(s.bridge);
  out["atlas"] = to_json(s.atlas);
  out["image"] = to_json(s.image);
  if (s.surface.empty()) return out;
  out["surface"] = Json::array();
  for (const auto& surface : s.surface) {
    Json one;
    if (surface) visit_surface(Writer{one}, *surface);
    out["surface"].push_back(one);
  }
  return out;
}

SubjectScores subject_from(const Json& json, std::size_t labels) {
  SubjectScores s;
  json.at("id").get_to(s.id);
  json.at("split").get_to(s.split);
  visit_folds(Reader{json.at("to_atlas")}, s.to_atlas);
  visit_folds(Reader{json.at("to_native")}, s.to_native);
  visit_inverse(Reader{json.at("inverse")}, s.inverse);
  if (json.contains("similarity"))
    visit_similarity(Reader{json.at("similarity")}, s.similarity.emplace());
  if (labels == 0) return s;
  s.bridge = dice_from(json.at("bridge"), labels);
  s.atlas = dice_from(json.at("atlas"), labels);
  s.image = dice_from(json.at("image"), labels);
  if (!json.contains("surface")) return s;
  for (const Json& one : json.at("surface")) {
    s.surface.emplace_back();
    if (!one.is_null()) visit_surface(Reader{one}, s.surface.back().emplace());
  }
  if (s.surface.size() != labels) fail("its surface distances do not fit {} labels", labels);
  return s;
}

Json to_json(const Evaluation& e) {
  Json out{{"format", kFormat},
           {"version", kVersion},
           {"name", e.name},
           {"shard", {e.shard.index + 1, e.shard.count}},
           {"all_subjects", e.all_subjects},
           {"table", e.table},
           {"exact", e.exact},
           {"voted_segmentation", e.voted_segmentation}};
  visit_centrality(Writer{out["centrality"]}, e.centrality);
  const auto put_built = [&](const char* key, const std::optional<BuiltCentrality>& built) {
    if (!built) return;
    visit_built(Writer{out[key]}, *built);
    out[key]["subjects"] = built->subjects;
  };
  put_built("velocity", e.velocity);
  put_built("displacement", e.displacement);
  out["split"] = e.split;
  out["label_names"] = Json::object();
  for (const auto& [label, name] : e.label_names) out["label_names"][std::to_string(label)] = name;
  if (e.sharpness) visit_sharpness(Writer{out["sharpness"]}, *e.sharpness);
  out["pair_moments"] = Json::array();
  for (const Moments& m : e.pair_moments)
    out["pair_moments"].push_back({m.sum, m.squares, m.count});
  out["subjects"] = Json::array();
  for (const auto& subject : e.subjects) out["subjects"].push_back(to_json(subject));
  return out;
}

Evaluation evaluation_from(const Json& json) {
  Evaluation e;
  json.at("name").get_to(e.name);
  e.shard = parse_shard(fmt::format("{}/{}", json.at("shard").at(0).get<std::int64_t>(),
                                    json.at("shard").at(1).get<std::int64_t>()));
  json.at("all_subjects").get_to(e.all_subjects);
  json.at("table").get_to(e.table);
  if (e.table.size() > kMostLabels || e.table.size() == 1)
    fail("it has {} labels with the background", e.table.size());
  if (e.all_subjects == 0) fail("it has no subjects");
  json.at("exact").get_to(e.exact);
  json.at("voted_segmentation").get_to(e.voted_segmentation);
  visit_centrality(Reader{json.at("centrality")}, e.centrality);
  const auto get_built = [&](const char* key, std::optional<BuiltCentrality>& built) {
    if (!json.contains(key)) return;
    visit_built(Reader{json.at(key)}, built.emplace());
    built->subjects = json.at(key).value("subjects", std::int64_t{0});
  };
  get_built("velocity", e.velocity);
  get_built("displacement", e.displacement);
  e.split = json.value("split", "");
  if (json.contains("label_names"))
    for (const auto& [label, name] : json.at("label_names").items())
      if (const auto value = parse_integer(label))
        e.label_names[static_cast<std::int32_t>(*value)] = name.get<std::string>();
  if (json.contains("sharpness"))
    visit_sharpness(Reader{json.at("sharpness")}, e.sharpness.emplace());
  for (const Json& m : json.at("pair_moments"))
    e.pair_moments.push_back(
        {m.at(0).get<double>(), m.at(1).get<double>(), m.at(2).get<std::int64_t>()});
  if (!e.pair_moments.empty() && e.pair_moments.size() != e.table.size())
    fail("its pairs do not fit {} labels", e.table.size());
  for (const Json& subject : json.at("subjects"))
    e.subjects.push_back(subject_from(subject, e.table.size()));
  return e;
}

void require_alike(const Evaluation& a, const Evaluation& b) {
  if (a.shard.count != b.shard.count || a.all_subjects != b.all_subjects || a.table != b.table ||
      a.exact != b.exact || a.voted_segmentation != b.voted_segmentation ||
      a.pair_moments.size() != b.pair_moments.size())
    throw Error(fmt::format("the parts {} and {} of '{}' belong to different evaluations",
                            a.shard.text(), b.shard.text(), a.name))
        .hint("measure all parts with the same command");
}

// Parts of one name, in order.
Evaluation merge_one(std::vector<Evaluation>& parts) {
  Evaluation whole = parts.front();
  for (std::size_t s = 0; s < whole.shard.count; ++s) {
    if (s < parts.size()) require_alike(whole, parts[s]);
    if (s >= parts.size() || parts[s].shard.index > s)
      fail("the part {}/{} of '{}' is missing", s + 1, whole.shard.count, whole.name);
    if (parts[s].shard.index < s)
      fail("the part {} of '{}' is given twice", parts[s].shard.text(), whole.name);
  }
  if (parts.size() > whole.shard.count)
    fail("the part {} of '{}' is given twice", parts.back().shard.text(), whole.name);
  const std::size_t count = whole.shard.count;
  whole.subjects.clear();
  for (std::size_t i = 0; i < whole.all_subjects; ++i) {
    auto& own = parts[i % count].subjects;
    if (i / count >= own.size())
      fail("the part {} of '{}' lacks subjects", parts[i % count].shard.text(), whole.name);
    whole.subjects.push_back(std::move(own[i / count]));
  }
  for (std::size_t s = 1; s < count; ++s)
    for (std::size_t k = 0; k < whole.pair_moments.size(); ++k)
      whole.pair_moments[k].add(parts[s].pair_moments[k]);
  whole.shard = {};
  summarise_subjects(whole);
  return whole;
}

}  // namespace

void write_part(const Path& path, const Evaluation& evaluation) {
  write_text(
      path,
      to_json(evaluation).dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

Evaluation read_part(const Path& path) {
  const std::string text = read_text(path);
  try {
    const Json json = parse_json<Json>(text);
    if (!json.is_object() || json.value("format", Json()) != kFormat)
      fail("'{}' is not a part of an evaluation", path.string());
    const Json version = json.value("version", Json());
    if (version != kVersion)
      fail("'{}' is a part of version {}, expected {}", path.string(), one_line(version.dump()),
           kVersion);
    try {
      return evaluation_from(json);
    } catch (Error& error) {
      throw error.within(fmt::format("'{}' is damaged", path.string()));
    }
  } catch (const nlohmann::json::exception&) {
    throw Error(fmt::format("'{}' is not a part of an evaluation, or it is damaged", path.string()))
        .hint("measure it again");
  }
}

std::vector<Evaluation> merge_parts(std::vector<Evaluation> parts) {
  std::vector<Evaluation> whole;
  while (!parts.empty()) {
    const std::string name = parts.front().name;
    std::vector<Evaluation> same;
    for (Evaluation& part : parts)
      if (part.name == name) same.push_back(part);
    std::erase_if(parts, [&](const Evaluation& part) { return part.name == name; });
    std::stable_sort(same.begin(), same.end(), [](const Evaluation& a, const Evaluation& b) {
      return a.shard.index < b.shard.index;
    });
    whole.push_back(merge_one(same));
  }
  return whole;
}

}  // namespace aladdin::evaluate
