// The port to what runs attempts: this machine, Slurm, Kubernetes, a simulation.
//
// Every call returns at once; what becomes of it arrives as an Observation. Calls are
// idempotent by token: the same launch twice finds the first. An executor never
// guesses: what it cannot see it reports as ContactLost, and Ended only with proof
// that the task's processes are gone.
//
// The start gate. On this machine it is a file that the supervisors of a gang share. Off it,
// what runs beside each task claims the task over HTTP (task_link.h) with a nonce of its own;
// when the whole gang has claimed, the executor reports GangIsWaiting, control stores to whom
// the gate is opened, and only then says open_gate(): nobody else ever starts user code under
// that token, whoever is restarted when.
//
// Threads: calls may come from any thread. Observations are delivered from the
// executor's own threads, in order for each token.
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

// How user code reaches the server that runs it.
struct JobContact {
  std::string progress_url;  // POST takes a report
  std::string notice_url;    // GET waits for the word to stop
  Secret token;              // admits to these two; renewed by deliver()
};

struct LaunchRequest {
  Token token;
  std::shared_ptr<const JobSpec> spec;
  std::string job_name;
  std::string owner;
  std::optional<std::int32_t> group_index;  // of an array
  std::vector<TaskPlacement> placement;     // by task
  std::vector<Node> nodes;                  // by task: the node as the engine saw it
  // To resume from, newest first: the first that is still there is given to user code, and
  // each one before it is reported as CheckpointIsGone.
  std::vector<Checkpoint> checkpoints;
  std::optional<JobContact> contact;  // nothing: user code reports by file and output only
};

// What is stored of an attempt that has not ended.
struct LiveAttempt {
  LaunchRequest request;
  std::vector<TaskStatus> tasks;  // by task; with a claim once the gate was opened for it
  // It was a lost launch, and is a stored attempt now. To whom its gate was opened is not known, nor whether it was:
  // who says that it runs is believed, and nobody else is let in.
  bool adopted = false;

  const Token& token() const { return request.token; }
};

// User code is told before it is signalled: by the notice, a file (and a long poll of the
// server's) with cause, deadline and grace.
struct StopRequest {
  StopCause cause = StopCause::cancel;
  std::string signal = "SIGTERM";  // to each task's leader
  Duration grace;                  // then the whole gang is killed
};

// --- what an executor reports
struct LaunchAccepted {};  // whatever crashes now, the executor knows that it may have run
// User code will never run under this token, and none of it did.
struct LaunchRefused {
  std::string message;
  bool permanent = false;  // trying again cannot heal it
  // The executor's own trouble (a full disk, a missing program of ours, no process to
  // be had): nothing of the job's was tried, so it is no failure of the attempt's.
  bool of_executor = false;
};
struct LaunchPreparing {};  // tasks prepare; the start gate is not passed
// Its cluster says why it does not begin: it waits in a queue there, an image is missing.
struct StartIsDelayed {
  std::string message;
};
// Of tasks off this machine: each has been claimed, by this one of possibly several that were
// started for it. The gate may be opened for these.
struct GangIsWaiting {
  std::vector<TaskClaim> claims;  // by task
};
struct TaskIsRunning {
  std::int32_t task = 0;
};
struct TaskHasEnded {
  std::int32_t task = 0;
  TaskExit exit;
};
// What user code said of itself, by its output or its marker file. What it said while no
// server listened is said once more when one does, and before its end.
struct ProgressIsReported {
  ProgressReport report;
};
// A path that the attempt was to resume from does not exist; the next one is tried.
struct CheckpointIsGone {
  Checkpoint checkpoint;
};
struct ContactIsLost {
  std::string message;
};
struct ContactIsBack {};  // with all of its tasks
// Asked about a token (reconcile) of which the executor has no trace. Said before anything that comes of a
// launch that follows: after that it would be taken for a loss. If it was never handed
// to the executor and nothing of it lives, launching it is safe; else its traces are lost.
struct TokenIsUnknown {
  bool nothing_lives = false;  // looked for, not assumed: no process of it is left
  // It was, or was about to be, handed over, and what became of it was lost with the machine's
  // power: never to be launched again, whatever control remembers.
  bool may_have_run = false;
};
// Of a node and no token: these of its devices, and no others, can be given to nobody now. If what
// ended left them so, this comes before its end.
struct DevicesAreUnhealthy {
  std::string node;
  std::map<std::string, std::string> devices;  // id: why
  std::string message;
};
// Of a cluster and no token: all of its nodes, as they are now. A node that is not among them is
// not there any more.
struct NodesAreSeen {
  std::string cluster;
  std::vector<Node> nodes;
};
// Of a cluster and no token: whether what manages it answers. What runs there goes on meanwhile.
struct ClusterIsSeen {
  std::string cluster;
  bool available = true;
  std::string message;  // why not
};

