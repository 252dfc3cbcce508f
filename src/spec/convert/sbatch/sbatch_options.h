// The options of a script.
#pragma once

#include "spec/convert/draft.h"
#include "spec/convert/sbatch/array_ids.h"
#include "spec/convert/sbatch/sbatch.h"

namespace ym::convert {

// The options together, before the request is divided among the nodes.
struct Asked {
  Draft draft;
  Part part;
  std::int64_t nodes = 0, tasks = 0, tasks_per_node = 0;  // 0: not set
  std::int64_t cpus_per_task = 0, cpus_per_gpu = 0;       // 0: not set
  std::int64_t gpus = 0, gpus_per_node = 0, gpus_per_task = 0;
  std::int64_t memory_per_cpu = 0, memory_per_gpu = 0;
  std::optional<ArrayIds> array{};
};

struct Reading {
  Asked asked;
  Remarks remarks;
  spec::Problems problems;
};

// "--nodes", also for a shortened option: the subject of a remark.
std::string pointer_of(const ScriptOption& option);

// The name of a job that is most similar to this text: "a b" gives "a-b". Empty: no character of it may stand in a
// name.
std::string name_like(std::string_view text);

void take(Reading& reading, const ScriptOption& option);

}  // namespace ym::convert
