#include "aladdin/train/build.h"

#include <ATen/Parallel.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "aladdin/config/validate.h"
#include "aladdin/config/write.h"
#include "aladdin/core/checksum.h"
#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/memory.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/progress.h"
#include "aladdin/core/share_cores.h"
#include "aladdin/core/status.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/method/affine_alignment.h"
#include "aladdin/run/run_files.h"
#include "aladdin/run/run_lock.h"
#include "aladdin/team/team.h"
#include "aladdin/train/memory.h"
#include "aladdin/train/metrics.h"
#include "aladdin/train/publish.h"
#include "aladdin/train/showcase.h"
#include "aladdin/transform/transform_file.h"

namespace aladdin {
namespace {

at::Device parse_device(const std::string& name) {
  try {
    const at::Device device(name);
    if (device.is_cpu()) return device;
    at::zeros({1}, at::TensorOptions(device));  // is it there?
    return device;
  } catch (const c10::Error&) {
    throw Error(fmt::format("there is no device '{}' here", name), ExitCode::usage)
        .hint("use --device cpu, or cuda with a Torch that was built for it");
  }
}

// What `auto` means for this cohort.
void choose_engine(Config& config, const Cohort& cohort) {
  if (config.train.engine != "auto") return;
  const auto training = std::count_if(cohort.subjects.begin(), cohort.subjects.end(),
                                      [](const Subject& s) { return s.is_for_training(); });
  const bool published = config.network.published || config.loss.published;
  const bool few = static_cast<std::size_t>(training) <= kFewSubjects;
  config.train.engine = few && !published ? "optimise" : "learn";
}

// Whether so many processes have something to do.
void require_shares(const Config& config, const Team& team) {
  if (team.is_alone()) return;
  if (!config.train.learns())
    throw Error(fmt::format("the engine '{}' runs in one process, but {} were started",
                            config.train.engine, team.size()),
                ExitCode::usage)
        .hint("train a network with --engine learn, or start one process");
  if (config.train.affine)
    throw Error(fmt::format("affine alignment (train.affine) runs in one process, but {} were "
                            "started",
                            team.size()),
                ExitCode::usage)
        .hint("leave it away, or start one process");
  if (config.train.batch < team.size())
    throw Error(fmt::format("{} processes share a batch of {}, expected at least one subject each",
                            team.size(), config.train.batch),
                ExitCode::usage)
        .hint("give a larger --batch, or start fewer processes");
}

// Everything up to the first step.
struct Plan {
  Plan(BuildOptions& options, const Team& team) {
    team.each([&] {
      cohort = read_cohort(options.source, options.cohort);
      choose_engine(options.config, cohort);
      require_shares(options.config, team);
      options.grid.validate(cohort.dims);
    });
    scan(team);
    working = choose_working_grid(cohort, scans, options.grid);
    bytes = predict_memory(options.config, working.padded, cohort.subjects.size(),
                           dataset_bytes(cohort, scans, working), team.size());
  }

  // Each process looks at the images that it will load.
  void scan(const Team& team) {
    for (const int owner : deal_subjects(cohort, team.size())) own.push_back(owner == team.rank());
    team.each([&] { scans = scan_cohort(cohort, {}, own); });
    if (team.is_alone()) return;
    std::string seen;
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i]) seen += fmt::format("{} {}\n", i, to_json(scans[i]));
    for (const std::string& text : team.gather(seen))
      for (const std::string& line : split(text, '\n'))
        if (const auto space = line.find(' '); space != std::string::npos)
          scans.at(std::stoul(line)) = parse_scan(line.substr(space + 1));
  }

  // Which training this is: the same identity may go on from a checkpoint.
  std::string identity(const BuildOptions& options) const {
    std::string text = fmt::format("settings {}\n", hash_of(options.config));
    for (std::size_t i = 0; i < cohort.subjects.size(); ++i) {
      const Subject& s = cohort.subjects[i];
      text += fmt::format("{} {} {} {} {} {} {} {}\n", s.id, s.split, s.image.string(),
                          s.label.value_or("-").string(), s.mask.value_or("-").string(),
                          fmt::join(working.shift[i], " "), scans[i].intensity.low,
                          scans[i].intensity.high);
    }
    text += describe(working.padded);
    return text;
  }

  Cohort cohort;
  std::vector<bool> own;  // subjects that this process loads
  std::vector<SubjectScan> scans;
  WorkingGrid working;
  std::uint64_t bytes = 0;
};

