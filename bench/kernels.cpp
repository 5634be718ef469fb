// Times every operator of the op table, forward and backward together, ours against plain Torch: in
// turns, in one run, on the same inputs and threads. Prints medians, their ratio, and the peak
// memory that each adds (measured in a process of its own).
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/autograd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "aladdin/core/error.h"
#include "aladdin/core/parallel.h"
#include "aladdin/kernels/fast/table.h"
#include "aladdin/ops/op_table.h"

namespace {

using namespace aladdin;
using ops::Op;

Op::Inputs float_leaves(const Op& op, const kernels::Shape& shape) {
  Op::Inputs leaves;
  for (const auto& input : op.make_inputs(shape, 1))
    leaves.push_back(input.to(at::kFloat).requires_grad_(true));
  return leaves;
}

void forward_and_backward(const std::function<at::Tensor(const Op::Inputs&)>& op,
                          const Op::Inputs& leaves) {
  const at::Tensor value = op(leaves);
  value.backward(at::ones_like(value));
  for (const auto& leaf : leaves) leaf.mutable_grad() = at::Tensor();
}

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A line of /proc/self/status, in bytes.
double status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key)) return std::stod(line.substr(key.size() + 1)) * 1024;
  return 0;
}

// In this process: what one forward and backward pass adds to the memory in use, at its peak.
double added_memory(const Op& op, bool ours, const kernels::Shape& shape) {
  const Op::Inputs leaves = float_leaves(op, shape);
  const auto& run = ours ? op.ours : op.plain;
  forward_and_backward(run,
                       float_leaves(op, {1, 4, 4, 4, 3}));  // threads and caches exist afterwards
  const double before = status_bytes("VmRSS:");
  std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak
  forward_and_backward(run, leaves);
  return status_bytes("VmHWM:") - before;
}

// The same in a fresh process, whose memory nothing else has touched.
double added_memory_apart(const std::string& self, const std::string& op, bool ours,
                          const std::string& size, int batch) {
  const std::string command =
      fmt::format("'{}' --size {} --batch {} --threads {} --memory-of {} {}", self, size, batch,
                  threads(), op, ours ? "" : "--plain");
  FILE* pipe = popen(command.c_str(), "r");
  double bytes = 0;
  if (!pipe || std::fscanf(pipe, "%lf", &bytes) != 1) fail("cannot measure the memory of {}", op);
  pclose(pipe);
  return bytes;
}

int run(int argc, char** argv) {
  CLI::App app("Times the operators against plain Torch");
  std::string size = "80,192,192", only, memory_of;
  int batch = 2, rounds = 5, thread_count = 0;
  bool plain = false;
  app.add_option("--size", size, "d,h,w")->capture_default_str();
  app.add_option("--batch", batch)->capture_default_str();
  app.add_option("--rounds", rounds, "Timings of each, the median counts")->capture_default_str();
  app.add_option("--threads", thread_count, "0: all cores")->capture_default_str();
  app.add_option("--only", only, "Only operators whose name holds this");
  app.add_option("--memory-of", memory_of, "Print the bytes one operator adds and stop");
  app.add_flag("--plain", plain, "With --memory-of: the plain-Torch form");
  CLI11_PARSE(app, argc, argv);

  set_threads(thread_count);
  at::set_num_threads(threads());
  kernels::Shape shape{batch, 0, 0, 0, 3};
  if (std::sscanf(size.c_str(), "%ld,%ld,%ld", &shape.d, &shape.h, &shape.w) != 3)
    fail_usage("--size {}: expected d,h,w", size);

  if (!memory_of.empty()) {
    for (const Op& op : ops::op_table())
      if (op.name == memory_of) fmt::print("{:.0f}\n", added_memory(op, !plain, shape));
    return 0;
  }
  fmt::print("{} x {}, {} threads, kernels for {}, forward + backward, median of {}\n\n", batch,
             size, threads(), kernels::fast().name, rounds);
  fmt::print(
      "| operator | plain Torch | ours | faster | plain Torch | ours | memory |\n"
      "|---|---:|---:|---:|---:|---:|---:|\n");
  for (const Op& op : ops::op_table()) {
    if (op.name.find(only) == std::string::npos) continue;
    std::vector<double> ours_s, plain_s;
    {
      const Op::Inputs leaves = float_leaves(op, shape);
      for (int round = 0; round <= rounds; ++round) {
        const double ours = seconds([&] { forward_and_backward(op.ours, leaves); });
        const double theirs = seconds([&] { forward_and_backward(op.plain, leaves); });
        if (round == 0) continue;  // warm-up
        ours_s.push_back(ours);
        plain_s.push_back(theirs);
      }
    }
    const double ours_bytes = added_memory_apart(argv[0], op.name, true, size, batch);
    const double plain_bytes = added_memory_apart(argv[0], op.name, false, size, batch);
    fmt::print("| {} | {:.0f} ms | {:.0f} ms | {:.1f}x | {:.0f} MB | {:.0f} MB | {:.2f}x |\n",
               op.name, 1e3 * median(plain_s), 1e3 * median(ours_s),
               median(plain_s) / median(ours_s), plain_bytes / 1e6, ours_bytes / 1e6,
               ours_bytes / plain_bytes);
    std::fflush(stdout);
  }
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
