#include "executor/slurm/jobs/job_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include "base/whole_number.h"
#include "executor/slurm/jobs/script.h"

namespace ym::slurm {
namespace {

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::array<std::string_view, 5> kPending{"PENDING", "REQUEUED", "REQUEUE_HOLD", "REQUEUE_FED",
                                                   "SPECIAL_EXIT"};
constexpr std::array<std::string_view, 9> kActive{"RUNNING",  "CONFIGURING", "COMPLETING", "SUSPENDED",    "STOPPED",
                                                  "RESIZING", "SIGNALING",   "STAGE_OUT",  "POWER_UP_NODE"};
constexpr std::array<std::string_view, 9> kOver{"COMPLETED", "FAILED",    "CANCELLED", "TIMEOUT",      "OUT_OF_MEMORY",
                                                "DEADLINE",  "PREEMPTED", "REVOKED",   "LAUNCH_FAILED"};
constexpr std::array<std::string_view, 2> kNodeFailed{"NODE_FAIL", "BOOT_FAIL"};

constexpr std::array<std::string_view, 9> kNever{"PartitionNodeLimit", "PartitionTimeLimit", "BadConstraints",
                                                 "InvalidAccount",     "InvalidQOS",         "JobHeldAdmin",
                                                 "ReservationDeleted", "AccountNotAllowed",  "QOSNotAllowed"};

// "CANCELLED by 1000", "CANCELLED+"
std::string_view first_word(std::string_view state) { return state.substr(0, state.find_first_of(" +")); }

TaskExit by_exit(const SlurmExit& slurm_exit) {
  if (slurm_exit.signal != 0) return {.by = EndedBy::signal, .signal = slurm_exit.signal};
  if (slurm_exit.code > 128 && slurm_exit.code <= 128 + 64)
    return {.by = EndedBy::signal, .signal = slurm_exit.code - 128};
  return {.by = EndedBy::exit, .exit_code = slurm_exit.code};
}

// Slurm could not open a file of the job (output, spool). Slurm's own code for that is written as a signal.
bool cannot_open_files(const JobRow& row) {
  constexpr int kFilesCannotBeOpened = 53;
  const auto slurm_exit = parse_exit(row.exit);
  return slurm_exit && slurm_exit->signal == kFilesCannotBeOpened;
}

}  // namespace

Phase phase_of(std::string_view state) {
  state = first_word(state);
  if (one_of(state, kPending)) return Phase::pending;
  if (one_of(state, kActive)) return Phase::active;
  if (one_of(state, kOver)) return Phase::over;
  return one_of(state, kNodeFailed) ? Phase::node_failed : Phase::unknown;
}

std::optional<SlurmExit> parse_exit(std::string_view text) {
  const auto colon = text.find(':');
  const auto first = whole_number<std::int32_t>(text.substr(0, colon));
  if (!first || *first < 0) return std::nullopt;
  if (colon == std::string_view::npos) {
    if (*first > 0xffff) return std::nullopt;
    return SlurmExit{*first >> 8, *first & 0x7f};
  }
  const auto second = whole_number<std::int32_t>(text.substr(colon + 1));
  if (!second || *first > 255 || *second < 0 || *second > 127) return std::nullopt;
  return SlurmExit{*first, *second};
}

std::optional<TaskExit> exit_of(const JobRow& row, bool only_task) {
  const auto state = first_word(row.state);
  // A job that is preempted and then ends by itself gets the state COMPLETED or FAILED.
  TaskExit exit{.at = row.ended.value_or(Instant{})};
  exit.message = describe(row);
  if (state == "PREEMPTED" || row.preempted) exit.by = EndedBy::preempted;
  else if (state == "TIMEOUT" || state == "DEADLINE") exit.by = EndedBy::time_limit;
  else if (state == "OUT_OF_MEMORY") exit.by = EndedBy::oom;
  else if (state == "CANCELLED") exit.by = EndedBy::cancelled;
  else if (state == "REVOKED" || state == "LAUNCH_FAILED" || cannot_open_files(row)) exit.by = EndedBy::start_failed;
  else if (phase_of(state) == Phase::node_failed) exit.by = EndedBy::lost;
  else if (state != "COMPLETED" && state != "FAILED") return std::nullopt;
  else {
    const auto slurm_exit = parse_exit(row.exit);
    // A step ends like the worst of its tasks: if that is a success, all have succeeded.
    const bool is_of_each = only_task || (state == "COMPLETED" && slurm_exit == SlurmExit{});
    if (!is_of_each || !slurm_exit) return std::nullopt;
    // It failed, but there is no exit code.
    if (state == "FAILED" && *slurm_exit == SlurmExit{}) return std::nullopt;
    const auto ended = by_exit(*slurm_exit);
    exit.by = ended.by, exit.exit_code = ended.exit_code, exit.signal = ended.signal;
  }
  return exit;
}

std::string describe(const JobRow& row) {
  auto text = fmt::format("Slurm job {}: {}", row.id, row.state);
  if (row.preempted) text += ", was preempted";
  const auto slurm_exit = parse_exit(row.exit);
  if (slurm_exit && slurm_exit->code == kNoLogFolder) text += ", its log folder cannot be written";
  else if (slurm_exit && (slurm_exit->code == kAgentNotExecutable || slurm_exit->code == kAgentMissing))
    text += ", ym-task cannot be started";
  else if (cannot_open_files(row)) text += ", its files cannot be opened";
  else if (slurm_exit && slurm_exit->signal != 0) text += fmt::format(", signal {}", slurm_exit->signal);
  else if (slurm_exit && slurm_exit->code != 0) text += fmt::format(", exit {}", slurm_exit->code);
  // Slurm uses these codes if it cannot execute the interpreter of a script; user code may use them too.
  if (slurm_exit && slurm_exit->code == ENOENT) text += "; perhaps the node does not have ym-task";
  if (slurm_exit && slurm_exit->code == EACCES) text += "; perhaps the node may not execute ym-task";
  if (!row.reason.empty() && row.reason != "None") text += fmt::format(" ({})", row.reason);
  return text;
}

bool is_live(const JobRow& row) {
  const auto phase = phase_of(row.state);
  return phase == Phase::pending || phase == Phase::active;
}

bool is_configuring(const JobRow& row) {
  const auto state = first_word(row.state);
  return state == "CONFIGURING" || state == "POWER_UP_NODE";
}

bool never_starts(std::string_view reason) { return one_of(reason, kNever); }

}  // namespace ym::slurm
