#include "trials.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "aladdin/config/read.h"
#include "aladdin/config/write.h"
#include "aladdin/core/call.h"
#include "aladdin/core/checksum.h"
#include "aladdin/core/error.h"
#include "aladdin/core/interrupt.h"
#include "aladdin/core/log.h"
#include "aladdin/core/parallel.h"
#include "aladdin/core/text.h"
#include "aladdin/evaluate/evaluation_part.h"
#include "aladdin/run/run_lock.h"
#include "aladdin/run/run_record.h"
#include "command.h"

namespace aladdin::app {
namespace {

std::vector<std::string> build_words(const Path& place, const TrialOptions& options) {
  std::vector<std::string> words{"aladdin"};
  if (const Call* call = Call::here()) words = call->program;
  words.insert(words.end(), {"build", options.cohort.source});
  for (auto& word : grid_and_cohort_words(options.cohort)) words.push_back(std::move(word));
  for (const std::string& word :
       std::vector<std::string>{"-o", (place / "run").string(), "--config",
                                (place / "settings.toml").string(), "--device", options.device,
                                "--threads", std::to_string(threads()), "--resume", "--no-report"})
    words.push_back(word);
  return words;
}

// The end of a process. A call that is to stop hands that on, once; where there is none, the end of this process does.
int wait_for(pid_t child) {
  int status = 0;
  bool told = false;
  while (true) {
    const pid_t ended = waitpid(child, &status, Call::here() ? WNOHANG : 0);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) fail("a trial was lost: {}", std::strerror(errno));
    if (!Call::here()) continue;
    if (!told && stop_requested() != 0) told = kill(child, SIGTERM) == 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

// Runs this program with other words, with its output in a file. Returns the exit code, or 128 + signal.
int run_self(const std::vector<std::string>& words, const Path& talk) {
  const int out = open(talk.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (out < 0) fail("'{}' cannot be written: {}", talk.string(), std::strerror(errno));
  std::vector<char*> argv;
  for (const auto& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const Path self = Call::here() ? Path(words.front()) : own_program();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("no process could be started: {}", std::strerror(errno));
  if (child == 0) {
    // When its owner ends, a trial writes a checkpoint and ends too. It has a process group of its own, or Ctrl-C would
    // reach it twice: directly, and as its owner's end. A second signal ends it without a checkpoint.
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execv(self.c_str(), argv.data());
    _exit(127);
  }
  close(out);
  const int status = wait_for(child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The last error in the output of a build, from byte `from` on.
std::string last_error(const Path& talk, std::uintmax_t from) {
  std::string found = "it ended without a message";
  for (const auto& line : split(std::string_view(read_text(talk)).substr(from), '\n'))
    if (line.starts_with("error: ")) found = line.substr(7);
  return found;
}

// If its owner was killed, a trial may still be writing its checkpoint. If it does not end, the new build reports it.
void await_former(const RunDirectory& run, const std::string& name) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 10min;
  if (is_locked(run)) log::info("{}: waiting for its previous build to end", name);
  while (is_locked(run) && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(100ms);
}

// Which subjects on which grid; for a CSV, with the checksum of its contents.
std::string describe_cohort(const CohortFlags& flags) {
  std::string out = std::filesystem::absolute(flags.source).lexically_normal().string() + "\n";
  std::error_code ignored;
  if (std::filesystem::is_regular_file(flags.source, ignored)) {
    const std::string text = read_text(flags.source);
    out += fmt::format("{:016x}\n",
                       checksum(reinterpret_cast<const std::byte*>(text.data()), text.size()));
  }
  return out + fmt::format("{}\n", fmt::join(grid_and_cohort_words(flags), " "));
}

// A trial resumes with the settings and the cohort it was started with; these two files record them.
void require_as_begun(const Path& place, const std::string& settings, const std::string& cohort) {
  const auto require = [&](const Path& file, const std::string& now, const auto& read,
                           const char* what) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return write_text(file, now);
    if (read(file) == now) return;
    throw Error(fmt::format("'{}' was started with {}", place.string(), what), ExitCode::usage)
        .hint("repeat the first command, choose another folder, or remove this one");
  };
  // Comments in the file do not count.
  const auto read_settings = [](const Path& file) { return to_toml(read_config(file)); };
  require(place / "settings.toml", settings, read_settings, "other settings");
  require(
      place / "cohort.txt", cohort, [](const Path& file) { return read_text(file); },
      "another cohort or another grid");
}

}  // namespace

TrialOutcome run_trial(const Trial& trial, const TrialOptions& options) {
  const Path place = options.folder / trial.name;
  require_as_begun(place, to_toml(trial.config), describe_cohort(options.cohort));
  const RunDirectory run{place / "run"};
  if (!has_record(run) || !read_record(run).is_done()) {
    await_former(run, trial.name);
    const Path talk = place / "build.log";
    std::error_code none;
    const std::uintmax_t before =
        std::filesystem::exists(talk, none) ? std::filesystem::file_size(talk, none) : 0;
    const int code = run_self(build_words(place, options), talk);
    if (code == 130 || code == 143 || code == 129)
      throw Interrupted(code - 128,
                        fmt::format("{} was stopped; run the same command to resume", trial.name));
    if (code != 0) fail("{} failed: {}", trial.name, last_error(talk, before));
  }
  TrialOutcome out;
  const Path figures =
      place / fmt::format("evaluation-{}{}.json", options.split, options.exact ? "-exact" : "");
  std::error_code ignored;
  if (std::filesystem::exists(figures, ignored)) {
    out.evaluation = evaluate::read_part(figures);
    evaluate::summarise_subjects(out.evaluation);  // a part holds no means
  } else {
    evaluate::EvaluationOptions how;
    how.exact = options.exact;
    how.surfaces = false;
    out.evaluation = evaluate::evaluate(evaluate::source_of_run(run.folder, options.split), how);
    evaluate::write_part(figures, out.evaluation);
  }
  out.evaluation.name = trial.name;
  const RunTiming timing = read_record(run).timing.value_or(RunTiming{});
  out.minutes = timing.training_minutes;
  out.memory_gb = timing.peak_memory_gb;
  return out;
}

void require_trial_folder(const Path& folder, const char* command) {
  const Path mark = folder / ".trials";
  std::error_code ignored;
  if (std::filesystem::exists(mark, ignored) && read_text(mark) == command) return;
  if (std::filesystem::exists(folder, ignored) && !std::filesystem::is_empty(folder, ignored))
    throw Error(
        fmt::format("'{}' is not empty and was not made by 'aladdin {}'", folder.string(), command))
        .hint("choose another folder with -o");
  write_text(mark, command);
}

}  // namespace aladdin::app
