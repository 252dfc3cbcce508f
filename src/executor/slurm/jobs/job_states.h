// The meaning of Slurm's job states. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "executor/slurm/client/client.h"
#include "model/job.h"

namespace ym::slurm {

enum class Phase : std::uint8_t {
  pending,
  active,       // has nodes: starts, runs, is suspended, or is being ended
  over,         // ended for Slurm; a lost node may still have processes
  node_failed,  // ended, and the state of at least one node is unknown
  unknown       // an unknown state: nothing follows from it
};

Phase phase_of(std::string_view state);

// "3:0", "0:9"; a plain number is as from wait(2): 768, 9. The agent's 128+N is signal N. Empty: not an exit.
struct SlurmExit {
  std::int32_t code = 0, signal = 0;
  bool operator==(const SlurmExit&) const = default;
};
std::optional<SlurmExit> parse_exit(std::string_view text);

// How a task of the job has ended, as far as Slurm knows. For several tasks Slurm only knows how the worst one ended.
// Precondition: its phase is `over` or `node_failed`.
std::optional<TaskExit> exit_of(const JobRow& row, bool only_task);

// "Slurm job 12: FAILED, exit 3 (NonZeroExitCode)"
std::string describe(const JobRow& row);

// The job waits or runs.
bool is_live(const JobRow& row);
// The job has nodes that are not ready: they boot or are being checked.
bool is_configuring(const JobRow& row);

// Whether waiting does not help for this reason: the job can never start in this form.
bool never_starts(std::string_view reason);

}  // namespace ym::slurm
