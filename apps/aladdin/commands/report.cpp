// aladdin report: shows a run on one page, and writes figures for a paper.
#include <fmt/format.h>

#include <cstdio>

#include "aladdin/core/error.h"
#include "aladdin/core/files.h"
#include "aladdin/core/text.h"
#include "aladdin/image/label_names.h"
#include "aladdin/report/report.h"
#include "aladdin/report/server.h"
#include "command.h"
#include "output.h"

namespace aladdin::app {
namespace {

struct Flags {
  std::vector<std::string> runs, groups, names;
  std::string output, figures, names_file;
  report::ReportOptions options;
  bool serve = false, force = false;
  int port = 8000;
};

// "1=femur"
void add_name(report::ReportOptions& options, const std::string& text) {
  const auto equals = text.find('=');
  const auto label = parse_integer(text.substr(0, equals));
  if (equals == std::string::npos || !label || *label <= 0 || *label > INT32_MAX ||
      equals + 1 == text.size())
    fail_usage("--name {}: expected a label and its name, such as 1=femur", text);
  options.label_names[static_cast<std::int32_t>(*label)] = text.substr(equals + 1);
}

void validate(Flags& flags) {
  if (flags.output.empty() && flags.figures.empty() && !flags.serve)
    throw Error("there is nothing to do", ExitCode::usage)
        .hint(
            "-o report.html writes the page, --figures DIR writes the figures, --serve shows the page");
  if (flags.port < 0 || flags.port > 65535)
    fail_usage("--port {} is out of range, expected 0 to 65535", flags.port);
  for (const auto& text : flags.groups) flags.options.groups.push_back(evaluate::parse_group(text));
  if (!flags.names_file.empty()) flags.options.label_names = read_label_names(flags.names_file);
  for (const auto& text : flags.names) add_name(flags.options, text);
  flags.options.validate();
  if (!flags.output.empty()) {
    if (const auto ending = full_extension(flags.output);
        !ending.ends_with(".html") && !ending.ends_with(".htm"))
      fail_usage("'{}' does not end in .html", flags.output);
    require_writable(flags.output, flags.force);
  }
  if (!flags.figures.empty()) report::require_figure_program();
}

void run(Flags& flags) {
  validate(flags);
  const std::vector<Path> runs(flags.runs.begin(), flags.runs.end());
  if (!flags.output.empty() || !flags.figures.empty()) {
    const auto findings = report::find_out(runs, flags.options);
    if (!flags.figures.empty())
      report::write_figures(flags.figures, findings, flags.options, flags.force);
    if (!flags.output.empty()) {
      write_text(flags.output, report::page_html(findings, flags.options));
      put("{}\n", flags.output);
    }
  }
  if (!flags.serve) return;
  report::Site site(runs, flags.options);
  report::serve(site, flags.port, [](const std::string& address) {
    put("{}\n", address);
    std::fflush(stdout);
  });
}

std::function<void()> declare(CLI::App& app) {
  auto flags = std::make_shared<Flags>();
  app.add_option("RUN", flags->runs, "Run directories; several are compared")
      ->type_name("DIR")
      ->required();
  app.add_option("-o,--output", flags->output, "The page")->type_name("HTML");
  app.add_option("--figures", flags->figures, "Write every figure as SVG and PNG")
      ->type_name("DIR");
  app.add_flag("--serve", flags->serve,
               "Serve the page, with every subject, to browsers on this machine until stopped; its "
               "other users can see it, too");
  app.add_option("--port", flags->port, "Port of --serve; 0: any free one")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--split", flags->options.split, "Subjects to evaluate")
      ->type_name("NAME")
      ->check(CLI::IsMember({"train", "val", "test", "all"}))
      ->capture_default_str();
  add_repeatable(app, "--group", flags->groups, "NAME=LABELS",
                 "Average these structures, e.g. bone=1,3; repeatable");
  add_repeatable(app, "--name", flags->names, "LABEL=NAME",
                 "Name of a label, e.g. 1=femur; repeatable");
  add_names(app, flags->names_file);
  app.add_option("--embed", flags->options.embed_mb,
                 "Megabytes of volumes in the page; --serve shows the rest")
      ->type_name("MB")
      ->capture_default_str();
  add_force(app, flags->force);
  add_nan(app);
  add_threads(app);
  return [flags] { run(*flags); };
}

}  // namespace

Command report_command() {
  return {
      "report",
      "Show runs on one page: viewer, figures, facts",
      "Writes one self-contained page that needs no network and no server. It shows the atlas with "
      "its labels, probabilities and variability; every subject before and after registration, with "
      "the difference and the Jacobian; training curves, Dice and deformations; the cohort, the "
      "settings and how to reproduce the run. 'aladdin build' writes the same page into its run "
      "directory during training and at the end.\n\n"
      "The page always holds the atlas, and as many subjects as fit into --embed megabytes, worst "
      "first. --serve shows all subjects; it listens on this machine only and writes nothing.\n\n"
      "Several runs are compared: the paper's Table 2 with paired tests, and their atlases side by "
      "side. --figures writes all figures for a paper; PNG needs rsvg-convert (librsvg2-bin).",
      {{"report run -o report.html", "one page"},
       {"report run --serve", "every subject, in a browser on this machine"},
       {"report without_pairs with_pairs -o both.html --group bone=1,3", "two runs side by side"},
       {"report run --figures figures", "figures for a paper"}},
      declare};
}

}  // namespace aladdin::app
