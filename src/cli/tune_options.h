// What `ym policy tune` was asked to do. The command line fills it in; the program around it (apps/ym) acts on it.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cli/simulate_options.h"

namespace ym {

// What a policy is judged by: a figure of a simulation's report.
struct Objective {
  std::string_view name;
  std::string_view path;  // in the report
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
  SimulateOptions simulate;  // with one policy at most: where the search begins
  std::string objective;     // one of the names
  // "scheduling.placement=fgd,best-fit", "preemption.restart_cost=1m,5m", "queues.a.order=fifo,shortest-first"
  std::vector<std::string> tries;
  std::size_t most_runs = 60;
};

}  // namespace ym
