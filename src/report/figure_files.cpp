#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "aladdin/core/error.h"
#include "aladdin/core/log.h"
#include "aladdin/report/facts.h"
#include "aladdin/report/report.h"

extern char** environ;

namespace aladdin::report {
namespace {

constexpr const char* kConverter = "rsvg-convert";

struct Outcome {
  int code = -1;
  std::string output;
};

// What a program writes and its exit code, or nothing if it is not there. What it says is not shown: it is told here.
std::optional<Outcome> run_program(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot run {}: {}", words[0], std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t process = 0;
  const int failed =
      posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  Outcome outcome;
  if (failed == 0) {
    char buffer[65536];
    for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) != 0;) {
      if (got > 0) outcome.output.append(buffer, static_cast<std::size_t>(got));
      if (got < 0 && errno != EINTR) break;
    }
  }
  close(ends[0]);
  if (failed != 0) return std::nullopt;
  int status = 0;
  while (waitpid(process, &status, 0) == -1 && errno == EINTR) {
  }
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  return outcome;
}

void write_picture(const Path& svg, const Path& target) {
  // A browser's 96 dots an inch three times over: 300 dots an inch in print.
  const auto made =
      run_program({kConverter, "--zoom", "3", "--unlimited", "--format", "png", svg.string()});
  if (!made || made->code != 0) fail("{} could not make '{}'", kConverter, target.string());
  write_text(target, made->output);
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
  if (const auto found = run_program({kConverter, "--version"}); found && found->code == 0) return;
  throw Error(fmt::format("figures as PNG need the program {}, which is not installed", kConverter))
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
