// `aladdin report`: what is known of runs, as one page that needs nothing else, and as figures.
#pragma once

#include <map>

#include "aladdin/report/figures/figures.h"

namespace aladdin::report {

struct ReportOptions {
  std::string split = "all";  // whose labels are evaluated
  std::vector<evaluate::Group> groups{};
  std::map<std::int32_t, std::string> label_names{};  // on top of those of the cohort
  double embed_mb = 12;  // of volumes that the page may hold, as base64; the atlas is always there

  void validate() const;
};

// Reads the runs and looks at every subject of those that are done. What cannot be read but is not
// needed (labels that have moved, an image) becomes a note on the page and a warning.
std::vector<RunFindings> find_out(const std::vector<Path>& runs, const ReportOptions& options);

// The page as text.
std::string page_html(std::span<const RunFindings> runs, const ReportOptions& options);

// PNG needs rsvg-convert; throws if it is not there.
void require_figure_program();

// All figures as SVG and PNG, the comparison as CSV. Throws before anything is written if one of the
// files is there and `force` is not set.
void write_figures(const Path& folder, std::span<const RunFindings> runs,
                   const ReportOptions& options, bool force);

// RUN/report.html of a run that trains or is done.
void write_run_page(const RunDirectory& run);

}  // namespace aladdin::report
