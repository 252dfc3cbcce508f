// Runs a program to its end: no shell, its own environment, bounded output, a limit of time.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace ym::slurm {

struct Command {
  std::vector<std::string> argv;  // the program by path, or by the PATH of `env`
  std::map<std::string, std::string> env;
  std::string input;
  Duration timeout = seconds(20);
  std::size_t most_bytes = std::size_t{64} << 20;  // of its output; of its errors 64 KiB are kept
};

struct CommandEnd {
  int status = 0;  // its exit status; 128+N for a signal
  std::string output, errors;
};

// Errors: `io`: it could not be started; `unavailable`: it was killed for the time it took, and what it did before is
// unknown; `too_large`: it was killed for its output. Whatever it started is killed with it. Threads: any.
Result<CommandEnd> run_command(const Command& command);

}  // namespace ym::slurm
