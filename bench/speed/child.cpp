#include "child.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "aladdin/core/error.h"

namespace aladdin::bench {

Child::Child(const std::vector<std::string>& command) : name_(command.front()) {
  std::array<int, 2> in{}, out{};
  // Closed in every other child: the end of the input must be one.
  if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0)
    fail("no pipe can be made");
  process_ = fork();
  if (process_ < 0) fail("'{}' cannot be started", name_);
  if (process_ == 0) {
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  to_ = fdopen(in[1], "w");
  from_ = fdopen(out[0], "r");
  read_line();
}

Child::~Child() {
  std::fclose(to_);  // the end of its input ends it
  std::fclose(from_);
  waitpid(process_, nullptr, 0);
}

double Child::ask(const std::string& command) {
  std::fprintf(to_, "%s\n", command.c_str());
  std::fflush(to_);
  return std::stod(read_line());
}

std::string Child::read_line() {
  std::array<char, 256> line{};
  if (!std::fgets(line.data(), line.size(), from_)) fail("'{}' gave no answer", name_);
  return line.data();
}

}  // namespace aladdin::bench
