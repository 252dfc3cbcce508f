// What the options of a script ask for.
#pragma once

#include "spec/convert/array_ids.h"
#include "spec/convert/draft.h"
#include "spec/convert/sbatch.h"

namespace ym::convert {

// What the options say together, before it is divided among the nodes.
struct Asked {
  Draft draft;
  Part part;
  std::int64_t nodes = 0, tasks = 0, tasks_per_node = 0;  // 0: not said
  std::int64_t cpus_per_task = 0, cpus_per_gpu = 0;       // 0: not said
  std::int64_t gpus = 0, gpus_per_node = 0, gpus_per_task = 0;
  std::int64_t memory_per_cpu = 0, memory_per_gpu = 0;
  std::optional<ArrayIds> array{};
};

struct Reading {
  Asked asked;
  Remarks remarks;
  spec::Problems problems;
};

// "--nodes", also of an option that was cut; what a remark is about.
std::string pointer_of(const ScriptOption& option);

// The name of a job that comes near to this text: "a b" is "a-b"; empty if nothing of it can be in a name.
std::string name_like(std::string_view text);

void take(Reading& reading, const ScriptOption& option);

}  // namespace ym::convert
