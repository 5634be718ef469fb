#include "aladdin/train/build.h"

#include <dlfcn.h>

#include "aladdin/bids/derivatives.h"
#include "aladdin/config/validate.h"
#include "aladdin/config/write.h"
#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/memory.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/share_cores.h"
#include "aladdin/core/status.h"
#include "aladdin/core/text.h"
#include "aladdin/image/io.h"
#include "aladdin/method/affine_alignment.h"
#include "aladdin/optimise/mismatch.h"
#include "aladdin/run/run_lock.h"
#include "aladdin/train/forecast.h"
#include "aladdin/train/narrator.h"
#include "aladdin/train/plan.h"
#include "aladdin/train/publish.h"
#include "aladdin/train/run_folder.h"
#include "aladdin/train/showcase.h"
#include "aladdin/train/teacher.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

// A PyTorch has CUDA in a library of its own, half a gigabyte, which is not linked: it is opened before Torch is first asked
// for CUDA, or Torch would go on without. Returns what is wrong with it; "" also where Torch has no such library.
std::string open_cuda() {
  dlerror();
  if (dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL)) return "";
  const std::string reason = dlerror();
  return reason.find("libtorch_cuda.so: cannot open") == std::string::npos ? reason : "";
}

at::Device parse_device(const std::string& name) {
  std::string reason;
  try {
    const at::Device device(name);
    if (device.is_cpu()) return device;
    if (device.is_cuda()) reason = open_cuda();
    at::zeros({1}, at::TensorOptions(device));  // is it there?
    return device;
  } catch (const c10::Error&) {
    throw Error(fmt::format("there is no device '{}' here", name), ExitCode::usage)
        .hint(reason.empty() ? fmt::format("use {} cpu, or a Torch that was built for cuda",
                                           option_name("device"))
                             : reason);
  }
}

Path affine_mean_path(const RunDirectory& run) { return run.affines() / "mean.nii.gz"; }

// Reads the affine maps of all subjects and their mean from the run; false if some are missing.
bool place_as_before(const RunDirectory& run, TrainingData& data) {
  const auto& subjects = data.dataset().cohort().subjects;
  if (!std::filesystem::exists(affine_mean_path(run))) return false;
  for (const Subject& subject : subjects)
    if (!std::filesystem::exists(affine_path(run, subject))) return false;
  std::vector<Affine> maps;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    maps.push_back(read_affine(affine_path(run, subjects[i])));
    maps.back().offset = maps.back().offset - data.dataset().working().shift[i];
  }
  const Image mean = read_image(affine_mean_path(run));
  if (mean.grid.size != data.dataset().grid().size)
    fail("'{}' is {}, expected the padded grid, {}", affine_mean_path(run).string(),
         describe(mean.grid), describe(data.dataset().grid()));
  data.place(std::move(maps), mean);
  return true;
}

// Uses the maps as they were written, so that a resumed run has the same bits.
void align(const RunDirectory& run, const Config& config, TrainingData& data) {
  const AffineAlignment found = align_affinely(data, config.loss.similarity);
  const auto& subjects = data.dataset().cohort().subjects;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    Affine native = found.to_subject[i];
    native.offset = native.offset + data.dataset().working().shift[i];
    write_affine(affine_path(run, subjects[i]), native);
  }
  write_image(affine_mean_path(run), found.mean);
  place_as_before(run, data);
}

// Writes the final record and removes what only an unfinished run needs.
void finish(const RunDirectory& run, const TrainingData& data, const TrainingState& state,
            RunRecord record) {
  RunResults& results = *record.results;
  if (state.best_score && !data.validation().empty()) results.val_score = *state.best_score;
  results.epochs = state.position.epochs;
  results.steps = state.position.steps;
  record.state = RunState::done;
  record.timing = {state.position.seconds / 60, double(peak_memory()) / 1e9};
  write_record(run, record);
  remove_registrations(run);
  std::error_code ignored;
  std::filesystem::remove_all(teacher_folder(run).folder, ignored);
  log::info("the atlas is in {}", run.atlas().string());
  log::info("{} folds, inverse error {:.4f} mm (mean of {})", *results.folds,
            *results.inverse_error_mm, counted(*results.subjects, "subject"));
  if (!results.poor.empty())
    log::warn(
        "poor registration of {}: the atlas matches far worse there than elsewhere; look at the image, "
        "or omit the subject with {} ID",
        list_of_poor(results.poor), option_name("exclude"));
  log::info("mean displacement {:.4f} mm (of {})", *results.displacement.mean_mm,
            counted(*results.training_subjects, "training subject"));
}

