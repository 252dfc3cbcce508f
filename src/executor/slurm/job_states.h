// What Slurm's words for a job mean. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "executor/slurm/client.h"
#include "model/job.h"

namespace ym::slurm {

enum class Phase : std::uint8_t {
  pending,
  active,       // has nodes: it runs, begins, is suspended, or its processes are being ended
  over,         // Slurm has let go of it; on a node that is lost there may be processes yet
  node_failed,  // over, and of one node at least it is not known what still runs there
  unknown       // a word that we do not know: nothing is concluded from it
};

Phase phase_of(std::string_view state);

// "3:0", "0:9"; a bare number is what wait(2) gives: 768, 9. The wrapper's 128+N is signal N. Nothing: it is none.
struct ExitWord {
  std::int32_t code = 0, signal = 0;
  bool operator==(const ExitWord&) const = default;
};
std::optional<ExitWord> parse_exit(std::string_view text);

// How a task of it has ended, as far as Slurm knows: of a job of several tasks it says only how the worst of them did.
// Precondition: its phase is `over` or `node_failed`.
std::optional<TaskExit> exit_of(const JobRow& row, bool only_task);

// "Slurm job 12: FAILED, exit 3 (NonZeroExitCode)"
std::string describe(const JobRow& row);

// It waits or runs.
bool is_live(const JobRow& row);
// It has nodes, which are not ready: they boot, or are looked over.
bool is_configuring(const JobRow& row);

// Reasons that do not go away by waiting: the job can never start as it is.
bool never_starts(std::string_view reason);

}  // namespace ym::slurm
