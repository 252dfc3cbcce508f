// Options of `ym policy tune`. The command line fills them in; src/study acts on them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "study/options/simulate_options.h"

namespace ym {

// A figure of a simulation's report by which policies are compared.
struct Objective {
  std::string_view name;
  std::string_view path;  // path in the report
  bool more_is_better = false;
};
inline constexpr std::array kObjectives{
    Objective{"wait-mean", "all/wait_seconds/mean"},
    Objective{"wait-p90", "all/wait_seconds/p90"},
    Objective{"wait-p99", "all/wait_seconds/p99"},
    Objective{"completion-mean", "all/completion_seconds/mean"},
    Objective{"completion-p99", "all/completion_seconds/p99"},
    Objective{"makespan", "makespan_seconds"},
    Objective{"utilisation", "utilisation", true},
    Objective{"lost-gpu-hours", "all/lost_gpu_hours"},
    Objective{"preemptions", "all/preemptions"},
    Objective{"deadlines-missed", "all/deadlines/missed"},
};

struct TuneOptions {
  SimulateOptions simulate;  // at most one policy: where the search begins
  std::string objective;     // a name of kObjectives
  // "scheduling.placement=fgd,best-fit", "preemption.restart_cost=1m,5m", "queues.a.order=fifo,shortest-first"
  std::vector<std::string> tries;
  std::size_t most_runs = 60;
};

}  // namespace ym
