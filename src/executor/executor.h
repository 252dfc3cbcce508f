// Executor: the port to the systems that run attempts: this machine, Slurm, Kubernetes, a simulation.
//
// Commands (launch, stop, ...) return at once. Their results arrive later as Observations. Calls that return a Result
// may block.
//
// Commands are idempotent by token: a second launch() with the same token finds the first one.
//
// An executor does not guess. If it cannot see an attempt, it reports ContactIsLost. It reports TaskHasEnded only if it
// has proof that the processes of the task are gone.
//
// The launch barrier: user code starts when all tasks of the gang are there. On this machine the
// barrier is a file that the supervisors of the gang share. On other machines it takes these steps:
// 1. The task agent beside each task claims the task over HTTP (task_link.h), with a random nonce.
// 2. When all tasks are claimed, the executor reports GangIsWaiting.
// 3. Control stores the claims, then calls open_barrier() with them.
// Only the agents with these claims ever start user code under that token, even if agents, nodes or the server restart.
//
// Threads: calls may come from any thread. The executor delivers observations from its own threads, in order for each
// token.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "executor/lost_launch.h"
#include "model/cluster.h"
#include "model/job.h"

namespace ym {

// How user code reaches the server.
struct JobContact {
  std::string progress_url;  // POST sends a progress report
  std::string notice_url;    // GET waits until the job is to stop
  Secret token;              // authorizes both; deliver() renews it
  std::string ca_file{};     // authority of an https server, path where the code runs; empty: the system's
};

struct LaunchRequest {
  Token token;
  std::shared_ptr<const JobSpec> spec;
  std::string job_name;
  std::string owner;
  std::optional<std::int32_t> group_index;  // of a member of an array
  std::vector<TaskPlacement> placement;     // one for each task
  std::vector<Node> nodes;                  // one for each task: its node as the engine saw it
  // Checkpoints to resume from, newest first. User code gets the first that exists. For each one before it the executor
  // reports CheckpointIsGone.
  std::vector<Checkpoint> checkpoints;
  std::optional<JobContact> contact;  // empty: user code reports by file and output only
};

// What is stored of an attempt that has not ended.
struct LiveAttempt {
  LaunchRequest request;
  std::vector<TaskStatus> tasks;  // one for each task; has a claim once its launch barrier was opened
  // The attempt was a lost launch (lost_launch.h) that control has taken over. The state does not say whether its
  // launch barrier was opened, or for which agents. The executor believes an agent that says that its user code runs,
  // and opens the barrier for no agent.
  bool adopted = false;

  const Token& token() const { return request.token; }
};

// The executor gives notice before it sends the signal. The notice has the cause, the deadline and the grace. It is a
// file, and the answer to a long poll of the server.
struct StopRequest {
  StopCause cause = StopCause::cancel;
  std::string signal = "SIGTERM";  // to the leader process of each task
  Duration grace;                  // after it the whole gang is killed
};

// --- what an executor reports
struct LaunchAccepted {};  // even after a crash the executor knows that it may have run
// User code has not run under this token, and never will.
struct LaunchRefused {
  std::string message;
  bool permanent = false;  // another try would fail too
  // The cause is the executor, as with a full disk, a missing program of Yardmaster or no free process. Nothing of the
  // job was tried, so this is not a failure of the attempt.
  bool of_executor = false;
};
struct LaunchPreparing {};  // tasks prepare; the launch barrier is closed
// The cluster says why the attempt does not begin: for example, it waits in a queue there, or an image is missing.
struct StartIsDelayed {
  std::string message;
};
// Only of tasks on other machines: all tasks are claimed. A cluster may start several agents for one task; these claims
// name one agent for each task. Control may open the launch barrier for them.
struct GangIsWaiting {
  std::vector<TaskClaim> claims;  // one for each task
};
struct TaskIsRunning {
  std::int32_t task = 0;
  // When user code began, if the executor has a record of it: the report may come long after that, from an executor of
  // a later server. By the clock of its machine.
  std::optional<Instant> since{};
};
struct TaskHasEnded {
  std::int32_t task = 0;
  TaskExit exit;
};
// Progress that user code reports by its output or its marker file. Reports from a time without a server are repeated
// when a server is back, and before the end of the task.
struct ProgressIsReported {
  ProgressReport report;
};
// A path that the attempt was to resume from does not exist. The executor tries the next one.
struct CheckpointIsGone {
  Checkpoint checkpoint;
};
struct ContactIsLost {
  std::string message;
};
struct ContactIsBack {};  // with all tasks
// start() named this token, and the executor has no trace of it. This comes before all observations of a later launch;
// after them control would read it as a loss. If control never called launch() with the token and no process of it
// lives, a launch is safe. Otherwise the traces of the attempt are lost.
struct TokenIsUnknown {
  bool nothing_lives = false;  // the executor looked: no process of the attempt is left
  // The executor had the launch, or was about to get it, and the machine lost power before its result was on disk.
  // Control never launches it again, whatever its own state says.
  bool may_have_run = false;
};
// Of a node; the token is empty. These devices of the node, and no others, cannot be given to jobs now. If the attempt
// that ended left a device in this state, this comes before its end.
struct DevicesAreUnhealthy {
  std::string node;
  std::map<std::string, std::string> devices;  // id: reason
  std::string message;
};
// Of a cluster; the token is empty. All of its nodes, as they are now. A node that is missing here does not exist any
// more.
struct NodesAreSeen {
  std::string cluster;
  std::vector<Node> nodes;
};
// Of a cluster; the token is empty. Whether its control plane (slurmctld, API server) answers. Attempts run on
// meanwhile.
struct ClusterIsSeen {
  std::string cluster;
  bool available = true;
  std::string message;  // reason, if it does not answer
};

using ObservationVariant =
    std::variant<LaunchAccepted, LaunchRefused, LaunchPreparing, StartIsDelayed, GangIsWaiting, TaskIsRunning,
                 TaskHasEnded, ProgressIsReported, CheckpointIsGone, ContactIsLost, ContactIsBack, TokenIsUnknown,
                 DevicesAreUnhealthy, NodesAreSeen, ClusterIsSeen>;

// A class for the same reason as EventPayload (model/event.h).
class ObservedFact : public ObservationVariant {
 public:
  using ObservationVariant::ObservationVariant;
  ObservedFact();
  ObservedFact(const ObservedFact& other);
  ObservedFact(ObservedFact&& other) noexcept;
  ObservedFact& operator=(const ObservedFact& other);
  ObservedFact& operator=(ObservedFact&& other) noexcept;
  ~ObservedFact();
};

struct Observation {
  Token token;
  ObservedFact what;
};

// Takes observations from any thread. It must not call back into the executor.
using ObservationSink = std::function<void(Observation)>;

// --- logs
struct LogQuery {
  AttemptKey attempt;
  std::int32_t task = 0;
  std::uint64_t offset = 0;  // bytes from the start
  std::size_t max_bytes = 1 << 18;
  // Instead of offset: the last n lines. A carriage return ends a line too, because progress bars write it. How far
  // back the search goes is bounded (kMostLookedBack of log_chunk.h).
  std::optional<std::uint64_t> last_lines;
  std::stop_token stop{};  // the caller has gone: the call may end early, with `unavailable`
};
struct LogChunk {
  std::uint64_t offset = 0;  // of the first byte of data
  std::string data;
  bool complete = false;  // the task has ended, and `data` reaches the end of its log
};

class TaskLink;

class Executor {
 public:
  virtual ~Executor() = default;

