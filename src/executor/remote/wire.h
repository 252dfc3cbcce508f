// What the wrapper beside a task and the server say to each other: JSON in HTTP bodies.
//
// The wrapper posts a TaskReport to YM_TASK_URL and is answered with TaskOrders; it then waits for
// newer ones (GET, ?nonce=&version=&wait=) and posts again whenever something changes. Each message
// holds the whole state of its sender, so a lost or repeated one changes nothing. Both carry `v`,
// and a side understands its own version and the one before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "executor/executor.h"

namespace ym::remote {

inline constexpr std::int64_t kWireVersion = 1;

// Bounds, in bytes; a message that passes one does not decode.
inline constexpr std::size_t kMaxReportBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxOrdersBytes = std::size_t{4} << 20;  // arguments and environment of a large gang
inline constexpr std::size_t kMaxNonce = 128;
inline constexpr std::size_t kMaxName = 256;                                  // of a node, or an address
inline constexpr std::size_t kMaxMessage = std::size_t{16} << 10;             // of an exit
inline constexpr std::size_t kMaxProgressText = (std::size_t{16} << 10) + 1;  // one byte too many shows that it was cut
inline constexpr std::size_t kMostProgress = 8;                               // entries of a report

// With what the wrapper leaves if no user code ran under it: it was not let in, another has the task, or the wrapper
// itself could not work. What a cluster says of such an exit is no word of user code's.
inline constexpr int kNotRunExit = 125;
// The same, where the file that its output should go to cannot be written.
inline constexpr int kNoOutputExit = 78;

// What user code said of itself, as it stood (spec/progress_report.h reads it).
struct RawProgress {
  std::int64_t number = 0;  // from 1, growing, by task; where much was said, not all of it is kept
  Instant at;
  std::string text;
  bool operator==(const RawProgress&) const = default;
};

struct TaskReport {
  enum class State : std::uint8_t { waiting, running, ended };
  Token token;
  std::string nonce;
  State state = State::waiting;
  TaskClaim claim;                    // of this wrapper; the same in every report
  std::vector<RawProgress> progress;  // that the server has not said it has heard; by number
  std::optional<TaskExit> exit;       // exactly if ended: all of its processes are gone
  std::int64_t log_bytes = 0, log_dropped = 0;
  std::vector<Checkpoint> checkpoints_gone;  // that it was to resume from
  bool operator==(const TaskReport&) const = default;
};
constexpr std::string_view to_string(TaskReport::State value) {
  switch (value) {
    case TaskReport::State::waiting: return "waiting";
    case TaskReport::State::running: return "running";
    case TaskReport::State::ended: return "ended";
  }
  return {};
}

// What the wrapper executes, once its gate is open. No secret is in it. `env` goes over what the node has; in words
// and values, node_value(NAME) stands for what NAME has there.
struct TaskLaunch {
  bool shell = false;  // the user wrote a string: words explain exit codes better
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string workdir;                  // empty: where the wrapper was started
  std::string stop_signal = "SIGTERM";  // at the time limit
  Duration stop_grace;
  std::optional<Duration> time_limit;
  Duration start_timeout;
  std::int64_t log_cap = 0;             // bytes
  std::int64_t memory_bytes = 0;        // limit where no cgroup of the cluster's is; 0: none
  std::int64_t port = 0;                // at which torchrun's agents meet before they start user code; 0: none do
  std::vector<Checkpoint> checkpoints;  // newest first: the first that is there becomes YM_RESUME_FROM
  bool operator==(const TaskLaunch&) const = default;
};

struct TaskOrders {
  enum class Gate : std::uint8_t {
    wait,
    go,      // for this nonce: `launch` says what
    release  // user code never runs; `cause` says why
  };
  std::uint64_t version = 0;  // grows with every change, across restarts of the server too
  Gate gate = Gate::wait;
  StopCause cause = StopCause::start_timeout;  // of a release
  std::optional<TaskLaunch> launch;
  std::optional<StopRequest> stop;
  std::string job_token;            // what user code, and the wrapper, show to the server now; empty: there is none
  std::int64_t progress_heard = 0;  // up to this number
  bool end_stored = false;          // the wrapper may leave
};
constexpr std::string_view to_string(TaskOrders::Gate value) {
  switch (value) {
    case TaskOrders::Gate::wait: return "wait";
    case TaskOrders::Gate::go: return "go";
    case TaskOrders::Gate::release: return "release";
  }
  return {};
}

// Stands in a TaskLaunch for the value of a variable that only the node knows.
inline std::string node_value(std::string_view name) { return "\x1f" + std::string(name) + "\x1f"; }

std::string encode(const TaskReport& report);
std::string encode(const TaskOrders& orders);
// Errors: `invalid`, with the field.
Result<TaskReport> decode_report(std::string_view text);
Result<TaskOrders> decode_orders(std::string_view text);

}  // namespace ym::remote
