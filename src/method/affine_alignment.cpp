#include "aladdin/method/affine_alignment.h"

#include <cmath>

#include "aladdin/core/log.h"
#include "aladdin/core/progress.h"
#include "aladdin/network/affine_placement.h"
#include "aladdin/transform/affine_registration.h"
#include "aladdin/transform/pull_back.h"

namespace aladdin {
namespace {

// The finest grid of each round: the first ones only bring the images near to each other.
constexpr int kFinest[] = {4, 4, 2, 2, 1};

Image image_of(const TrainingData& data, std::size_t subject) {
  Image image(data.dataset().grid());
  data.dataset().image(subject, image.values.data());
  return image;
}

Affine mean_of(const std::vector<Affine>& maps, const std::vector<std::size_t>& which) {
  Affine mean{.matrix = {}, .offset = {0, 0, 0}, .dims = maps[which[0]].dims};
  const double share = 1.0 / double(which.size());
  for (const std::size_t i : which) {
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) mean.matrix[r][c] += share * maps[i].matrix[r][c];
    mean.offset = mean.offset + share * maps[i].offset;
  }
  return mean;
}

Image mean_image(const TrainingData& data, const std::vector<Affine>& maps) {
  const Grid& grid = data.dataset().grid();
  std::vector<double> sum(static_cast<std::size_t>(grid.voxels()));
  for (const std::size_t i : data.training()) {
    const Image moved = pull_back(image_of(data, i), {maps[i]}, grid);
    for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += double(moved.values[v]);
  }
  Image mean(grid);
  for (std::size_t v = 0; v < sum.size(); ++v)
    mean.values[v] = static_cast<float>(sum[v] / double(data.training().size()));
  return mean;
}

double change_of(const Image& before, const Image& after) {
  double squares = 0;
  for (std::size_t v = 0; v < after.values.size(); ++v) {
    const double d = double(after.values[v]) - double(before.values[v]);
    squares += d * d;
  }
  return std::sqrt(squares / double(after.values.size()));
}

}  // namespace

AffineAlignment align_affinely(const TrainingData& data, SimilarityKind similarity) {
  const std::size_t subjects = data.dataset().size();
  AffineAlignment out;
  out.to_subject.assign(subjects, Affine{.dims = data.dataset().grid().dims});
  out.mean = mean_image(data, out.to_subject);
  AffineRegistrationOptions options;
  options.ncc = places_by_ncc(similarity);
  for (std::size_t round = 0; round < std::size(kFinest); ++round) {
    options.finest = kFinest[round];
    // The maps are near from the third round on.
    options.coarsest = std::max(options.finest, round < 2 ? 4 : 2);
    Progress progress("aligning", static_cast<std::int64_t>(data.training().size()));
    for (const std::size_t i : data.training()) {
      out.to_subject[i] = register_affine(out.mean, image_of(data, i), out.to_subject[i], options);
      progress.advance();
    }
    const Affine middle = inverse(mean_of(out.to_subject, data.training()));
    for (const std::size_t i : data.training())
      out.to_subject[i] = compose(out.to_subject[i], middle);
    Image mean = mean_image(data, out.to_subject);
    log::info("affine        round {} at 1/{}: the mean image changed by {:.5f}", round + 1,
              options.finest, change_of(out.mean, mean));
    out.mean = std::move(mean);
  }
  for (std::size_t i = 0; i < subjects; ++i)
    if (!data.dataset().cohort().subjects[i].is_for_training())
      out.to_subject[i] = place_on_mean(out.mean, image_of(data, i), similarity);
  return out;
}

}  // namespace aladdin
