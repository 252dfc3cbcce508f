// What `ym replay` was asked to do. The command line fills it in; the program around it (apps/ym) acts on it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ym {

struct ReplayArguments {
  std::vector<std::string> recordings;  // files, or folders with segments
  std::string policy;                   // file with queues and settings to decide by instead; empty: as recorded
  std::size_t most_differences = 1;     // 0: all
};

}  // namespace ym
