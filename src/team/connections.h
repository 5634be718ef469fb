// Inside this folder only: what c10d needs to know of the other processes.
#pragma once

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "aladdin/team/team.h"

namespace aladdin {

struct Team::Connections {
  // Throws where the others do not come, the port is taken, or there is no Gloo.
  explicit Connections(const Launch& launch);
  ~Connections();

  // The processes for tensors of this kind, and whether those need no copy on the CPU.
  c10d::ProcessGroup& group(const at::Tensor& tensor) const;
  bool takes(const at::Tensor& tensor) const;

  // Notes that survive a broken collective, as long as the first process is there. Never throw.
  void tell(const std::string& key, const std::string& text);
  std::string read(const std::string& key);
  // The note of a failure was read.
  void count_heard();

  Launch launch;
  c10::intrusive_ptr<c10d::Store> store;
  c10::intrusive_ptr<c10d::ProcessGroup> gloo, nccl;
  std::function<void()> close;  // ends what is still running
  bool failed = false;
  bool knows = false;   // it has reported the failure to the others, or read their report
  bool agreed = false;  // all know why it ends
};

// "[../gloo/transport/tcp/pair.cc:598] Connection closed by peer [10.0.0.2]:4242" and more lines: the first one, without
// its beginning.
std::string plain_reason(const std::string& reason);

}  // namespace aladdin