bool was_finished(const BuildOptions& options, const RunDirectory& run, const Plan& plan,
                  const Team& team) {
  bool finished = false;
  team.lead(
      [&] { finished = options.resume && !options.dry_run && is_finished(run, plan, options); });
  return team.gather(std::vector<double>{double(finished)})[0][0] > 0;
}

// A finished run may have been killed after its record was written: makes what is missing, removes what is left over.
void tidy_up(const BuildOptions& options, const RunDirectory& run, const Team& team) {
  log::info("'{}' is already finished", run.folder.string());
  const bool page = options.report && !has_last_page(run), bids = !options.bids.empty();
  if (!team.leads() || (!page && !bids && !is_folder(run.registrations()))) return;
  const RunLock lock(run);
  remove_registrations(run);
  if (bids) write_bids(run, options.bids);
  if (page) write_last_page(run);
}

Dataset load(const Plan& plan, const Team& team) {
  std::optional<Dataset> dataset;
  team.each_watched([&](const Team::GivenUp& given_up) {
    DatasetOptions loading = plan.loading;
    loading.given_up = given_up;
    dataset.emplace(plan.cohort, plan.scans, plan.working, loading);
  });
  return std::move(*dataset);
}

// A dry run.
void try_out(const BuildOptions& options, const Plan& plan, const TrainingData& data,
             Trainer& trainer, const Team& team) {
  plan.tell(team);
  const Forecast expected = forecast(plan.config, data, trainer, options.report);
  for (std::size_t s = 0; s < expected.steps.size(); ++s)
    log::info("a step        {:.3f} s at 1/{}", expected.steps[s], plan.config.train.pyramid[s]);
  log::info("time          about {} in all: {} of training, {} of publishing",
            format_duration(expected.training + expected.publishing),
            format_duration(expected.training), format_duration(expected.publishing));
  log::info("memory        {:.1f} GB at the peak of the trial steps", double(peak_memory()) / 1e9);
}

void announce_resume(const Position& position) {
  if (position.finished)
    log::info("resumed       after the training, of {}", counted(position.steps, "step"));
  else if (position.steps > 0)
    log::info("resumed       after step {}, in epoch {}", position.steps, position.epochs + 1);
  else
    log::info("resumed       from the start: there is no checkpoint yet");
}

// Runs the training, and reports its progress in the log, on the page and in metrics.csv.
TrainingState& train(Trainer& trainer, const BuildOptions& options, const RunDirectory& run,
                     const TrainingData& data) {
  Narrator narrate(run);
  Showcase showcase(run, data.dataset());
  if (data.team().leads()) {
    trainer.tell = [&](const TrainingNews& news) {
      narrate(news);
      if (options.report) showcase(news);
    };
    trainer.tell_step = [&](const TrainingNews& news) { narrate.step(news); };
  }
  TrainingState& state = trainer.run();
  log::set_status("");
  if (data.team().leads()) write_metrics(run, state);
  return state;
}

// Optimises the velocities of the training subjects, with the atlas, before a network learns from them.
void teach(Trainer& pupil, const BuildOptions& options, const RunDirectory& run,
           const Config& config, const TrainingData& data, const std::string& identity) {
  if (!config.train.is_taught() || pupil.position().finished) return;
  if (!data.team().is_alone()) {  // the optimisation runs in one process
    log::info(
        "no teacher    with several processes, the network and the atlas are trained together");
    return;
  }
  Trainer teacher(teacher_of(config), data, teacher_folder(run), identity + "\nteacher");
  data.team().each([&] {
    if (options.resume) teacher.resume();
  });
  teacher.require_agreement();
  log::info("part 1 of 2   optimising the atlas and the velocities of the training subjects");
  pupil.be_taught(train(teacher, options, run, data));
  log::info("part 2 of 2   training the network on them");
}