void require_labels(const BuildOptions& options, const Plan& plan) {
  std::int64_t labelled = 0;
  for (const Subject& s : plan.cohort.subjects)
    labelled += s.label.has_value() && s.is_for_training();
  if (labelled > evaluate::BridgeVotes::kMostSubjects)
    throw Error(
        fmt::format(
            "'{}' has {} labelled training subjects, the atlas's labels are a vote of at most {}",
            plan.cohort.source, labelled, evaluate::BridgeVotes::kMostSubjects),
        ExitCode::usage)
        .hint("leave the labels of some out of the table");
  if (options.config.loss.supervise == 0 || labelled >= 2) return;
  throw Error(fmt::format("loss.supervise is {:g}, but {} of the training subjects of '{}' has "
                          "labels, expected at least 2",
                          options.config.loss.supervise, labelled == 1 ? "only one" : "none",
                          plan.cohort.source),
              ExitCode::usage)
      .hint("give them with --labels, or leave --supervise away");
}

void require_memory(const Plan& plan, at::Device device, const Team& team) {
  if (!device.is_cpu()) return;
  const std::uint64_t available = available_memory(), bytes = plan.bytes * team.local_size();
  if (bytes <= available) return;
  throw Error(fmt::format("this training would need about {:.1f} GB of memory, and {:.1f} GB are "
                          "free",
                          double(bytes) / 1e9, double(available) / 1e9))
      .hint(
          "make it smaller with --downsample 2, --spacing, --batch, --velocity-scale 2 or "
          "--set network.width=8");
}

std::string engine_text(const TrainConfig& train) {
  if (train.optimises()) return "optimise: no network, the velocities of the subjects";
  if (train.learns()) return "learn: a network";
  return train.engine;
}

// Atlas points to native points, as other programs want it: the shift of the working space is in it.
Path affine_path(const RunDirectory& run, const Subject& subject) {
  return run.affines() / (subject.id + "_from-native_to-atlas_mode-image_affine.tfm");
}

// Takes the affine maps of all subjects from the files of the run; false: they are not all there.
bool place_as_before(const RunDirectory& run, TrainingData& data) {
  const auto& subjects = data.dataset().cohort().subjects;
  for (const Subject& subject : subjects)
    if (!std::filesystem::exists(affine_path(run, subject))) return false;
  std::vector<Affine> maps;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    maps.push_back(read_affine(affine_path(run, subjects[i])));
    maps.back().offset = maps.back().offset - data.dataset().working().shift[i];
  }
  data.place(std::move(maps));
  return true;
}

// What goes on is what the files say, so that a run that is resumed has the same to the last bit.
void align(const RunDirectory& run, const Config& config, TrainingData& data) {
  const AffineAlignment found = align_affinely(data, config.loss.similarity);
  const auto& subjects = data.dataset().cohort().subjects;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    Affine native = found.to_subject[i];
    native.offset = native.offset + data.dataset().working().shift[i];
    write_affine(affine_path(run, subjects[i]), native);
  }
  place_as_before(run, data);
}

void describe_plan(const BuildOptions& options, const Plan& plan, const Team& team) {
  const Cohort& cohort = plan.cohort;
  for (const auto& note : cohort.notes) log::warn("{}", note);
  for (const auto& note : plan.working.notes) log::warn("{}", note);
  std::size_t training = 0, validation = 0, labelled = 0;
  for (const Subject& s : cohort.subjects) {
    training += s.is_for_training();
    validation += s.split == "val";
    labelled += s.label.has_value();
  }
  log::info("cohort        {}: {} for training, {} for validation, {} with labels",
            counted(static_cast<long long>(cohort.subjects.size()), "subject"), training,
            validation, labelled);
  log::info("working grid  {} (padded to {})", describe(plan.working.visible),
            format_size(plan.working.padded));
  const TrainConfig& t = options.config.train;
  std::string stages;
  for (std::size_t s = 0; s < t.pyramid.size(); ++s)
    stages += fmt::format(
        "{}{}", s ? ", " : "",
        t.minutes > 0 ? fmt::format("1/{}", t.pyramid[s])
                      : fmt::format("{} at 1/{}", counted(t.epochs[s], "epoch"), t.pyramid[s]));
  log::info("engine        {}{}", engine_text(t), t.affine ? ", after affine alignment" : "");
  log::info("schedule      {}{}; batch {}",
            t.minutes > 0 ? fmt::format("{:g} min over ", t.minutes) : "", stages, t.batch);
  log::info("memory        about {:.1f} GB at its peak, {:.1f} GB free", double(plan.bytes) / 1e9,
            double(available_memory()) / 1e9);
  if (!team.is_alone())
    log::info("processes     {} share every batch, {} on this machine; memory is that of each",
              team.size(), team.local_size());
}

