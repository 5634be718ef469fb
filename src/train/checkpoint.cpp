#include "aladdin/train/checkpoint.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/option_name.h"
#include "aladdin/core/parse_json.h"
#include "aladdin/method/tensor_file.h"

namespace aladdin {
namespace {

using Json = nlohmann::ordered_json;
constexpr int kVersion = 2;
constexpr std::size_t kKept = 2;

std::vector<Path> newest_first(const RunDirectory& run) {
  std::vector<Path> out;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(run.checkpoints(), ignored))
    if (entry.path().filename().string().starts_with("step-") &&
        entry.path().extension() == ".safetensors")
      out.push_back(entry.path());
  std::sort(out.rbegin(), out.rend());
  return out;
}

// The tensors of the state that are not the learner's. The settings say which of them are defined.
template <class State, class Visit>
void visit_tensors(State& state, Visit&& visit) {
  visit("atlas", state.atlas);
  visit("first_atlas", state.first_atlas);
  visit("atlas_gradient", state.atlas_gradient);
  visit("atlas_first", state.atlas_first);
  visit("atlas_second", state.atlas_second);
}

Json to_json(const TrainingState& s) {
  const Position& p = s.position;
  const EpochSums& e = s.sums;
  return {{"stage", p.stage},
          {"epoch", p.epoch},
          {"step", p.step},
          {"epochs", p.epochs},
          {"steps", p.steps},
          {"seconds", p.seconds},
          {"atlas_is_final", p.atlas_is_final},
          {"finished", p.finished},
          {"sums", {e.energy, e.sim, e.reg, e.atlas_pairs, e.image_pairs, e.dice, e.norm}},
          {"sum_steps", e.steps},
          {"best_score", s.best_score ? Json(*s.best_score) : Json()},
          {"since_best", s.since_best}};
}

void from_json(const nlohmann::json& json, TrainingState& s) {
  const auto count = [&](const char* key, std::int64_t most) {
    return take_count(json.at(key), key, most);
  };
  Position& p = s.position;
  p.stage = static_cast<std::size_t>(count("stage", kMostEpochs));
  p.epoch = static_cast<int>(count("epoch", kMostEpochs));
  p.step = count("step", kMostSteps);
  p.epochs = count("epochs", kMostEpochs);
  p.steps = count("steps", kMostSteps);
  p.seconds = json.at("seconds");
  p.atlas_is_final = json.at("atlas_is_final");
  p.finished = json.at("finished");
  const auto sums = json.at("sums").get<std::array<double, 7>>();
  s.sums = {sums[0], sums[1], sums[2], sums[3],
            sums[4], sums[5], sums[6], count("sum_steps", kMostSteps)};
  s.best_score.reset();
  if (!json.at("best_score").is_null()) s.best_score = json.at("best_score").get<double>();
  s.since_best = static_cast<int>(count("since_best", kMostEpochs));
}

// Text as a file gives it back: JSON is UTF-8, and the names of files need not be.
std::string as_stored(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

// In place, and all of it: where this fails halfway, the checkpoint before leaves nothing of that.
void restore(const Safetensors& file, TrainingState& state) {
  const at::NoGradGuard no_grad;
  visit_tensors(state, [&](const std::string& name, at::Tensor& tensor) {
    if (tensor.defined()) tensor = take_tensor(file, name, tensor);
  });
  state.learner->restore(file);
  from_json(parse_json<nlohmann::json>(file.text("state")), state);
  state.metrics = file.text("metrics");
}

}  // namespace

void write_checkpoint(const RunDirectory& run, const TrainingState& state,
                      const std::string& identity) {
  Safetensors file;
  file.metadata["format"] = "aladdin checkpoint";
  file.metadata["version"] = std::to_string(kVersion);
  file.metadata["identity"] = identity;
  file.metadata["state"] = to_json(state).dump();
  file.metadata["metrics"] = state.metrics;
  visit_tensors(state, [&](const std::string& name, const at::Tensor& tensor) {
    add_tensor(file, name, tensor);
  });
  state.learner->save(file);
  const Path written =
      run.checkpoints() / fmt::format("step-{:012}.safetensors", state.position.steps);
  file.write(written);
  std::size_t kept = 0;
  std::error_code ignored;
  for (const Path& path : newest_first(run)) {
    // One of a later step could not be read: it must not count as one of the good ones.
    if (path > written || kept == kKept) {
      std::filesystem::remove(path, ignored);
    } else {
      ++kept;
    }
  }
}

bool has_checkpoint(const RunDirectory& run) { return !newest_first(run).empty(); }

bool read_checkpoint(const RunDirectory& run, TrainingState& state, const std::string& identity) {
  const auto all = newest_first(run);
  std::string damage;
  for (const Path& path : all) {
    try {
      const Safetensors file(path);
      if (file.text("format") != "aladdin checkpoint" ||
          file.text("version") != std::to_string(kVersion))
        throw Error(fmt::format("'{}' is a checkpoint of another version", path.string()))
            .hint(fmt::format("use the aladdin that made it, or start over with {}",
                              option_name("force")));
      if (file.text("identity") != as_stored(identity))
        throw Error(fmt::format("'{}' belongs to a training with other settings or another cohort",
                                path.string()),
                    ExitCode::usage)
            .hint(fmt::format(
                "repeat the first command, choose another folder, or start over with {}",
                option_name("force")));
      restore(file, state);
      return true;
    } catch (const Error& error) {
      if (error.exit_code() == ExitCode::usage) throw;
      damage = error.what();
    } catch (const std::exception&) {  // JSON's and Torch's
      damage = fmt::format("'{}' is damaged", path.string());
    }
    if (path != all.back()) log::warn("{}; trying the one before it", damage);
  }
  if (all.empty()) return false;
  throw Error(
      fmt::format("no checkpoint in '{}' can be read: {}", run.checkpoints().string(), damage))
      .hint(fmt::format("start over with {}", option_name("force")));
}

}  // namespace aladdin
