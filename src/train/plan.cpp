#include "aladdin/train/plan.h"

#include <algorithm>

#include "aladdin/config/length.h"
#include "aladdin/config/write.h"
#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/memory.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/bridge.h"
#include "aladdin/method/training_data.h"
#include "aladdin/train/memory.h"

namespace aladdin {
namespace {

std::size_t training_subjects(const Cohort& cohort) {
  return static_cast<std::size_t>(
      std::ranges::count_if(cohort.subjects, &Subject::is_for_training));
}

// Throws unless every process has a share of the work.
void require_shares(const Config& config, const Team& team) {
  if (team.is_alone()) return;
  if (!config.train.learns())
    throw Error(fmt::format("the engine '{}' runs in one process, but {} were started",
                            name_of(config.train.engine), team.size()),
                ExitCode::usage)
        .hint("set train.engine = learn, or start one process");
  if (config.train.affine)
    throw Error(fmt::format("affine alignment (train.affine) runs in one process, but {} were "
                            "started",
                            team.size()),
                ExitCode::usage)
        .hint("omit it, or start one process");
  if (config.train.batch < team.size())
    throw Error(fmt::format("{} processes share a batch of {}, expected at least one subject each",
                            team.size(), config.train.batch),
                ExitCode::usage)
        .hint("use a larger train.batch, or start fewer processes");
}

std::string engine_text(const TrainConfig& train) {
  const EngineRow& engine = row_of(train.engine);
  return fmt::format("{}: {}", engine.name, engine.meaning);
}

}  // namespace

Plan::Plan(const BuildOptions& options, const Team& team)
    : config(options.config),
      once_(available_memory() / 8 / static_cast<std::uint64_t>(team.local_size())) {
  team.each([&] {
    cohort = read_cohort(options.source, options.cohort);
    choose_engine(config, training_subjects(cohort));
    if (config.train.engine != options.config.train.engine) chosen.push_back("train.engine");
    if (config.train.learns() && config.train.teach != options.config.train.teach)
      chosen.push_back("train.teach");
    require_shares(config, team);
    options.grid.validate(cohort.dims);
  });
  WorkingGridOptions grid = options.grid;
  const std::string& init = config.atlas.init;
  if (init != "mean" && init != "medoid") grid.around = init;
  scan(team);
  working = choose_working_grid(cohort, scans, grid);
  if (config.loss.length == LengthUnit::voxel) {
    chosen.push_back("loss.lambda");
    chosen.push_back("loss.length");
  }
  resolve_length(config.loss, working.visible.spacing, working.visible.dims);
  budget(options, team);
}

void Plan::scan(const Team& team) {
  for (const int owner : deal_subjects(cohort, team.size())) own.push_back(owner == team.rank());
  team.each_watched(
      [&](const Team::GivenUp& given_up) { scans = scan_cohort(cohort, {}, own, given_up); });
  if (team.is_alone()) return;
  std::string seen;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (own[i]) seen += fmt::format("{} {}\n", i, to_json(scans[i]));
  for (const std::string& text : team.gather(seen))
    for (const std::string& line : split(text, '\n'))
      if (const auto space = line.find(' '); space != std::string::npos)
        scans.at(std::stoul(line)) = parse_scan(line.substr(space + 1));
}

// The report measures and shows each subject on its own grid, while the buffers of the training still exist.
std::uint64_t Plan::page_bytes() const {
  constexpr std::uint64_t kBytesPerVoxel = 64;
  std::int64_t largest = 0;
  for (const Subject& s : cohort.subjects) largest = std::max(largest, s.grid.voxels());
  return kBytesPerVoxel * static_cast<std::uint64_t>(largest);
}

void Plan::budget(const BuildOptions& options, const Team& team) {
  loading.wanted = own;
  // Half of the free memory, shared by the processes on this machine.
  const auto local = static_cast<std::uint64_t>(team.local_size());
  loading.memory_budget = std::max<std::uint64_t>(1, available_memory() / 2 / local);
  std::uint64_t owned = 0, masks = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    owned += own[i];
    masks += own[i] && cohort.subjects[i].mask;
  }
  const std::uint64_t records =
      dataset_bytes(cohort, scans, working) / cohort.subjects.size() * owned;
  bytes = predict_memory(config, working.padded, cohort.subjects.size(),
                         is_streamed(records, loading) ? 0 : records, team.size()) +
          masks * static_cast<std::uint64_t>(working.padded.voxels()) +
          (options.report && team.leads() ? page_bytes() : 0);
  if ((bytes + once_.bytes()) * local > available_memory())
    once_.forget();
  else
    bytes += once_.bytes();
}

