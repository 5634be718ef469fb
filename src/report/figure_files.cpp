#include <spawn.h>
#include <sys/wait.h>

#include <cstring>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/report/facts.h"
#include "aladdin/report/report.h"

extern char** environ;

namespace aladdin::report {
namespace {

constexpr const char* kConverter = "rsvg-convert";

// The exit code, or nothing if the program is not there.
std::optional<int> run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", 1 /* O_WRONLY */, 0);
  pid_t process = 0;
  const int failed =
      posix_spawnp(&process, arguments[0], &quiet, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (waitpid(process, &status, 0) == -1 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void write_picture(const Path& svg, const Path& target) {
  AtomicFile file(target);
  // A browser's 96 dots an inch three times over: 300 dots an inch in print.
  const auto code = run_program({kConverter, "--zoom", "3", "--unlimited", "--format", "png",
                                 "--output", file.path().string(), svg.string()});
  if (code != 0) fail("{} could not make '{}'", kConverter, target.string());
  file.commit();
}

void append(std::vector<Figure>& all, const std::string& prefix, std::optional<Figure> figure) {
  if (!figure) return;
  figure->name = prefix + figure->name;
  all.push_back(std::move(*figure));
}

std::vector<Figure> figures_of(std::span<const RunFindings> runs) {
  std::vector<Figure> all;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const RunFindings& run = runs[r];
    const std::string prefix = runs.size() > 1 ? fmt::format("{}_", r + 1) : "";
    const std::span<const RunFindings> alone(&run, 1);
    append(all, prefix, atlas_means(alone));
    append(all, prefix, atlas_evolution(run));
    append(all, prefix, dice_boxes(run));
    append(all, prefix, worst_subjects(run));
    append(all, prefix, jacobian_histogram(run));
    append(all, prefix, smallest_jacobians(run));
    append(all, prefix, displacement_lengths(run));
    append(all, prefix, centrality_map(run));
    for (Figure& figure : deformation_grids(run)) append(all, prefix, std::move(figure));
    for (Figure& figure : training_curves(alone)) append(all, prefix, std::move(figure));
  }
  if (runs.size() < 2) return all;
  append(all, "", atlas_means(runs));
  append(all, "", dice_of_runs(runs));
  for (Figure& figure : training_curves(runs)) append(all, "", std::move(figure));
  return all;
}

}  // namespace

void require_figure_program() {
  if (run_program({kConverter, "--version"}) == 0) return;
  throw Error(fmt::format("figures as PNG need the program {}, which is not there", kConverter))
      .hint("install the package librsvg2-bin");
}

void write_figures(const Path& folder, std::span<const RunFindings> runs,
                   const ReportOptions& options, bool force) {
  require_figure_program();
  const auto figures = figures_of(runs);
  const std::string table = comparison_csv(runs, options.groups);
  for (const Figure& figure : figures)
    for (const char* ending : {".svg", ".png"})
      require_writable(folder / (figure.name + ending), force);
  if (!table.empty()) require_writable(folder / "comparison.csv", force);
  for (const Figure& figure : figures) {
    const Path svg = folder / (figure.name + ".svg");
    write_text(svg, figure.svg.standalone_text());
    write_picture(svg, folder / (figure.name + ".png"));
  }
  if (!table.empty()) write_text(folder / "comparison.csv", table);
  log::info("{} figures in {}", figures.size(), folder.string());
}

}  // namespace aladdin::report
