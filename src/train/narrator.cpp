#include "aladdin/train/narrator.h"

#include <cmath>

#include "aladdin/core/call.h"
#include "aladdin/core/log.h"
#include "aladdin/core/memory.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/slicer_progress.h"
#include "aladdin/core/status.h"

namespace aladdin {
namespace {

constexpr const char* kMetricsHeader =
    "epoch,step,fraction,rate,coarsening,energy,sim,reg,atlas_pairs,image_pairs,dice,gradient_norm,"
    "val_energy,val_bridge_dice,val_folds,atlas_change\n";

constexpr double kRunaway = 1e3;  // a healthy gradient is of the order of 1

void tell_call(const TrainingNews& news) {
  if (Call* call = Call::here())
    call->progress("training", std::llround(1000 * news.fraction), 1000);
}

}  // namespace

std::string metrics_line(const TrainingNews& news) {
  const Position& p = news.state->position;
  const EpochSums& m = news.means;
  const Validation* v = news.validation;
  return fmt::format(
      "{},{},{:.6f},{:.6e},{},{:.6f},{:.6f},{:.6e},{:.6f},{:.6f},{:.6f},{:.4f},{},{},{},{}\n",
      p.epochs, p.steps, news.fraction, news.rate, news.stage, m.energy, m.sim, m.reg,
      m.atlas_pairs, m.image_pairs, m.dice, m.norm, v ? fmt::format("{:.6f}", v->energy) : "",
      v && v->bridge_dice ? fmt::format("{:.5f}", *v->bridge_dice) : "",
      v ? fmt::format("{}", v->folds) : "",
      news.atlas_change ? fmt::format("{:.6e}", *news.atlas_change) : "");
}

void write_metrics(const RunDirectory& run, const TrainingState& state) {
  write_text(run.metrics(), kMetricsHeader + state.metrics);
}

std::string Narrator::time_left(const TrainingNews& news, Clock::time_point now) {
  if (!first_) {
    first_ = news.fraction;
    begin_ = now;
  }
  const double gained = news.fraction - *first_;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  if (!(gained > 0.01 && news.fraction < 1)) return "";
  return fmt::format("  {} left", format_duration(elapsed * (1 - news.fraction) / gained));
}

void Narrator::step(const TrainingNews& news) {
  tell_slicer("training", news.fraction);
  const auto now = Clock::now();
  if (now - drawn_ < std::chrono::milliseconds(200)) return;
  drawn_ = now;
  tell_call(news);
  const Position& p = news.state->position;
  const EpochSums& m = news.means;
  std::string line = fmt::format(
      "{:3.0f} %  epoch {}, step {}/{}  grid 1/{}  energy {:.4f}  sim {:.4f}  reg {:.1e}",
      100 * news.fraction, p.epochs + 1, p.step, news.steps_an_epoch, news.stage, m.energy, m.sim,
      m.reg);
  if (m.atlas_pairs > 0) line += fmt::format("  atlas pairs {:.4f}", m.atlas_pairs);
  if (m.image_pairs > 0) line += fmt::format("  pairs {:.4f}", m.image_pairs);
  log::set_status(line + validation_ + time_left(news, now) +
                  fmt::format("  {:.1f} GB", double(resident_memory()) / 1e9));
}

std::string Narrator::describe(const TrainingNews& news, Clock::time_point now) {
  std::string line =
      fmt::format("{:3.0f} %  epoch {}  grid 1/{}  energy {:.4f}  sim {:.4f}", 100 * news.fraction,
                  news.state->position.epochs, news.stage, news.means.energy, news.means.sim);
  if (news.means.image_pairs > 0) line += fmt::format("  pairs {:.4f}", news.means.image_pairs);
  if (news.validation) {
    validation_ = news.validation->bridge_dice
                      ? fmt::format("  working-grid Dice {:.4f}", *news.validation->bridge_dice)
                      : fmt::format("  val energy {:.4f}", news.validation->energy);
    line += validation_ + fmt::format("  folds {}", news.validation->folds);
  }
  return line + time_left(news, now);
}

void Narrator::operator()(const TrainingNews& news) {
  const auto now = Clock::now();
  const double quiet = std::chrono::duration<double>(now - last_).count();
  if (!news.validation && quiet < 10 && news.fraction < 1) return;
  last_ = now;
  log::info("{}", describe(news, now));
  if (news.means.norm > kRunaway)
    log::warn(
        "the gradient has a norm of {:.0f}: the training diverges; start over with "
        "a smaller train.rate",
        news.means.norm);
  write_metrics(run_, *news.state);
  tell_call(news);
}

}  // namespace aladdin