struct Observation {
  Token token;
  std::variant<LaunchAccepted, LaunchRefused, LaunchPreparing, StartIsDelayed, GangIsWaiting, TaskIsRunning,
               TaskHasEnded, ProgressIsReported, CheckpointIsGone, ContactIsLost, ContactIsBack, TokenIsUnknown,
               DevicesAreUnhealthy, NodesAreSeen, ClusterIsSeen>
      what;
};

// Takes observations from any thread; must not call back into the executor.
using ObservationSink = std::function<void(Observation)>;

// --- logs
struct LogQuery {
  AttemptKey attempt;
  std::int32_t task = 0;
  std::uint64_t offset = 0;  // bytes from the start
  std::size_t max_bytes = 1 << 18;
  // Instead of offset: the last n lines. A carriage return ends one, too, as progress bars write it. It is not looked
  // back for them without a bound (kMostLookedBack of log_chunk.h).
  std::optional<std::uint64_t> last_lines;
  std::stop_token stop{};  // nobody waits for it any more: it may end early, with `unavailable`
};
struct LogChunk {
  std::uint64_t offset = 0;  // of the first byte of data
  std::string data;
  bool complete = false;  // the task has ended and this reaches the end
};

class TaskLink;

class Executor {
 public:
  virtual ~Executor() = default;

  // Which cluster of its kind it talks to, for people and to be compared: "namespace ml at https://10.0.0.1:6443".
  // While attempts live it must stay the same over restarts. Empty: there is one of its kind, or it is not known.
  virtual std::string identity() const { return {}; }

  // Of the server that launches through it from now on: tokens with a newer one are those of a server that has taken
  // over since. Called once, before start().
  virtual void begin_epoch(std::uint64_t) {}

  // Called once, before start() and lost_launches(). What is lost is let be, and keeps what it has, whenever it is
  // found; other launches that nobody asks for are leftovers, and are taken off.
  virtual void know_lost(IsLost) {}
  // Those that there are, in the order of their tokens. Called at most once, before start(), where the state may be
  // older than what was launched. It may take as long as the cluster does. Errors: `unavailable`, `io`: not all of it
  // could be seen.
  virtual Result<std::vector<LostLaunch>> lost_launches() { return std::vector<LostLaunch>{}; }

  // Begins to deliver observations, and reports on every attempt in `live` (that the
  // stored state says have not ended): what is known of each, or
  // TokenIsUnknown. Called once, before any other call but inventory().
  virtual Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) = 0;

  // The nodes as they are now.
  virtual Result<std::vector<Node>> inventory() = 0;

  // Precondition: the intent to launch is committed.
  virtual void launch(LaunchRequest request) = 0;

  // What answers the tasks that run elsewhere; null where none do. It lives as long as this.
  virtual TaskLink* task_link() { return nullptr; }
  // Precondition: these claims are stored, and were reported by GangIsWaiting of this token.
  virtual void open_gate(const Token&, std::span<const TaskClaim>) {}

  // Asks the gang to stop, then kills it when the grace is over. Before the start
  // gate it closes the gate: user code then never runs, and where the gate is in reach
  // (this machine) that holds when the call returns. A second call with a shorter grace
  // shortens it.
  virtual void stop(const Token& token, StopRequest request) = 0;

  // Replaces the token that user code reads before each request (LaunchRequest::contact).
  virtual void deliver(const Token& token, const Secret& job_token) = 0;

  // Reads what a task wrote. It may take as long as a disk or a network does, so whoever has others to serve calls it
  // from a thread of its own. Errors: `not_found` before there is a log or after retention; `conflict` if something
  // else stands in its place, which a job can do; `unavailable`; `io`.
  virtual Result<LogChunk> read_log(const LogQuery& query) = 0;

  // So many nodes of the flavor are to be there in all (Flavor::wanted): asks whoever manages the cluster for those
  // that are missing. 0: none are, and what is idle may go. It holds until the next call for the flavor, not over a
  // restart: then it is said again. An executor whose nodes are what they are does nothing.
  virtual void provision(const Flavor&) {}

  // The attempt's end is stored; what it left behind may be cleaned up by retention.
  virtual void release(const Token& token) = 0;

  // What this executor can really enforce, for people: "cpu limit" -> "cgroup v2" or
  // "not enforced".
  virtual std::map<std::string, std::string> enforcement() const = 0;
};

}  // namespace ym