std::string Plan::identity() const {
  std::string text = fmt::format("settings {}\n", hash_of(config));
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

void Plan::require_labels() const {
  std::int64_t labelled = 0;
  for (const Subject& s : cohort.subjects) labelled += s.label.has_value() && s.is_for_training();
  if (labelled > evaluate::BridgeVotes::kMostSubjects)
    throw Error(
        fmt::format(
            "'{}' has {} labelled training subjects, the atlas's labels are a vote of at most {}",
            cohort.source, labelled, evaluate::BridgeVotes::kMostSubjects),
        ExitCode::usage)
        .hint("remove the labels of some subjects from the table");
  if (config.loss.supervise == 0 || labelled >= 2) return;
  throw Error(
      fmt::format("loss.supervise is {:g}, but {} of the training subjects of '{}' has "
                  "labels, expected at least 2",
                  config.loss.supervise, labelled == 1 ? "only one" : "none", cohort.source),
      ExitCode::usage)
      .hint(fmt::format("give labels with {}, or set loss.supervise = 0", option_name("labels")));
}

void Plan::require_memory(const Team& team) const {
  const std::uint64_t available = available_memory(), all = bytes * team.local_size();
  if (all <= available) return;
  throw Error(fmt::format("this training would need about {:.1f} GB of memory, and {:.1f} GB are "
                          "free",
                          double(all) / 1e9, double(available) / 1e9))
      .hint(fmt::format(
          "make it smaller with {} 2, {}, a smaller train.batch, network.velocity_scale = 2 or "
          "network.width = 8",
          option_name("downsample"), option_name("spacing")));
}

void Plan::tell(const Team& team) const {
  for (const auto& note : cohort.notes) log::warn("{}", note);
  for (const auto& note : working.notes) log::warn("{}", note);
  std::size_t training = 0, validation = 0, labelled = 0;
  for (const Subject& s : cohort.subjects) {
    training += s.is_for_training();
    validation += s.split == "val";
    labelled += s.label.has_value();
  }
  log::info("cohort        {}: {} for training, {} for validation, {} with labels",
            counted(static_cast<long long>(cohort.subjects.size()), "subject"), training,
            validation, labelled);
  log::info("working grid  {} (padded to {})", describe(working.visible),
            format_size(working.padded));
  const TrainConfig& t = config.train;
  std::string stages;
  for (std::size_t s = 0; s < t.pyramid.size(); ++s)
    stages += fmt::format(
        "{}{}", s ? ", " : "",
        t.minutes > 0 ? fmt::format("1/{}", t.pyramid[s])
                      : fmt::format("{} at 1/{}", counted(t.epochs[s], "epoch"), t.pyramid[s]));
  log::info("engine        {}{}", engine_text(t), t.affine ? ", after affine alignment" : "");
  log::info("schedule      {}{}; batch {}",
            t.minutes > 0 ? fmt::format("{:g} min over ", t.minutes) : "", stages, t.batch);
  log::info("memory        about {:.1f} GB at its peak, {:.1f} GB free", double(bytes) / 1e9,
            double(available_memory()) / 1e9);
  if (!team.is_alone())
    log::info("processes     {} share every batch, {} on this machine; memory is per process",
              team.size(), team.local_size());
}

}  // namespace aladdin
