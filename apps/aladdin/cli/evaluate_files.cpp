#include "evaluate_files.h"

#include <algorithm>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/text.h"
#include "aladdin/image/cohort.h"
#include "command.h"
#include "file_pattern.h"
#include "transform_argument.h"

namespace aladdin::app {
namespace {

std::string file_of(std::string argument) {
  constexpr std::string_view kSuffix = ",inverse";
  if (argument.ends_with(kSuffix)) argument.resize(argument.size() - kSuffix.size());
  return argument;
}

class Looked {
 public:
  void need(const std::string& id, const std::string& file) {
    std::error_code ignored;
    if (file == "identity" || std::filesystem::exists(file, ignored)) return;
    ++missing_;
    if (missing_ <= 5)
      text_ += fmt::format("{}'{}' of subject '{}'", missing_ > 1 ? ", " : "", file, id);
  }
  void report() const {
    if (missing_ > 0)
      fail("{} {} not there: {}{}", counted(missing_, "file"), missing_ == 1 ? "is" : "are", text_,
           missing_ > 5 ? ", …" : "");
  }

 private:
  int missing_ = 0;
  std::string text_;
};

std::function<Chain()> reader(const std::vector<std::string>& patterns, const std::string& id,
                              Looked& looked) {
  if (patterns.empty()) return {};
  std::vector<std::string> arguments;
  for (const auto& pattern : patterns) {
    arguments.push_back(with_id(pattern, id));
    looked.need(id, file_of(arguments.back()));
  }
  return [arguments] { return read_chain(arguments); };
}

// The flag that says who the subjects are, and its pattern.
std::pair<std::string, std::string> naming_flag(const FileFlags& flags) {
  if (!flags.cohort.empty()) return {"--cohort", flags.cohort};
  if (!flags.labels.empty()) return {"--labels", flags.labels};
  if (!flags.images.empty()) return {"--images", flags.images};
  for (const auto& pattern : flags.to_atlas)
    if (pattern.find("{id}") != std::string::npos) return {"--to-atlas", file_of(pattern)};
  for (const auto& pattern : flags.to_native)
    if (pattern.find("{id}") != std::string::npos) return {"--to-native", file_of(pattern)};
  if (!flags.to_atlas.empty()) return {"--to-atlas", flags.to_atlas.front()};
  return {"--to-native", flags.to_native.front()};
}

void find_subjects(const FileFlags& flags, evaluate::Source& source) {
  auto& subjects = source.subjects;
  if (!flags.cohort.empty()) {
    const Cohort cohort = read_cohort(flags.cohort);
    source.covariates = cohort.covariates;
    for (const auto& [label, name] : cohort.label_names) source.label_names[label] = name;
    for (const auto& member : cohort.subjects) {
      evaluate::SourceSubject subject;
      subject.id = member.id;
      subject.split = member.split;
      subject.image = member.image;
      if (member.label) subject.label = *member.label;
      if (!flags.labels.empty()) subject.label = with_id(flags.labels, member.id);
      for (std::size_t c = 0; c < cohort.covariates.size(); ++c)
        subject.covariates[cohort.covariates[c]] = member.covariates[c];
      subjects.push_back(std::move(subject));
    }
    return;
  }
  const auto [flag, pattern] = naming_flag(flags);
  for (const auto& id : find_ids(flag, pattern)) {
    evaluate::SourceSubject subject;
    subject.id = id;
    if (!flags.labels.empty()) subject.label = with_id(flags.labels, id);
    subjects.push_back(std::move(subject));
  }
}

}  // namespace

void add_file_flags(CLI::App& app, FileFlags& flags) {
  app.add_option("--labels", flags.labels, "Label maps, with {id} for the subject")
      ->type_name("PATTERN");
  app.add_option("--cohort", flags.cohort,
                 "A cohort with labels, images and splits, as for 'aladdin cohort'")
      ->type_name("SOURCE");
  app.add_option("--images", flags.images,
                 "Images, to measure their similarity to --atlas, or instead of labels")
      ->type_name("PATTERN");
  const auto transforms = [&](const char* name, std::vector<std::string>& to, const char* text) {
    add_repeatable(app, name, to, "PATTERN[,inverse]", text);
  };
  transforms("--to-atlas", flags.to_atlas,
             "Transforms that pull a subject into atlas space, stacked as in 'aladdin warp'");
  transforms("--to-native", flags.to_native, "Transforms that pull the atlas to a subject");
  app.add_option("--atlas", flags.atlas,
                 "Image of the atlas (default: only the grid of the transforms)")
      ->type_name("FILE");
  app.add_option(
         "--atlas-labels", flags.atlas_labels,
         "Labels of the atlas, or 'vote' (default: those of the run, else the subjects' vote)")
      ->type_name("FILE");
}

evaluate::Source source_of_files(const FileFlags& flags, const std::string& split, Needs needs) {
  const bool transforms_suffice = needs == Needs::transforms;
  if (!transforms_suffice && flags.cohort.empty() && flags.labels.empty() && flags.images.empty())
    fail_usage("--labels PATTERN is missing: which label maps? (without labels: --images PATTERN)");
  if (flags.to_atlas.empty() && flags.to_native.empty())
    throw Error("--to-atlas and --to-native are missing: which transforms?", ExitCode::usage)
        .hint("'--to-atlas identity' measures the subjects as they are");
  evaluate::Source source;
  source.name = !flags.labels.empty() ? flags.labels : naming_flag(flags).second;
  source.atlas = flags.atlas;
  if (flags.atlas_labels != "vote") source.segmentation = flags.atlas_labels;
  find_subjects(flags, source);
  evaluate::select_split(
      source, split, transforms_suffice ? evaluate::Unlabelled::keep : evaluate::Unlabelled::drop);
  Looked looked;
  if (!flags.atlas.empty()) looked.need("atlas", flags.atlas);
  if (!source.segmentation.empty()) looked.need("atlas", flags.atlas_labels);
  for (auto& subject : source.subjects) {
    if (!subject.label.empty()) looked.need(subject.id, subject.label.string());
    if (!flags.images.empty()) subject.image = with_id(flags.images, subject.id);
    if (!subject.image.empty()) looked.need(subject.id, subject.image.string());
    subject.native_to_atlas = reader(flags.to_atlas, subject.id, looked);
    subject.atlas_to_native = reader(flags.to_native, subject.id, looked);
  }
  looked.report();
  const bool one_way = flags.to_atlas.empty() || flags.to_native.empty();
  if (one_way && !transforms_suffice)
    log::info("only --{} is given: the other direction is its numerical inverse, point by point",
              flags.to_native.empty() ? "to-atlas" : "to-native");
  return source;
}

}  // namespace aladdin::app
