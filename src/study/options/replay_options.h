// Options of `ym replay`. The command line fills them in; src/study acts on them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ym {

struct ReplayArguments {
  std::vector<std::string> recordings;  // files, or folders of segments
  std::string policy;                   // file with queues and settings for the decisions; empty: the recorded ones
  std::size_t most_differences = 1;     // differences to show; 0: all
};

}  // namespace ym
