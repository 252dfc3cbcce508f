// The protocol between the task agent beside a task and the server: JSON in HTTP bodies.
//
// The agent posts a TaskReport to YM_TASK_URL, and the answer is TaskOrders. It then waits for newer orders (GET,
// ?nonce=&version=&wait=), and posts again whenever something changes. Each message has the whole state of its sender,
// so a lost or repeated message changes nothing. Both have a field `v`; each side understands its own version and the
// version before.
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

// Bounds, in bytes; a larger message is not decoded.
inline constexpr std::size_t kMaxReportBytes = std::size_t{1} << 20;
inline constexpr std::size_t kMaxOrdersBytes = std::size_t{4} << 20;  // arguments and environment of a large gang
inline constexpr std::size_t kMaxNonce = 128;
inline constexpr std::size_t kMaxName = 256;                                  // of a node or an address
inline constexpr std::size_t kMaxMessage = std::size_t{16} << 10;             // of an exit
inline constexpr std::size_t kMaxProgressText = (std::size_t{16} << 10) + 1;  // one byte more shows that it was cut
inline constexpr std::size_t kMostProgress = 8;                               // progress entries of one report

// Exit code of an agent without user code that ran: it was not let in, another agent has the task, or it could not work
// itself. So such an exit code in a cluster's report is not user code's.
inline constexpr int kNotRunExit = 125;
// The same if the agent cannot write its output file.
inline constexpr int kNoOutputExit = 78;

// A progress report as user code wrote it (spec/progress_report.h parses it).
struct RawProgress {
  std::int64_t number = 0;  // grows from 1 in each task; with gaps if there were many reports
  Instant at;
  std::string text;
  bool operator==(const RawProgress&) const = default;
};

struct TaskReport {
  enum class State : std::uint8_t { waiting, running, ended };
  Token token;
  std::string nonce;
  State state = State::waiting;
  TaskClaim claim;                    // of this agent; the same in every report
  std::vector<RawProgress> progress;  // not confirmed by the server yet; ordered by number
  std::optional<TaskExit> exit;       // set exactly if ended: all processes of the task have ended
  std::int64_t log_bytes = 0, log_dropped = 0;
  std::vector<Checkpoint> checkpoints_gone;  // checkpoints that it was to resume from
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

// What the agent executes after `go`. It contains no secrets. `env` overrides the environment of the node. In words and
// values, node_value(NAME) stands for the node's value of NAME.
struct TaskLaunch {
  bool shell = false;  // the user wrote a string; used to explain exit codes better
  std::vector<std::string> argv;
  std::map<std::string, std::string> env;
  std::string workdir;                  // empty: the agent's working directory
  std::string stop_signal = "SIGTERM";  // sent at the time limit
  Duration stop_grace;
  std::optional<Duration> time_limit;
  Duration start_timeout;
  std::int64_t log_cap = 0;             // bytes
  std::int64_t memory_bytes = 0;        // limit if the cluster sets no cgroup limit; 0: none
  std::int64_t port = 0;                // where torchrun's agents meet before they start user code; 0: they do not
  std::vector<Checkpoint> checkpoints;  // newest first: the first that exists becomes YM_RESUME_FROM
  bool operator==(const TaskLaunch&) const = default;
};

struct TaskOrders {
  enum class Barrier : std::uint8_t {
    wait,
    go,      // for this nonce; see `launch`
    release  // user code never runs; see `cause`
  };
  std::uint64_t version = 0;  // grows with every change, also across restarts of the server
  Barrier barrier = Barrier::wait;
  StopCause cause = StopCause::start_timeout;  // of a release
  std::optional<TaskLaunch> launch;
  std::optional<StopRequest> stop;
  std::string job_token;            // valid token of user code and the agent; empty: there is none
  std::int64_t progress_heard = 0;  // the server has all reports up to this number
  bool end_stored = false;          // the agent may end
};
constexpr std::string_view to_string(TaskOrders::Barrier value) {
  switch (value) {
    case TaskOrders::Barrier::wait: return "wait";
    case TaskOrders::Barrier::go: return "go";
    case TaskOrders::Barrier::release: return "release";
  }
  return {};
}

// Placeholder in a TaskLaunch for the value of a variable that only the node knows.
inline std::string node_value(std::string_view name) { return "\x1f" + std::string(name) + "\x1f"; }

std::string encode(const TaskReport& report);
std::string encode(const TaskOrders& orders);
// Errors: `invalid`, with the field.
Result<TaskReport> decode_report(std::string_view text);
Result<TaskOrders> decode_orders(std::string_view text);

}  // namespace ym::remote
