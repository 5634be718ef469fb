#include "aladdin/image/scan.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/image/io.h"
#include "aladdin/image/label_map.h"
#include "aladdin/image/thumbnail.h"

namespace aladdin {
namespace {

SubjectScan scan_subject(const Subject& subject, const IntensityRule& rule) {
  SubjectScan scan;
  const Image image = read_image(subject.image);
  std::optional<Labels> mask;
  if (subject.mask) mask = read_labels(*subject.mask);
  const Labels* within = mask ? &*mask : nullptr;
  scan.content = find_content(image, within, subject.image.string());
  scan.intensity = find_intensity_map(image, within, rule, subject.image.string());
  scan.thumbnail = thumbnail_of(image, scan.content, scan.intensity);
  if (subject.label) {
    scan.labels = count_labels(read_labels(*subject.label));
    scan.labels.erase(0);
  }
  return scan;
}

}  // namespace

namespace {

std::vector<SubjectScan> scan(const Cohort& cohort, const IntensityRule& rule,
                              const std::vector<bool>& wanted,
                              const std::function<bool()>& given_up, Problems problems) {
  rule.validate();
  const auto count = cohort.subjects.size();
  std::vector<SubjectScan> scans(count);
  std::vector<std::string> wrong(count);
  Progress progress("reading the cohort", std::count(wanted.begin(), wanted.end(), true));
  parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    if (!wanted[i] || given_up()) return;
    try {
      scans[i] = scan_subject(cohort.subjects[i], rule);
    } catch (const Error& error) {
      wrong[i] = error.what();
    }
    progress.advance();
  });
  for (std::size_t i = 0; i < count; ++i)
    if (!wrong[i].empty()) problems.add("{}: {}", cohort.subjects[i].id, wrong[i]);
  problems.report(fmt::format("the cohort '{}'", cohort.source));
  return scans;
}

}  // namespace

std::vector<SubjectScan> scan_cohort(const Cohort& cohort, const IntensityRule& rule) {
  return scan(cohort, rule, std::vector<bool>(cohort.subjects.size(), true), [] { return false; },
              {});
}

std::vector<SubjectScan> scan_cohort(const Cohort& cohort, const Problems& before) {
  std::vector<bool> sound;
  for (const Subject& subject : cohort.subjects) sound.push_back(subject.sound);
  return scan(
      cohort, {}, sound, [] { return false; }, before);
}

std::vector<SubjectScan> scan_cohort(const Cohort& cohort, const IntensityRule& rule,
                                     const std::vector<bool>& wanted,
                                     const std::function<bool()>& given_up) {
  return scan(cohort, rule, wanted, given_up, {});
}

std::string to_json(const SubjectScan& scan) {
  using Json = nlohmann::json;
  Json labels = Json::array();
  for (const auto& [label, voxels] : scan.labels) labels.push_back({label, voxels});
  return Json{{"first", scan.content.first},
              {"last", scan.content.last},
              {"intensity", {scan.intensity.low, scan.intensity.high}},
              {"labels", labels},
              {"thumbnail", scan.thumbnail}}
      .dump();
}

SubjectScan parse_scan(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  SubjectScan scan;
  json.at("first").get_to(scan.content.first);
  json.at("last").get_to(scan.content.last);
  scan.intensity = {json.at("intensity").at(0), json.at("intensity").at(1)};
  for (const auto& pair : json.at("labels")) scan.labels[pair.at(0)] = pair.at(1);
  json.at("thumbnail").get_to(scan.thumbnail);
  return scan;
}

}  // namespace aladdin