// Trains and publishes. From here on files are written, so everything has been checked before.
void write_run(const BuildOptions& options, const RunDirectory& run, const Plan& plan,
               TrainingData& data, std::optional<Trainer>& trainer) {
  const Team& team = data.team();
  const Config& config = plan.config;
  std::optional<RunLock> lock;
  team.lead([&] {
    lock.emplace(run);
    require_folder(options, run);
  });
  const auto restore = [&] {
    if (config.train.affine) trainer.emplace(config, data, run, plan.identity());
    team.each([&] {
      if (options.resume) trainer->resume();
    });
    trainer->require_agreement();
  };
  const bool placed = !config.train.affine || (options.resume && place_as_before(run, data));
  if (placed) restore();
  RunRecord record = first_record(options, plan, team.size());
  const bool resumed = options.resume && has_record(run);
  team.lead([&] {
    if (options.force) {
      remove_bids(run);
      empty_folder(run);
    }
    remove_unfinished(run);
    log::copy_to(run.log());
    plan.tell(team);
    if (resumed) announce_resume(trainer->position());
    write_record(run, record);  // first: it makes the folder a run's
    write_text(run.config(), to_toml(config));
  });
  std::optional<StopRequests> stop(std::in_place, options.take_signals);
  if (!placed) {
    align(run, config, data);
    restore();
  }
  teach(*trainer, options, run, config, data, plan.identity());
  TrainingState& state = train(*trainer, options, run, data);
  record.results = publish(run, config, data, state, plan.identity(),
                           {.warped = options.warped, .fields = options.fields});
  team.lead([&] {
    finish(run, data, state, std::move(record));
    if (!options.bids.empty()) write_bids(run, options.bids);
  });
  // The others need not wait for the page, and a signal may end it at once: it is made again.
  stop.reset();
  if (team.leads() && options.report) write_last_page(run);
}

void build_checked(BuildOptions options, const Team& team) {
  validate(options.config);
  share_cores(team.local_size());
  // A name without a number is a device for each process.
  if (options.device == "cuda" && !team.is_alone())
    options.device = fmt::format("cuda:{}", team.local_rank());
  at::Device device(at::kCPU);
  team.each([&] { device = parse_device(options.device); });
  const RunDirectory run{options.run};
  team.lead([&] {
    if (!options.dry_run) require_folder(options, run);
  });
  const Plan plan(options, team);
  plan.require_labels();
  if (!options.bids.empty() && plan.cohort.kind != "BIDS")
    fail_usage("{} wants a BIDS tree, '{}' is a {}", option_name("bids"), plan.cohort.source,
               plan.cohort.kind);
  team.each([&] {
    if (device.is_cpu()) plan.require_memory(team);
  });
  if (was_finished(options, run, plan, team)) return tidy_up(options, run, team);
  TrainingData data(load(plan, team), device, team);
  std::optional<Trainer> trainer;
  trainer.emplace(plan.config, data, run, plan.identity());  // here, for what it may refuse
  if (options.dry_run) return try_out(options, plan, data, *trainer, team);
  write_run(options, run, plan, data, trainer);
}

// Turns every failure into one sentence.
void build_with(const BuildOptions& options, const Team& team) {
  try {
    build_checked(options, team);
  } catch (const Interrupted& stop) {
    throw Interrupted(stop.signal(),
                      fmt::format("{}; resume with: {}", stop.what(), options.resume_command));
  } catch (Error& error) {
    if (error.is_of_output())
      error.hint(fmt::format("once fixed, resume with: {}", options.resume_command));
    throw;
  } catch (const std::bad_alloc&) {
    throw Error("not enough memory for this training")
        .hint(fmt::format("make it smaller with {} 2, a smaller train.batch or network.width = 8",
                          option_name("downsample")));
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    fail("Torch failed: {}", text.substr(0, text.find('\n')));
  }
}

}  // namespace

void build(const BuildOptions& options) {
  const Team team(options.join_team ? find_launch() : Launch{});
  // Only one process reports.
  if (!team.leads() && log::level() == log::Level::normal) log::set_level(log::Level::quiet);
  try {
    build_with(options, team);
  } catch (const Interrupted&) {  // everywhere
    throw;
  } catch (const std::exception& error) {
    team.leave(error.what());
    throw;
  }
}

}  // namespace aladdin
