// What the options of a script ask for.
#pragma once

#include "spec/convert/draft.h"
#include "spec/convert/sbatch.h"

namespace ym::convert {

// What the options say together, before it is divided among the nodes.
struct Asked {
  Draft draft;
  Part part;
  std::int64_t nodes = 0, tasks = 0, tasks_per_node = 0;  // 0: not said
  std::int64_t cpus_per_task = 0;                         // 0: not said
  std::int64_t gpus = 0, gpus_per_node = 0, gpus_per_task = 0;
  std::int64_t memory_per_cpu = 0, memory_per_gpu = 0;
};

struct Reading {
  Asked asked;
  Remarks remarks;
  spec::Problems problems;
};

void take(Reading& reading, const ScriptOption& option);

}  // namespace ym::convert
