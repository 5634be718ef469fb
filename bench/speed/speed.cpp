// Training step and registration of the paper's network, ours against the same in plain PyTorch (peer.py):
// in turns, on the same inputs and threads, each in a process of its own. Then what ours costs a voxel at
// several sizes. Prints Markdown, and writes the same and a chart.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "accuracy.h"
#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/network/unet_cost.h"
#include "bars.h"
#include "child.h"
#include "worker.h"

namespace {

using namespace aladdin;
using namespace aladdin::bench;

struct Options {
  bool quick = false;
  int batch = 2, rounds = 5, threads = 0;
  std::string out = "build/bench", python = "/usr/bin/python3", script = "bench/speed/peer.py";
  std::string self, kind, inputs, accuracy;
};

struct Measured {
  std::vector<double> seconds;
  double value = 0, cpu = 0, peak = 0;  // cpu: seconds of all cores, a run; peak: bytes
  int runs = 0;

  double median() const {
    std::vector<double> sorted = seconds;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? 0 : sorted[sorted.size() / 2];
  }
};

std::string name_of(const Size& size) {
  return fmt::format("{} x {} x {}", size[0], size[1], size[2]);
}
double voxels_of(const Size& size) { return double(size[0] * size[1] * size[2]); }

class Bench {
 public:
  explicit Bench(const Options& options) : options_(options) {
    std::filesystem::create_directories(options.out);
    const std::string probe = fmt::format("'{}' -c 'import torch' 2>/dev/null", options.python);
    has_peer_ = std::system(probe.c_str()) == 0;
    text_.open(options.out + "/speed.md");
    if (!has_peer_)
      say("{} has no torch, so only ours is measured: apt-get install --no-install-recommends "
          "python3-torch python3-numpy\n\n",
          options.python);
  }

