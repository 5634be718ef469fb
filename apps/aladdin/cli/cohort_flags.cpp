#include "cohort_flags.h"

#include <cmath>

#include "aladdin/core/error.h"
#include "aladdin/core/text.h"
#include "command.h"

namespace aladdin::app {
namespace {

// "0.7,0.73,0.73" or "1".
std::vector<double> numbers_of(const std::string& text, const char* flag) {
  std::vector<double> numbers;
  if (text.empty()) return numbers;
  for (const auto& part : split(text, ',')) {
    const auto number = parse_number(trim(part));
    if (!number) fail_usage("{} '{}' is not a list of numbers such as 1,1,1.5", flag, text);
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

WorkingGridOptions CohortFlags::grid_options() const {
  WorkingGridOptions out;
  out.downsample = downsample;
  out.spacing = numbers_of(spacing, "--spacing");
  for (const double number : numbers_of(size, "--size")) {
    if (number != std::floor(number) || std::abs(number) > 1e9)
      fail_usage("--size '{}' is not a list of whole numbers such as 80,192,192", size);
    out.size.push_back(static_cast<std::int64_t>(number));
  }
  if (!like.empty()) out.like = like;
  out.centre = !keep_positions;
  return out;
}

std::vector<std::string> grid_and_cohort_words(const CohortFlags& flags) {
  std::vector<std::string> words{"--suffix",     flags.cohort.suffix,
                                 "--channel",    std::to_string(flags.cohort.channel),
                                 "--downsample", fmt::format("{}", flags.downsample)};
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  add("--labels", flags.cohort.labels);
  add("--masks", flags.cohort.masks);
  add("--spacing", flags.spacing);
  add("--size", flags.size);
  add("--like", flags.like);
  if (flags.keep_positions) words.push_back("--keep-positions");
  for (const auto& id : flags.cohort.exclude) add("--exclude", id);
  return words;
}

void add_cohort_flags(CLI::App& app, CohortFlags& flags) {
  app.add_option(
         "SOURCE", flags.source,
         "A CSV (id,image[,label,mask,split,...]), a folder, a quoted pattern, a Decathlon or "
         "nnU-Net folder, or a BIDS tree")
      ->type_name("FILE|DIR|PATTERN")
      ->required();
  app.add_option("--labels", flags.cohort.labels,
                 "Label maps: a folder, or a pattern with * for the id")
      ->type_name("DIR|PATTERN");
  app.add_option("--masks", flags.cohort.masks, "Masks, given in the same way")
      ->type_name("DIR|PATTERN");
  add_repeatable(app, "--exclude", flags.cohort.exclude, "ID", "Omit this subject; repeatable");
  app.add_option("--suffix", flags.cohort.suffix, "BIDS: suffix of the images")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--channel", flags.cohort.channel, "nnU-Net: channel to read")
      ->type_name("N")
      ->check(CLI::Range(0, 9999))
      ->capture_default_str();
  app.add_option("--spacing", flags.spacing,
                 "Spacing of the working grid in mm (default: the median)")
      ->type_name("L,P,S");
  app.add_option("--size", flags.size,
                 "Size of the working grid in voxels (default: as large as needed)")
      ->type_name("L,P,S");
  app.add_option("--like", flags.like, "Use the grid of this image")->type_name("FILE");
  app.add_option("--downsample", flags.downsample, "Make the working grid coarser by this factor")
      ->type_name("F")
      ->capture_default_str();
  app.add_flag("--keep-positions", flags.keep_positions,
               "Do not align the centres of the subjects");
}

}  // namespace aladdin::app
