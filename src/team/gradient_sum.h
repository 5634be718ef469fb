// The gradients of a step, summed over the processes while the backward pass still runs.
//
// Each pass of the network is one autograd node, and all passes share their weights, so autograd would give the gradients
// only at the very end. Therefore the network itself reports each layer that it has gone through backwards (ops/unet.h).
// The layers lie in buckets in that order, the last first. A bucket is sent as soon as all passes have reported all of
// it, which is during the last backward pass, the coarsest.
#pragma once

#include "aladdin/ops/unet.h"
#include "aladdin/team/team.h"

namespace aladdin {

class GradientSum : public GradientListener {
 public:
  // Without `overlap` everything is sent at the end.
  explicit GradientSum(const Team& team, bool overlap = true) : team_(team), overlap_(overlap) {}

  // Before the forward pass of a step: gradients of this shape will come.
  void begin(const std::vector<at::Tensor>& leaves);
  void recorded() override { ++passes_; }
  void found(std::size_t parameter, const at::Tensor& grad) override;
  // Waits for the sums. If no layer was reported, it sums `grads`, those of this process.
  std::vector<at::Tensor> finish(const std::vector<at::Tensor>& grads);

 private:
  struct Bucket {
    at::Tensor flat;
    std::vector<std::size_t> parameters;
    std::shared_ptr<Team::Work> work;
  };

  void send(Bucket& bucket);

  const Team& team_;
  bool overlap_;
  int passes_ = 0;
  std::vector<Bucket> buckets_;
  std::vector<at::Tensor> views_;  // of each parameter in its bucket
  std::vector<std::size_t> bucket_of_;
  std::vector<int> reported_;  // passes that have reported each parameter
  std::size_t next_ = 0;       // the first bucket that is not sent
};

}  // namespace aladdin