  void compare(const std::vector<Size>& sizes) {
    say("Batch {}, {} threads, medians of {} turns. Memory is the peak of a process. On a shared "
        "machine CPU time says more than time.\n\n",
        options_.batch, threads(), options_.rounds);
    say("| work | PyTorch | ours | faster | in CPU time | memory, PyTorch | ours | ratio | GFLOP | GF/s | of the peak |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const Size& size : sizes)
      for (const char* kind : {"step", "register"}) compare(kind, size);
    write_bars(options_.out + "/speed.svg", bars_);
  }

  // Time and memory of ours a voxel.
  void grow(const std::vector<Size>& sizes) {
    say("\n| size | step | a voxel | memory a voxel | register | a voxel | memory a voxel |\n"
        "|---|---:|---:|---:|---:|---:|---:|\n");
    const double constant[2] = {alone("step", {16, 16, 16}).peak,
                                alone("register", {16, 16, 16}).peak};
    for (const Size& size : sizes) {
      const Measured step = alone("step", size), registration = alone("register", size);
      const double voxels = voxels_of(size);
      say("| {} | {:.3f} s | {:.2f} us | {:.0f} B | {:.3f} s | {:.2f} us | {:.0f} B |\n",
          name_of(size), step.median(), 1e6 * step.median() / voxels / options_.batch,
          (step.peak - constant[0]) / voxels / options_.batch, registration.median(),
          1e6 * registration.median() / voxels, (registration.peak - constant[1]) / voxels);
    }
    say("\nMemory is above that of the same process with 16 x 16 x 16 ({:.0f} and {:.0f} MB).\n",
        constant[0] / 1e6, constant[1] / 1e6);
  }

 private:
  template <class... Words>
  void say(fmt::format_string<Words...> format, Words&&... words) {
    const std::string text = fmt::format(format, std::forward<Words>(words)...);
    fmt::print("{}", text);
    std::fflush(stdout);
    text_ << text;
  }

  std::vector<std::string> ours(const std::string& kind) const {
    if (kind == "step")  // waits as `aladdin build` does (apps/aladdin/main.cpp)
      return {"env", "GOMP_SPINCOUNT=10000", options_.self + "_step", inputs(),
              std::to_string(threads())};
    return {options_.self,
            "--work",
            kind,
            "--inputs",
            inputs(),
            "--threads",
            std::to_string(threads())};
  }
  std::string inputs() const { return options_.out + "/inputs.safetensors"; }

  // One turn. Short work is done once in vain and then timed three times: what a core does after a rest, or after
  // another process, is not what it does in a training.
  static void take_turn(Child& child, Measured& measured, bool is_short) {
    const int in_vain = is_short ? 1 : 0, timed = is_short ? 3 : 1;
    for (int i = 0; i < in_vain; ++i) child.ask("run");
    for (int i = 0; i < timed; ++i) measured.seconds.push_back(child.ask("run"));
    measured.runs += in_vain + timed;
  }
  static constexpr double kShort = 2;  // seconds

  // `cpu`: what it had used when the timed runs began.
  static void finish(Child& child, Measured& measured, double cpu) {
    measured.cpu = (child.ask("cpu") - cpu) / measured.runs;
    measured.value = child.ask("value");
    measured.peak = child.ask("peak");
  }

  Measured alone(const std::string& kind, const Size& size) {
    write_inputs(inputs(), size, options_.batch);
    Child child(ours(kind));
    Measured out;
    const bool is_short = child.ask("run") < kShort;
    const double cpu = child.ask("cpu");
    for (int round = 0; round < options_.rounds; ++round) take_turn(child, out, is_short);
    finish(child, out, cpu);
    return out;
  }

  void compare(const std::string& kind, const Size& size) {
    write_inputs(inputs(), size, options_.batch);
    Measured our, their;
    std::vector<double> peaks;
    {
      Child us(ours(kind)), limit(ours("peak"));
      std::optional<Child> peer;
      if (has_peer_)
        peer.emplace(std::vector<std::string>{options_.python, options_.script, kind, inputs(),
                                              std::to_string(threads())});
      double slowest = us.ask("run");  // warm-up
      our.cpu = us.ask("cpu");
      if (peer) {
        slowest = std::max(slowest, peer->ask("run"));
        their.cpu = peer->ask("cpu");
      }
      for (int round = 0; round < options_.rounds; ++round) {
        take_turn(us, our, slowest < kShort);
        if (peer) take_turn(*peer, their, slowest < kShort);
        limit.ask("run");
        peaks.push_back(limit.ask("value"));
      }
      finish(us, our, our.cpu);
      if (peer) finish(*peer, their, their.cpu);
    }
    const std::vector<std::int64_t> input{kind == "step" ? options_.batch : 1, 2, size[0], size[1],
                                          size[2]};
    const UnetOptions network;  // the paper's
    const double flops =
        kind == "step" ? unet_training_flops(network, input) : unet_flops(network, input);
    const double rate = flops / our.median();
    const double peak = *std::max_element(peaks.begin(), peaks.end());
    const std::string name = fmt::format("{}, {}", kind, name_of(size));
    const auto or_dash = [&](const std::string& text) { return has_peer_ ? text : "-"; };
    say("| {} | {} | {:.3f} s | {} | {} | {} | {:.0f} MB | {} | {:.1f} | {:.0f} | {:.0f} % of {:.0f} |\n",
        name, or_dash(fmt::format("{:.3f} s", their.median())), our.median(),
        or_dash(fmt::format("{:.1f}x", their.median() / our.median())),
        or_dash(fmt::format("{:.1f}x", their.cpu / our.cpu)),
        or_dash(fmt::format("{:.0f} MB", their.peak / 1e6)), our.peak / 1e6,
        or_dash(fmt::format("{:.2f}x", our.peak / their.peak)), flops / 1e9, rate / 1e9,
        100 * rate / peak, peak / 1e9);
    bars_.push_back({name, "s", their.median(), our.median()});
    bars_.push_back({name + ", memory", "MB", their.peak / 1e6, our.peak / 1e6});
    const double difference = std::abs(our.value - their.value) / std::abs(their.value);
    if (has_peer_ && !(difference < 1e-3))
      fail("{}: ours computes {}, PyTorch {}: not the same work", name, our.value, their.value);
  }

  Options options_;
  bool has_peer_ = false;
  std::ofstream text_;
  std::vector<Bar> bars_;
};

int run(int argc, char** argv) {
  CLI::App app("Times the paper's training step and registration against plain PyTorch");
  Options o;
  o.self = std::filesystem::read_symlink("/proc/self/exe").string();
  app.add_flag("--quick", o.quick, "Only 48 x 64 x 48, and no cost by size");
  app.add_option("--batch", o.batch)->capture_default_str();
  app.add_option("--rounds", o.rounds, "Turns of each, the median counts")->capture_default_str();
  app.add_option("--threads", o.threads, "0: all cores")->capture_default_str();
  app.add_option("--out", o.out, "Folder for speed.md and speed.svg")->capture_default_str();
  app.add_option("--python", o.python, "A Python with torch")->capture_default_str();
  app.add_option("--peer", o.script)->capture_default_str();
  app.add_option("--accuracy", o.accuracy, "Only draw the table of accuracy.sh");
  app.add_option("--work", o.kind, "Inside: register or peak");
  app.add_option("--inputs", o.inputs);
  CLI11_PARSE(app, argc, argv);
  set_threads(o.threads);
  if (!o.kind.empty()) {
    serve(work_of(o.kind, o.inputs));
    return 0;
  }
  if (!o.accuracy.empty()) {
    write_accuracy(o.accuracy, o.out);
    return 0;
  }
  Bench bench(o);
  std::vector<Size> sizes{{48, 64, 48}};
  if (!o.quick) sizes.push_back({80, 192, 192});
  bench.compare(sizes);
  if (!o.quick) bench.grow({{32, 32, 32}, {64, 64, 64}, {128, 128, 128}, {80, 192, 192}});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
