#include "aladdin/train/showcase.h"

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/report/report.h"
#include "aladdin/train/narrator.h"
#include "aladdin/train/publish.h"

namespace aladdin {

void Showcase::attempt(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    if (!failed_) log::warn("the report cannot be made: {}", error.what());
    failed_ = true;
  }
}

void Showcase::operator()(const TrainingNews& news) {
  const TrainingState& state = *news.state;
  attempt([&] {
    if (!report::has_atlas_picture(run_, 0))
      report::write_atlas_picture(run_, 0, visible_image(state.first_atlas, dataset_));
    if (news.atlas_change)
      report::write_atlas_picture(run_, state.position.epochs,
                                  visible_image(state.atlas, dataset_));
  });
  const auto now = Clock::now();
  if (!news.validation && now - last_ < std::chrono::seconds(30)) return;
  last_ = now;
  write_metrics(run_, state);
  attempt([&] { report::write_run_page(run_); });
}

bool has_last_page(const RunDirectory& run) {
  std::error_code none;
  const auto written = std::filesystem::last_write_time(run.report(), none);
  return !none && written >= std::filesystem::last_write_time(run.record());
}

void write_last_page(const RunDirectory& run) {
  try {
    report::write_run_page(run);
    log::info("the report is in {}", run.report().string());
  } catch (const Error& error) {
    log::warn("the report cannot be made: {}", error.what());
  }
}

}  // namespace aladdin