// Whether the run may go there, before any work; writes nothing.
void require_folder(const BuildOptions& options, const RunDirectory& run) {
  std::error_code ignored;
  Path there = std::filesystem::absolute(run.folder).lexically_normal();
  while (!std::filesystem::exists(there, ignored) && there.has_relative_path())
    there = there.parent_path();
  if (!std::filesystem::is_directory(there, ignored))
    fail("the folder '{}' cannot be made: '{}' is a file", run.folder.string(), there.string());
  if (::access(there.c_str(), W_OK) != 0)
    fail("'{}' cannot be written to: {}", there.string(), std::strerror(errno));
  refuse_links(run);
  const bool used = std::filesystem::exists(run.folder, ignored) &&
                    !std::filesystem::is_empty(run.folder, ignored);
  if (!used) return;
  if (!has_record(run)) {
    if (is_barely_begun(run)) return;
    throw Error(fmt::format("'{}' is not empty and is not a run directory", run.folder.string()))
        .hint("choose another folder with -o");
  }
  if (!options.resume && !options.force)
    throw Error(fmt::format("'{}' already holds a run", run.folder.string()))
        .hint("--resume goes on with it, --force starts anew");
  read_record(run);  // refuses another version
}

// Nothing is left to do; throws if it is another training that was done here.
bool is_finished(const RunDirectory& run, const std::string& identity) {
  if (!has_record(run)) return false;
  const RunRecord record = read_record(run);
  if (record.value("identity", "") != hex_checksum(identity))
    throw Error(fmt::format("'{}' belongs to a training with other settings or another cohort",
                            run.folder.string()),
                ExitCode::usage)
        .hint("give the same command as before, choose another folder, or start anew with --force");
  return record.value("state", "") == "done";
}

// Not the folder: it may be a mount point. Nothing but what a run writes.
void empty_folder(const RunDirectory& run) {
  for (const auto& name : names_in_run()) {
    const Path path = run.folder / name;
    std::error_code failed;
    std::filesystem::remove_all(path, failed);
    if (failed) fail("'{}' cannot be removed: {}", path.string(), failed.message());
  }
}

RunRecord first_record(const BuildOptions& options, const Plan& plan, int processes) {
  RunRecord record;
  record["state"] = "training";
  record["identity"] = hex_checksum(plan.identity(options));
  record["command"] = options.command;
  record["preset"] = options.preset;
  record["settings"] = hash_of(options.config);
  record["seed"] = options.config.train.seed;
  record["device"] = options.device;
  record["threads"] = threads();
  if (processes > 1) record["processes"] = processes;
  record["versions"] = options.versions;
  record["cohort"] = {
      {"source", plan.cohort.source}, {"kind", plan.cohort.kind}, {"dims", plan.cohort.dims}};
  for (const auto& [label, name] : plan.cohort.label_names)
    record["cohort"]["label_names"][std::to_string(label)] = name;
  record["cohort"]["notes"] = plan.cohort.notes;
  for (const auto& note : plan.working.notes) record["cohort"]["notes"].push_back(note);
  record["grid"] = describe(plan.working.visible);
  record["subjects"] = RunRecord::array();
  for (std::size_t i = 0; i < plan.cohort.subjects.size(); ++i) {
    const Subject& s = plan.cohort.subjects[i];
    const auto whole = [](const Path& path) {
      return std::filesystem::absolute(path).lexically_normal().string();
    };
    RunRecord entry{{"id", s.id}, {"split", s.split}, {"image", whole(s.image)}};
    if (s.label) entry["label"] = whole(*s.label);
    const auto first = [&](const auto& all) {
      return std::vector(all.begin(), all.begin() + plan.cohort.dims);
    };
    entry["size"] = first(s.grid.size);
    entry["spacing_mm"] = first(s.grid.spacing);
    entry["shift_mm"] = plan.working.shift[i];
    entry["intensity"] = {plan.scans[i].intensity.low, plan.scans[i].intensity.high};
    record["subjects"].push_back(entry);
  }
  return record;
}

// Of a finished run.
void remove_registrations(const RunDirectory& run) {
  std::error_code ignored;
  std::filesystem::remove_all(run.registrations(), ignored);
}

