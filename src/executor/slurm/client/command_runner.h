// Runs a program to its end: no shell, its own environment, bounded output and time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ym::slurm {

struct Command {
  std::vector<std::string> argv;  // program by path, or looked up in the PATH of `env`
  std::map<std::string, std::string> env;
  std::string input;
  Duration timeout = seconds(20);
  std::size_t most_bytes = std::size_t{64} << 20;  // of output; at most 64 KiB of errors are kept
};

struct CommandEnd {
  int status = 0;  // exit status; 128+N for a signal
  std::string output, errors;
};

// Errors: `io`: it could not be started; `unavailable`: it took too long and was killed, and its effects are unknown;
// `too_large`: it wrote too much and was killed. All its children are killed with it. Threads: any.
Result<CommandEnd> run_command(const Command& command);

}  // namespace ym::slurm
