#include "aladdin/image/scan.h"

#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/image/cohort_source.h"
#include "aladdin/image/io.h"

namespace aladdin {
namespace {

std::map<std::int32_t, std::int64_t> count_labels(const Labels& labels) {
  std::map<std::int32_t, std::int64_t> counts;
  // Labels come in runs; a look into the map for each run is cheap.
  for (std::size_t v = 0; v < labels.values.size();) {
    std::size_t end = v + 1;
    while (end < labels.values.size() && labels.values[end] == labels.values[v]) ++end;
    if (labels.values[v] != 0) counts[labels.values[v]] += static_cast<std::int64_t>(end - v);
    v = end;
  }
  return counts;
}

SubjectScan scan_subject(const Subject& subject, const IntensityRule& rule) {
  SubjectScan scan;
  const Image image = read_image(subject.image);
  std::optional<Labels> mask;
  if (subject.mask) mask = read_labels(*subject.mask);
  const Labels* within = mask ? &*mask : nullptr;
  scan.content = find_content(image, within, subject.image.string());
  scan.intensity = find_intensity_map(image, within, rule, subject.image.string());
  if (subject.label) scan.labels = count_labels(read_labels(*subject.label));
  return scan;
}

}  // namespace

std::vector<SubjectScan> scan_cohort(const Cohort& cohort, const IntensityRule& rule) {
  rule.validate();
  const auto count = cohort.subjects.size();
  std::vector<SubjectScan> scans(count);
  std::vector<std::string> wrong(count);
  Progress progress("looking at the cohort", static_cast<std::int64_t>(count));
  parallel_for(static_cast<std::int64_t>(count), [&](std::int64_t i) {
    try {
      scans[i] = scan_subject(cohort.subjects[i], rule);
    } catch (const Error& error) {
      wrong[i] = error.what();
    }
    progress.advance();
  });
  Problems problems;
  for (std::size_t i = 0; i < count; ++i)
    if (!wrong[i].empty()) problems.add("{}: {}", cohort.subjects[i].id, wrong[i]);
  problems.report(fmt::format("the cohort '{}'", cohort.source));
  return scans;
}

}  // namespace aladdin
