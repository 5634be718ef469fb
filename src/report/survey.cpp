#include "aladdin/report/survey.h"

#include <algorithm>
#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/progress.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/image/io.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin::report {
namespace {

// Smaller is worse.
std::map<std::string, double> goodness(const RunData& run, const evaluate::Evaluation* evaluation) {
  std::map<std::string, double> of;
  if (evaluation) {
    for (const auto& subject : evaluation->subjects)
      if (subject.bridge.mean) of[subject.id] = *subject.bridge.mean;
    return of;
  }
  for (const RunSubject& subject : run.subjects)
    if (const auto energy = run.score(subject, "energy")) of[subject.id] = -*energy;
  return of;
}

std::vector<std::size_t> rank(const RunData& run, const std::map<std::string, double>& of) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < run.subjects.size(); ++i)
    if (of.contains(run.subjects[i].id)) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return of.at(run.subjects[a].id) < of.at(run.subjects[b].id);
  });
  return order;
}

JacobianHistogram histogram_of(const Image& jacobian) {
  JacobianHistogram out;
  for (const float det : jacobian.values) {
    const double log = det > 0 ? std::log2(double(det)) : -JacobianHistogram::kReach;
    const double at = (log / JacobianHistogram::kReach + 1) / 2 * JacobianHistogram::kBins;
    out.share[std::clamp(static_cast<int>(at), 0, JacobianHistogram::kBins - 1)] += 1;
  }
  for (double& share : out.share) share /= double(jacobian.values.size());
  return out;
}

// Sums over the training subjects.
class Means {
 public:
  explicit Means(const Image& atlas)
      : atlas_(atlas),
        initial_(atlas.grid),
        affine_(atlas.grid),
        centrality_(shape_of(atlas.grid), atlas.grid.spacing) {}

  void add(const SubjectView& view) {
    // The native image again, through the affine part alone: from what is on the atlas grid already.
    const Affine part = affine_part(view.displacement, {0, 0, 0}, atlas_);
    const Image moved = pull_back(view.before, {part}, atlas_.grid);
    for (std::size_t v = 0; v < initial_.values.size(); ++v) {
      initial_.values[v] += view.before.values[v];
      affine_.values[v] += moved.values[v];
    }
    centrality_.add(mm_to_voxels(view.displacement.vectors).values.data());
  }

  void finish(Survey& out) {
    if (centrality_.subjects() == 0) return;
    const float share = 1.0F / static_cast<float>(centrality_.subjects());
    for (float& value : initial_.values) value *= share;
    for (float& value : affine_.values) value *= share;
    Image norms(atlas_.grid);
    centrality_.norms(norms.values.data());
    out.centrality = centrality_.summary();
    out.initial_mean = std::move(initial_);
    out.affine_mean = std::move(affine_);
    out.centrality_mm = std::move(norms);
  }

 private:
  const Image& atlas_;
  Image initial_, affine_;
  evaluate::Centrality centrality_;
};

// Those that figures show come first, so that the budget is theirs.
std::vector<std::size_t> walking_order(const RunData& run, const std::vector<std::size_t>& first) {
  std::vector<std::size_t> order = first;
  for (std::size_t i = 0; i < run.subjects.size(); ++i)
    if (std::find(first.begin(), first.end(), i) == first.end()) order.push_back(i);
  return order;
}

}  // namespace

std::vector<std::size_t> choose_portraits(const std::vector<std::size_t>& ranking) {
  std::vector<std::size_t> chosen(ranking.begin(),
                                  ranking.begin() + std::min(kWorst, ranking.size()));
  // With fewer than ten subjects the middle one is among the worst.
  if (ranking.size() / 2 >= kWorst) chosen.push_back(ranking[ranking.size() / 2]);
  if (ranking.size() > kWorst) chosen.push_back(ranking.back());
  return chosen;
}

const Portrait* Survey::portrait(std::size_t subject) const {
  for (const Portrait& one : portraits)
    if (one.subject == subject) return &one;
  return nullptr;
}

Survey survey(const RunData& run, const evaluate::Evaluation* evaluation,
              const SurveyOptions& options) {
  Survey out;
  out.atlas = read_image(run.run.atlas());
  if (!run.labels.empty()) out.atlas_labels = read_labels(run.run.atlas_labels());
  out.ranking = rank(run, goodness(run, evaluation));
  out.ranked_by = evaluation ? "bridge Dice" : "energy";
  const auto faces = choose_portraits(out.ranking);
  Means means(out.atlas);
  std::size_t room = options.embed_bytes, unread = 0;
  Progress progress("looking at", static_cast<std::int64_t>(run.subjects.size()));
  for (const std::size_t i : walking_order(run, faces)) {
    const RunSubject& subject = run.subjects[i];
    try {
      SubjectView view = view_subject(run, subject, out.atlas.grid);
      SubjectSurvey seen;
      seen.subject = i;
      seen.histogram = histogram_of(view.jacobian);
      const auto length = length_of(view.displacement);
      seen.mean_mm = length.mean_mm;
      seen.max_mm = length.max_mm;
      if (room > 0) {
        Bytes packed = pack(view, run.labels);
        // A page holds base64: a third more.
        const std::size_t bytes = packed.size() / 3 * 4;
        if (bytes <= room) seen.packed = std::move(packed);
        room = bytes <= room ? room - bytes : 0;
      }
      if (subject.is_for_training()) means.add(view);
      if (std::find(faces.begin(), faces.end(), i) != faces.end())
        out.portraits.push_back({i, std::move(view)});
      out.subjects.push_back(std::move(seen));
    } catch (const Error& error) {
      if (unread++ == 0) {
        log::warn("{} is not shown: {}", subject.id, error.what());
        out.notes.push_back(fmt::format("{} is not shown: {}.", subject.id, error.what()));
      }
    }
    progress.advance();
  }
  if (unread > 1)
    out.notes.push_back(fmt::format("{} more subjects could not be read.", unread - 1));
  std::sort(out.subjects.begin(), out.subjects.end(),
            [](const auto& a, const auto& b) { return a.subject < b.subject; });
  means.finish(out);
  return out;
}

}  // namespace aladdin::report
