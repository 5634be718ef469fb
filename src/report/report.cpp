#include "aladdin/report/report.h"

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/core/memory.h"
#include "aladdin/core/option_name.h"
#include "aladdin/image/read_once.h"

namespace aladdin::report {
namespace {

// Labels that have moved away since the build leave the page without Dice, not without the rest.
std::optional<evaluate::Evaluation> evaluate_run(RunData& run, const ReportOptions& options) {
  bool labelled = false;
  for (const RunSubject& subject : run.subjects) labelled = labelled || !subject.label.empty();
  if (!labelled) {
    run.notes.emplace_back("The subjects have no labels: there is no Dice.");
    return std::nullopt;
  }
  try {
    evaluate::EvaluationOptions how;
    how.surfaces = false;
    auto evaluation =
        evaluate::evaluate(evaluate::source_of_run(run.run.folder, options.split), how);
    if (!evaluation.has_labels()) fail("no subject of the split '{}' has labels", options.split);
    evaluate::require_labels(evaluation, options.groups);
    return evaluation;
  } catch (const Error& error) {
    if (error.exit_code() == ExitCode::usage) throw;
    log::warn("no Dice of '{}': {}", run.run.folder.string(), error.what());
    run.notes.push_back(fmt::format("There is no Dice: {}.", error.what()));
    return std::nullopt;
  }
}

RunFindings find_out_one(const Path& folder, const ReportOptions& options,
                         std::size_t embed_bytes) {
  RunFindings findings;
  findings.split = options.split;
  findings.data = read_run(folder);
  for (const auto& [label, name] : options.label_names) findings.data.label_names[label] = name;
  if (!findings.data.record.is_done()) {
    findings.data.notes.emplace_back(
        "The training is not finished. Viewer, Dice and deformations follow when it is.");
    return findings;
  }
  findings.evaluation = evaluate_run(findings.data, options);
  findings.survey = survey(findings.data, findings.evaluation ? &*findings.evaluation : nullptr,
                           {.embed_bytes = embed_bytes});
  for (const auto& note : findings.survey->notes) findings.data.notes.push_back(note);
  return findings;
}

}  // namespace

void ReportOptions::validate() const {
  if (!(embed_mb >= 0 && embed_mb <= 2000))
    fail_usage("{} {:g} is out of range, expected 0 to 2000 MB", option_name("embed"), embed_mb);
}

std::vector<RunFindings> find_out(const std::vector<Path>& runs, const ReportOptions& options) {
  options.validate();
  std::vector<RunFindings> out;
  const ReadOnce once(available_memory() / 4);  // it evaluates the subjects, and then shows them
  const auto share = static_cast<std::size_t>(options.embed_mb * 1e6 / double(runs.size()));
  for (const Path& run : runs) {
    try {
      out.push_back(find_out_one(run, options, share));
    } catch (Error& error) {
      throw error.within(fmt::format("while looking at '{}'", run.string()));
    }
  }
  return out;
}

void write_run_page(const RunDirectory& run) {
  const ReportOptions options;
  write_text(run.report(), page_html(find_out({run.folder}, options), options));
}

}  // namespace aladdin::report
