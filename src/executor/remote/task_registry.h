// TaskRegistry: the registry of tasks on other machines, on the server's side.
//
// Each task has two sources: the task agent beside it (report(), which is proof), and the cluster (cluster_says(),
// which may be wrong or late). The registry merges both into observations, controls the launch barrier, and lists what
// the cluster must be asked to kill (due()). It does not talk to the cluster: the executor that owns it does.
//
// The rules:
//   a claim                  of a live token: while the barrier is closed, the first nonce that claims a task has it.
//                            A later one replaces it only after `claim_timeout` without a report of the first, and
//                            never once the barrier was opened for the first
//   GangIsWaiting            once, when every task is claimed; again after a restart
//   TaskHasEnded             the agent's report; or the cluster's Gone, after `settle` without a report. If the
//                            cluster does not say how the task ended (no exit; or a task that was let in was lost,
//                            or never started), after `silence` of an agent that has reported before
//   StartIsDelayed           what the cluster's NotStarted has said for 10 s of an unclaimed task. Another message
//                            after a pause, which grows from 20 s to 5 minutes
//   ContactIsLost            the cluster's OutOfSight of a task, after `silence` of its agent
//   ContactIsBack            every task of the attempt is heard or seen again
//   TokenIsUnknown           of a live attempt of start(), once the cluster knows none of its tasks
//                            (cluster_knows_nothing()) and no agent has reported
//   end_stored               after release(); in a gang that goes on, one second after the end was delivered. If the
//                            server dies in that second, the cluster still has the exit code of user code
// A task that was never let in and is Gone has ended as start_failed, with the cluster's message.
//
// Of an adopted attempt (LiveAttempt) it is unknown whether its barrier was opened, and for which agents. The first
// agent of each task that says that user code runs, or ran, has the task. An agent that waits is sent away, and has
// ended as start_failed. The cluster's report of an end counts as for a task that was let in; but exit code 0 of an old
// agent without a report does not count as success.
//
// An agent of an unknown launch that is lost (executor/lost_launch.h) does not get the answer that the launch is over,
// or that its task is taken, but `unavailable`. Only an agent that waits is sent away, since its barrier will never
// open. The launch is in its report: so where orders() cannot tell the launch, the agent must report first.
//
// A barrier that was opened before a restart stays as stored. Before an agent that still waits there is let in, control
// is asked again (GangIsWaiting): it may have stopped the attempt since.
//
// Threads: any. Observations are delivered without a lock, in order for each token.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"
#include "executor/executor.h"
#include "executor/launcher/launcher.h"
#include "executor/remote/wire.h"
#include "executor/task_link.h"

namespace ym::remote {

struct RegistryOptions {
  Environment base_env{};                // of every task: PATH and other variables for this cluster
  Duration start_timeout = minutes(5);   // from the first claim until all tasks are claimed
  Duration begin_timeout = minutes(5);   // for user code to begin after `go`
  Duration claim_timeout = seconds(60);  // after this silence another agent may take the claim
  Duration settle = seconds(5);          // for the agent's last report after the cluster's
  Duration silence = seconds(60);        // time without an agent's report before the cluster's doubts count
  Duration stop_margin = seconds(20);    // after a stop's grace, before the cluster is asked to kill
  std::int64_t log_cap = std::int64_t{1} << 30;
  bool in_containers = false;  // LaunchRules
};

// --- reports of a cluster about a task
struct NotStarted {
  std::string message;  // reason: "Resources", "image is being pulled"
};
struct Alive {
  std::string node;  // name in the cluster; may be empty
};
// Its processes have certainly ended. Without an exit it is unknown how.
struct Gone {
  std::optional<TaskExit> exit;
  std::string message;
  // Its agent is of a version that exits with 0 even if it was not let in.
  bool of_old_agent = false;
};
struct OutOfSight {
  std::string message;
};
using ClusterReport = std::variant<NotStarted, Alive, Gone, OutOfSight>;

// --- requests to a cluster
struct KillTask {
  Token token;
  std::int32_t task = 0;
};

class TaskRegistry final : public TaskLink {
 public:
  // `clock` must outlive it.
  TaskRegistry(const Clock& clock, RegistryOptions options);
  ~TaskRegistry() override;

  // --- calls of the owning executor
  void know_lost(IsLost is_lost);  // before start()
  void start(ObservationSink sink, std::span<const LiveAttempt> live);
  // Expects its tasks from now on. The executor reports LaunchAccepted through say(). False: the launch can never
  // start, or its stop came first; it was refused (LaunchRefused) and is not kept here. A second call with the token
  // has no effect, except after TokenIsUnknown.
  bool launch(LaunchRequest request);
  void open_barrier(const Token& token, std::span<const TaskClaim> claims);
  // Before the barrier was opened: closes it at once. Then nothing starts any more, and the executor removes the
  // waiting tasks from the cluster. True: the barrier was open, and the agents ask user code to stop. Before the
  // launch: reports LaunchRefused, and so does the launch; remembered until release().
  bool stop(const Token& token, const StopRequest& request);
  // The gang can never be complete: closes the barrier for good, as at the start timeout. False: the barrier was open
  // and nothing changes, or the token is unknown.
  bool close_barrier(const Token& token);
  // leave_behind() for all attempts of a cluster that cannot be reached for long, with that reason.
  void leave_cluster(const std::string& cluster);
  // The cluster of the attempt cannot be reached for long, and the barrier is not about to open. Closes the barrier for
  // good and refuses the launch as the executor's own failure, so that the job can begin on another cluster. Agents
  // that come later are sent away. False: the attempt may begin where it is and nothing changes, or the token is
  // unknown.
  bool leave_behind(const Token& token, const std::string& why);
  void deliver(const Token& token, const Secret& job_token);
  void release(const Token& token);

  // --- what the executor learns from its cluster
  void cluster_says(const Token& token, std::int32_t task, ClusterReport report);
  void cluster_knows_nothing(const Token& token);
  // An observation that only the executor can make, of an attempt, a cluster or a node; in order with the others.
  void say(Observation observation);
  // Acts on timeouts; call it about once a second, from one thread. Returns tasks that the cluster must kill now: after
  // a stop's grace and margin, tasks that wait at a barrier that was closed for good, and remaining tasks of released
  // attempts. A task is returned again every 30 s until its end is known.
  std::vector<KillTask> due();

  // --- queries
  // Launched or restored, and not released.
  bool knows(const Token& token) const;
  std::vector<Token> live() const;  // the same tokens, in order
  std::optional<LaunchRequest> request(const Token& token) const;
  // Whether the barrier was opened, by this server or an earlier one, or whether that is unknown: user code may have
  // run.
  bool barrier_is_open(const Token& token) const;
  // Bytes of output by the agent's report, once the task has ended.
  std::optional<std::int64_t> log_bytes(const TaskKey& task) const;

  // --- TaskLink
  Result<std::string> report(const TaskKey& task, std::string_view report) override;
  Result<std::optional<std::string>> orders(const TaskKey& task, std::string_view nonce,
                                            std::uint64_t version) override;
  std::shared_ptr<void> watch(const AttemptKey& attempt, std::function<void()> wake) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ym::remote
