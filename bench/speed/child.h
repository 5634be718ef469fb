// A process that answers lines with numbers (worker.h, peer.py), spoken to through two pipes.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <string>
#include <vector>

namespace aladdin::bench {

class Child {
 public:
  // Starts it and waits until it is ready; throws if it never is.
  explicit Child(const std::vector<std::string>& command);
  ~Child();
  Child(const Child&) = delete;

  double ask(const std::string& command);

 private:
  std::string read_line();

  std::string name_;
  pid_t process_ = 0;
  FILE *to_ = nullptr, *from_ = nullptr;
};

}  // namespace aladdin::bench