// What is left once everything is published.
void finish(const BuildOptions& options, const RunDirectory& run, const TrainingData& data,
            const TrainingState& state, RunRecord record, Showcase& showcase) {
  record["state"] = "done";
  if (state.best_score && !data.validation().empty())
    record["results"]["val_score"] = *state.best_score;
  record["results"]["epochs"] = state.position.epochs;
  record["results"]["steps"] = state.position.steps;
  record["timing"] = {{"training_minutes", state.position.seconds / 60},
                      {"peak_memory_gb", double(peak_memory()) / 1e9}};
  write_record(run, record);
  remove_registrations(run);
  log::info("the atlas is in {}, {} folds in {}", run.atlas().string(),
            record["results"]["folds"].get<std::int64_t>(),
            counted(record["results"]["subjects"].get<long long>(), "subject"));
  if (options.report) showcase.finish();
}

// Memory is shared by those on this machine.
DatasetOptions dataset_options(const Plan& plan, const Team& team) {
  DatasetOptions options;
  if (team.is_alone()) return options;
  options.wanted = plan.own;
  options.memory_budget = available_memory() / 2 / static_cast<std::uint64_t>(team.local_size());
  return options;
}

void build_checked(BuildOptions options, const Team& team) {
  validate(options.config);
  share_cores(team.local_size());
  at::set_num_threads(threads());
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
  require_labels(options, plan);
  team.each([&] { require_memory(plan, device, team); });
  const std::string identity = plan.identity(options);
  bool finished = false;
  team.each([&] { finished = options.resume && !options.dry_run && is_finished(run, identity); });
  if (finished) {
    log::info("'{}' is finished already", run.folder.string());
    team.lead([&] {
      if (!is_folder(run.registrations())) return;
      const RunLock lock(run);  // it was killed just there
      remove_registrations(run);
    });
    return;
  }
  std::optional<Dataset> dataset;
  team.each(
      [&] { dataset.emplace(plan.cohort, plan.scans, plan.working, dataset_options(plan, team)); });
  TrainingData data(std::move(*dataset), device, team);
  std::optional<Trainer> trainer;
  trainer.emplace(options.config, data, run, identity);  // here, for what it may refuse
  if (options.dry_run) {
    describe_plan(options, plan, team);
    for (const int coarsening : options.config.train.pyramid) {
      const double seconds = trainer->time_step(coarsening);
      log::info("a step        {:.3f} s at 1/{}", seconds, coarsening);
    }
    log::info("memory        {:.1f} GB at the peak of the trial steps",
              double(peak_memory()) / 1e9);
    return;
  }
  // From here on there is something to lose: nothing is written before all the above is sound.
  std::optional<RunLock> lock;
  team.lead([&] {
    lock.emplace(run);
    require_folder(options, run);
  });
  const auto take_up = [&] {
    if (options.config.train.affine) trainer.emplace(options.config, data, run, identity);
    team.each([&] {
      if (options.resume) trainer->resume();
    });
    trainer->require_agreement();
  };
  const bool placed =
      !options.config.train.affine || (options.resume && place_as_before(run, data));
  if (placed) take_up();
  RunRecord record = first_record(options, plan, team.size());
  team.lead([&] {
    if (options.force) empty_folder(run);
    remove_unfinished(run);
    log::copy_to(run.log());
    describe_plan(options, plan, team);
    write_record(run, record);  // first: it makes the folder a run's
    write_text(run.config(), to_toml(options.config));
  });
  const StopRequests stop(options.take_signals);
  if (!placed) {
    align(run, options.config, data);
    take_up();
  }
  Narrator narrate(run);
  Showcase showcase(run, data.dataset());
  if (team.leads()) {
    trainer->tell = [&](const TrainingNews& news) {
      narrate(news);
      if (options.report) showcase(news);
    };
    trainer->tell_step = [&](const TrainingNews& news) { narrate.step(news); };
  }
  TrainingState& state = trainer->run();
  log::set_status("");
  if (team.leads()) write_metrics(run, state);
  record.update(publish(run, options.config, data, state, identity, {.warped = options.warped}));
  team.lead([&] { finish(options, run, data, state, std::move(record), showcase); });
}

// The same with every failure as one sentence.
void build_with(const BuildOptions& options, const Team& team) {
  try {
    build_checked(options, team);
  } catch (const Interrupted& stop) {
    throw Interrupted(stop.signal(),
                      fmt::format("{}; go on with: {}", stop.what(), options.resume_command));
  } catch (const std::bad_alloc&) {
    throw Error("not enough memory for this training")
        .hint("make it smaller with --downsample 2, --batch or --set network.width=8");
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    fail("Torch failed: {}", text.substr(0, text.find('\n')));
  }
}

}  // namespace

void build(const BuildOptions& options) {
  const Team team(options.join_team ? find_launch() : Launch{});
  // There is one story to tell.
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
