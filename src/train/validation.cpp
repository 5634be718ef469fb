#include "aladdin/train/validation.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/evaluate/folds.h"
#include "aladdin/evaluate/voxel_walk.h"
#include "aladdin/ops/tensor.h"
#include "aladdin/train/team_sums.h"

namespace aladdin {
namespace {

// Fields of a subject on the CPU, as the measures want them.
struct Registered {
  at::Tensor to_subject, to_atlas;
};

}  // namespace

Validation validate(const Velocities& velocities, const Flow& flow, const at::Tensor& atlas,
                    const TrainingData& data, const Energy& energy) {
  const at::NoGradGuard no_grad;
  const auto& subjects = data.validation();
  if (subjects.empty()) fail("there are no validation subjects");
  const bool labelled = subjects.size() > 1 &&
                        std::all_of(subjects.begin(), subjects.end(),
                                    [&](std::size_t i) { return data.dataset().has_labels(i); });
  const auto shape = data.image_shape();

  Validation out;
  std::vector<Registered> fields;
  std::optional<evaluate::BridgeVotes> votes;
  const auto labels = static_cast<int>(data.dataset().label_table().size());
  if (labelled) votes.emplace(shape_of(data.dataset().grid()), labels);
  std::vector<std::size_t> own;
  data.for_each_own(subjects, [&](std::size_t subject) {
    const Batch batch = data.batch({subject}, false);
    const Fields predicted = flow(velocities(subject), shape);
    out.energy += energy(atlas, batch, predicted, data.spacing(), flow.velocity_scale())
                      .energy.item<double>();
    const Fields f = flow.complete(predicted);
    Registered registered{f.to_subject.cpu().contiguous(), f.to_atlas.cpu().contiguous()};
    const kernels::Shape grid = ops::shape_of(registered.to_subject);
    for (const at::Tensor& u : {registered.to_subject, registered.to_atlas})
      out.folds += evaluate::count_folds(u.data_ptr<float>(), grid).negative;
    if (!labelled) return;
    votes->add(data.labels(subject).data(), registered.to_subject.data_ptr<float>());
    own.push_back(subject);
    fields.push_back(std::move(registered));
  });
  const auto summed = [&](double number) { return sum_over(data.team(), number); };
  out.energy = summed(out.energy) / double(subjects.size());
  out.folds = static_cast<std::int64_t>(summed(double(out.folds)));
  if (!labelled) return out;
  sum_over(data.team(), *votes);
  double sum = 0, counted = 0;
  for (std::size_t k = 0; k < own.size(); ++k) {
    const auto scores =
        votes->dice(data.labels(own[k]).data(), fields[k].to_subject.data_ptr<float>(),
                    fields[k].to_atlas.data_ptr<float>());
    if (!scores.mean) continue;
    sum += *scores.mean;
    counted += 1;
  }
  sum = summed(sum);
  counted = summed(counted);
  if (counted > 0) out.bridge_dice = sum / counted;
  return out;
}

}  // namespace aladdin
