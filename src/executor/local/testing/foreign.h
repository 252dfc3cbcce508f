// For tests: a process of another server's job on this machine, with the same token.
#pragma once

#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <csignal>
#include <stdexcept>
#include <string>

#include "model/ids.h"

namespace ym::local {

class ForeignProcess {
 public:
  explicit ForeignProcess(const Token& token) {
    std::string program = "/bin/sleep", time = "1000", name = "YM_LAUNCH_TOKEN=" + to_string(token),
                state = "YM_LAUNCH_STATE=another";
    const std::array<char*, 3> argv{program.data(), time.data(), nullptr};
    const std::array<char*, 3> env{name.data(), state.data(), nullptr};
    if (::posix_spawn(&pid_, program.c_str(), nullptr, nullptr, argv.data(), env.data()) != 0)
      throw std::runtime_error("no process to be had");
  }
  ~ForeignProcess() {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
  ForeignProcess(const ForeignProcess&) = delete;
  ForeignProcess& operator=(const ForeignProcess&) = delete;

  int pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

}  // namespace ym::local