  // Which cluster it talks to, for people and for comparison: "namespace ml at https://10.0.0.1:6443". It must stay the
  // same over restarts while attempts live. Empty: there is only one of its kind, or the name is unknown.
  virtual std::string identity() const { return {}; }

  // The epoch of the server that launches from now on. A token with a newer epoch is from a server that has taken over
  // since. Called once, before start().
  virtual void begin_epoch(std::uint64_t) {}

  // Called once, before start() and lost_launches(). The executor leaves a lost launch alone, with its resources,
  // whenever it finds one. Other launches that are not live attempts are leftovers, and it removes them.
  virtual void know_lost(IsLost) {}
  // The lost launches, ordered by token. Called at most once, before start(), if the state may be older than the
  // launches. The call may take as long as the cluster does. Errors: `unavailable`, `io`: it could not see all of them.
  virtual Result<std::vector<LostLaunch>> lost_launches() { return std::vector<LostLaunch>{}; }

  // Begins to deliver observations. `live` are the attempts that have not ended, says the stored state. Of each it
  // reports what it knows, or TokenIsUnknown. Called once. Only identity(), enforcement(), begin_epoch(),
  // know_lost(), lost_launches() and inventory() may be called before.
  virtual Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) = 0;

  // The nodes as they are now.
  virtual Result<std::vector<Node>> inventory() = 0;

  // Precondition: the intent to launch is committed.
  virtual void launch(LaunchRequest request) = 0;

  // Takes the reports of tasks on other machines; null if the executor has no such tasks. It lives as long as this.
  virtual TaskLink* task_link() { return nullptr; }
  // Precondition: these claims were reported by GangIsWaiting of this token, and are stored.
  virtual void open_barrier(const Token&, std::span<const TaskClaim>) {}

  // Asks the gang to stop, and kills it after the grace. Before user code starts, stop() closes the launch barrier, and
  // user code never starts. On this machine the barrier is closed when the call returns. A second call with a shorter
  // grace shortens it.
  // A stop may come before launch(). It is remembered until release(), however many there are. Each of the two calls is
  // answered with LaunchRefused. That is not permanent: another attempt of the job may start.
  virtual void stop(const Token& token, StopRequest request) = 0;

  // Replaces LaunchRequest::contact->token. User code reads the token before each request.
  virtual void deliver(const Token& token, const Secret& job_token) = 0;

  // Reads the output of a task. It may take as long as a disk or a network, so a thread that serves other requests must
  // not call it. Errors: `not_found` (no log yet, or retention has deleted it), `conflict` (something other than a file
  // is in its place; a job can do that), `unavailable`, `io`.
  virtual Result<LogChunk> read_log(const LogQuery& query) = 0;

  // Total number of nodes that the flavor is to have (Flavor::wanted). The executor asks the cluster for the missing
  // ones. 0: none are missing, and idle nodes may go. It holds until the next call for the flavor, but not over a
  // restart: control calls again. Executors with fixed nodes do nothing.
  virtual void provision(const Flavor&) {}

  // The end of the attempt is stored. Retention may clean up its files, logs and records.
  virtual void release(const Token& token) = 0;

  // What the executor really enforces, for people: "cpu limit" -> "cgroup v2" or "not enforced".
  virtual std::map<std::string, std::string> enforcement() const = 0;
};

}  // namespace ym
