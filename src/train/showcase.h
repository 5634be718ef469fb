// What people look at while a training runs: a picture of each atlas, and the page of the run.
#pragma once

#include <chrono>

#include "aladdin/train/trainer.h"

namespace aladdin {

class Showcase {
 public:
  Showcase(RunDirectory run, const Dataset& dataset) : run_(std::move(run)), dataset_(dataset) {}

  // At the end of each epoch: RUN/evolution/ after an update of the atlas, RUN/report.html after a
  // validation, else every half minute.
  void operator()(const TrainingNews& news);

 private:
  using Clock = std::chrono::steady_clock;
  // A page that cannot be made gives one warning, and the training continues.
  void attempt(const std::function<void()>& work);

  RunDirectory run_;
  const Dataset& dataset_;
  Clock::time_point last_{};
  bool failed_ = false;
};

// The page of a finished run is the last file that a build writes: one that is older than run.json is of the training.
bool has_last_page(const RunDirectory& run);
void write_last_page(const RunDirectory& run);

}  // namespace aladdin
