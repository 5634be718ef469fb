// The processes that train one atlas together, as one of them sees it. Each calls the same functions in the same
// order; one that is alone, the default, does nothing there.
//
// Behind it is c10d: Gloo over TCP, on the interface that leads to Launch::address, and NCCL for CUDA tensors where
// LibTorch has it. All processes see the same bits after sum() and gather(). A peer that died is noticed at once, one
// that cannot be reached after twenty seconds (keepalive.h), at the next function of these: it throws an Error, on
// every process. With others, SIGPIPE is ignored from then on unless the program has a handler of its own.
#pragma once

#include <ATen/ATen.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aladdin/team/launch.h"

namespace aladdin {

class Team {
 public:
  Team();  // alone
  // Waits for all others, three quarters of a minute at most. Opens a port if there are others.
  explicit Team(const Launch& launch);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  static const Team& alone();

  int rank() const { return launch_.rank; }
  int size() const { return launch_.size; }
  int local_rank() const { return launch_.local_rank; }
  int local_size() const { return launch_.local_size; }
  bool is_alone() const { return launch_.size == 1; }
  // Writes what there is one of.
  bool leads() const { return launch_.rank == 0; }

  // [first, second) of n things in a row that are this process's, or those of another.
  std::pair<std::int64_t, std::int64_t> part(std::int64_t n) const { return part(n, rank()); }
  std::pair<std::int64_t, std::int64_t> part(std::int64_t n, int rank) const;

  // Over all processes, in place; tensors are contiguous.
  void sum(at::Tensor tensor) const;
  // The same in the background; the tensor must not be touched before wait().
  class Work;
  std::shared_ptr<Work> start_sum(at::Tensor tensor) const;
  void wait(const std::shared_ptr<Work>& work) const;

  // Row k of `rows` is replaced by that of the process owner[k].
  void exchange(at::Tensor rows, const std::vector<int>& owner) const;
  // part(n) of the rows of everyone, n in all. Those given may be none.
  at::Tensor gather_rows(const at::Tensor& own, std::int64_t n) const;
  // What each process gives, by rank. As many numbers from each.
  std::vector<std::vector<double>> gather(const std::vector<double>& numbers) const;
  std::vector<std::string> gather(const std::string& text) const;

  // Waits for all; the signal that one of them was sent (core/interrupt.h), or 0.
  int pulse() const;

  // Does it everywhere. What one could not do fails everywhere, with the same Error.
  void each(const std::function<void()>& work) const;
  // The same for what may take minutes. Meanwhile the processes ask each other every second whether all are there;
  // where one is gone, given_up() is true from then on, the work should end soon, and this throws. The work is done by a
  // thread of its own.
  using GivenUp = std::function<bool()>;
  void each_watched(const std::function<void(const GivenUp& given_up)>& work) const;
  // The first does it, all others wait.
  void lead(const std::function<void()>& work) const;

  // The others will say that it was this which ended the training.
  void leave(const std::string& failure) const;

 private:
  struct Connections;
  [[noreturn]] void lost(const std::string& reason) const;
  template <class Collective>
  auto attempt(const Collective& collective) const;

  Launch launch_;
  std::unique_ptr<Connections> connections_;
};

}  // namespace aladdin
