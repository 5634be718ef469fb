#include "image_jobs.h"

#include <fmt/format.h>

#include <mutex>
#include <optional>
#include <set>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/log.h"
#include "aladdin/core/notes.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/shard.h"
#include "aladdin/core/slicer_progress.h"
#include "aladdin/image/cohort.h"
#include "aladdin/image/io.h"

namespace aladdin::app {

void add_image_arguments(CLI::App& app, ImageArguments& arguments, const std::string& run_meaning,
                         const std::string& verb) {
  app.add_option("RUN", arguments.run, run_meaning)->type_name("DIR|FILE")->required();
  app.add_option("IMAGE", arguments.images,
                 fmt::format("Images to {}: files, DICOM folders, or cohorts as 'aladdin build' "
                             "takes them (CSV, folder, quoted pattern, BIDS tree)",
                             verb))
      ->type_name("FILE|DIR")
      ->required();
  app.add_option("-o,--output", arguments.output, "Folder for the results")
      ->type_name("DIR")
      ->required();
  app.add_option("--shard", arguments.shard,
                 fmt::format("{} one share of the images, such as 2/8 (array jobs)",
                             verb == "register" ? "Register" : "Label"))
      ->type_name("I/N");
  app.add_option("--masks", arguments.masks,
                 "Masks, where a cohort names none: a folder, or a pattern with * for the name")
      ->type_name("DIR|PATTERN");
  app.add_option("--suffix", arguments.suffix, "BIDS: suffix of the images")
      ->type_name("NAME")
      ->capture_default_str();
}

void add_refine(CLI::App& app, std::optional<int>& iterations) {
  app.add_option("--refine", iterations,
                 "Improve the network's result by at most N iterations of optimisation; 0: none "
                 "[train.refine of the run]")
      ->type_name("N")
      ->check(CLI::Range(0, 100000));
}

namespace {

Subject name_file(const std::string& image) {
  Path path = image;
  if (!path.has_filename()) path = path.parent_path();  // a folder with a slash at its end
  if (path.filename() == "." || path.filename() == "..")
    path = std::filesystem::weakly_canonical(path);
  Subject subject;
  subject.id = stem_of(path);
  subject.image = image;
  return subject;
}

std::vector<NamedImage> list_images(const ImageArguments& arguments) {
  Cohort all;
  for (const std::string& argument : arguments.images) {
    if (!is_cohort(argument)) {
      all.subjects.push_back(name_file(argument));
      continue;
    }
    const Cohort cohort = list_cohort(argument, {.suffix = arguments.suffix});
    for (const auto& note : cohort.notes) log::warn("{}", note);
    all.subjects.insert(all.subjects.end(), cohort.subjects.begin(), cohort.subjects.end());
  }
  if (!arguments.masks.empty()) {
    attach_masks(arguments.masks, all);
    for (const auto& note : all.notes) log::warn("{}", note);
  }
  std::vector<NamedImage> out;
  for (const Subject& subject : all.subjects)
    out.push_back({subject.image.string(), subject.id, subject.mask});
  return out;
}

void warn_of_assumptions(const std::vector<NamedImage>& images) {
  std::vector<Note> notes;
  for (const NamedImage& image : images) {
    try {
      notes.push_back({fmt::format("'{}'", image.image), read_header(image.image).note});
    } catch (const Error&) {
      // It is told when its turn comes.
    }
  }
  for (const auto& line : merged(notes, "image")) log::warn("{}", line);
}

}  // namespace

std::vector<NamedImage> name_images(const ImageArguments& arguments) {
  const Shard shard = arguments.shard.empty() ? Shard{} : parse_shard(arguments.shard);
  std::vector<NamedImage> out;
  std::set<std::string> names;
  const auto images = list_images(arguments);
  for (std::size_t i = 0; i < images.size(); ++i) {
    const auto& [image, name, mask] = images[i];
    if (const std::string reason = check_id(name); !reason.empty())
      fail_usage("the results of '{}' cannot be named after it: {}", image, reason);
    if (!names.insert(name).second)
      throw Error(
          fmt::format("two images are called '{}', so their results would overwrite each other",
                      name),
          ExitCode::usage)
          .hint("run the command for each of them, with a different -o");
    if (shard.has(i)) out.push_back(images[i]);
  }
  if (out.empty()) log::info("share {} has no images", shard.text());
  warn_of_assumptions(out);
  return out;
}

std::optional<Labels> read_mask(const NamedImage& image) {
  if (!image.mask) return std::nullopt;
  return read_labels(*image.mask);
}

namespace {

// The outcome of each image, reported in their order.
class Outcomes {
 public:
  Outcomes(const std::vector<NamedImage>& images, const std::string& what,
           const std::function<void(std::size_t)>& tell)
      : images_(images), what_(what), tell_(tell), states_(images.size()) {
    tell_slicer(what_, 0);
  }

  // No error: the image is done.
  void add(std::size_t i, std::optional<Error> error) {
    const std::scoped_lock lock(mutex_);
    states_[i] = {true, std::move(error)};
    for (; next_ < states_.size() && states_[next_].ended; ++next_) {
      if (!states_[next_].error) {
        tell_(next_);
        continue;
      }
      log::warn("{}", states_[next_].error->what());
      failed_.push_back(images_[next_].image);
    }
    tell_slicer(what_, static_cast<double>(next_) / static_cast<double>(states_.size()));
  }
  const std::vector<std::string>& failed() const { return failed_; }

 private:
  struct State {
    bool ended = false;
    std::optional<Error> error;
  };
  const std::vector<NamedImage>& images_;
  const std::string& what_;
  const std::function<void(std::size_t)>& tell_;
  std::mutex mutex_;
  std::vector<State> states_;
  std::size_t next_ = 0;
  std::vector<std::string> failed_;
};

}  // namespace

void work_through(const std::vector<NamedImage>& images, const std::string& participle,
                  bool side_by_side, const std::function<void(std::size_t)>& work,
                  const std::function<void(std::size_t)>& tell,
                  const std::function<void()>& finish) {
  Outcomes outcomes(images, participle, tell);
  const auto each = [&](std::int64_t i) {
    try {
      work(static_cast<std::size_t>(i));
      outcomes.add(static_cast<std::size_t>(i), std::nullopt);
    } catch (const Error& error) {
      if (images.size() == 1 || error.is_of_output()) throw;
      outcomes.add(static_cast<std::size_t>(i), error);
    }
  };
  const auto count = static_cast<std::int64_t>(images.size());
  if (side_by_side && count > 1) {
    parallel_for(count, each);
  } else {
    for (std::int64_t i = 0; i < count; ++i) each(i);
  }
  const auto& failed = outcomes.failed();
  if (failed.size() < images.size() || images.empty()) finish();
  if (!failed.empty())
    fail("{} of {} images could not be {}: {}", failed.size(), images.size(), participle,
         fmt::join(failed, ", "));
}

}  // namespace aladdin::app
