// TaskDesk: the server's side of the tasks that run elsewhere.
//
// Two speak of each task: the wrapper beside it (report(), which is proof), and the cluster
// (cluster_says(), which may lie or be late). The desk puts both together into observations, keeps
// the start gate, and says what is to be asked of the cluster (due()). It does not talk to the
// cluster: the executor that owns it does.
//
// What counts as what:
//   a claim                  of a token that is live: the first nonce of each task that comes while the gate is
//                            closed has it; a later one replaces it only if the first has been silent for
//                            `claim_timeout`, and never once the gate was opened for the first
//   GangIsWaiting            once, when every task is claimed; again after a restart
//   TaskHasEnded             the wrapper's word; or the cluster's Gone, after `settle` without the wrapper's; if the
//                            cluster does not say how it ended (no exit; or of what was let in that it was lost, or
//                            never started), after `silence` of a wrapper that was heard
//   StartIsDelayed           of a task that is not claimed, what the cluster's NotStarted has said for 10 s;
//                            other words after a pause, which grows from 20 s to 5 minutes
//   ContactIsLost            the cluster's OutOfSight of a task whose wrapper is silent for `silence`
//   ContactIsBack            every task of it is heard or seen again
//   TokenIsUnknown           of a live attempt at start(), once the cluster has said of all its tasks that it
//                            knows nothing of them (cluster_knows_nothing()) and no wrapper was heard
// A task that was never let in and is Gone has ended as start_failed, with the cluster's words.
//
// Of an adopted attempt (LiveAttempt) it is not known to whom its gate was opened, nor whether it was. The first
// wrapper of each task that says that it runs, or ran, has the task; who waits is sent away, and has ended as
// start_failed. What the cluster says of its end counts as of one that was let in; but not that an old wrapper, which
// was never heard, has ended well.
//
// A wrapper of a launch that is not known here and is lost (executor/lost_launch.h) is told neither that it is over nor
// that its task is taken: `unavailable`. Only who waits is sent away, since nobody will ever open its gate. Which
// launch it is of, its report says: what orders() cannot tell apart has to report first.
//
// A gate that was opened before a restart is kept as it was stored, and control is asked once more (GangIsWaiting)
// before anybody who still waits there is let in: it may have been stopped since.
// end_stored                after release(); in a gang that goes on, a second after the end was delivered. If the
//                           server dies in that second, the cluster still has the exit code, which is user code's
//
// Threads: any. Observations are delivered under no lock, in order for each token.
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

struct DeskOptions {
  Environment base_env{};               // of every task: PATH and what else the cluster wants set
  Duration start_timeout = minutes(5);  // from the first claim until the gang is whole
  Duration begin_timeout = minutes(5);  // for user code to begin, once it is let in
  Duration claim_timeout =
      seconds(60);                     // a claim that is silent for so long may be taken over while the gate is closed
  Duration settle = seconds(5);        // for the wrapper's last word after the cluster's
  Duration silence = seconds(60);      // of a wrapper, before the cluster's doubts count
  Duration stop_margin = seconds(20);  // after a stop's grace, until the cluster is asked to kill
  std::int64_t log_cap = std::int64_t{1} << 30;
  bool in_containers = false;  // LaunchRules
};

// --- what a cluster says of a task
struct NotStarted {
  std::string message;  // why: "Resources", "image is being pulled"
};
struct Alive {
  std::string node;  // where, as the cluster says; may be empty
};
// Its processes are gone, for certain. Without an exit it is not known how they ended.
struct Gone {
  std::optional<TaskExit> exit;
  std::string message;
  // Its wrapper is of a version that left with 0 also where it was not let in.
  bool of_old_wrapper = false;
};
struct OutOfSight {
  std::string message;
};
using ClusterWord = std::variant<NotStarted, Alive, Gone, OutOfSight>;

// --- what is to be asked of a cluster
struct KillTask {
  Token token;
  std::int32_t task = 0;
};

class TaskDesk final : public TaskLink {
 public:
  // `clock` must outlive it.
  TaskDesk(const Clock& clock, DeskOptions options);
  ~TaskDesk() override;

  // --- as the executor that owns it is asked
  void know_lost(IsLost is_lost);  // before start()
  void start(ObservationSink sink, std::span<const LiveAttempt> live);
  // Expects its tasks from now on. The executor says LaunchAccepted through say(). False: it can never be launched,
  // has been refused (LaunchRefused) and is not known here. The same token again changes nothing, but after
  // TokenIsUnknown.
  bool launch(LaunchRequest request);
  void open_gate(const Token& token, std::span<const TaskClaim> claims);
  // Before the gate was opened: closes it at once; nothing starts any more, and the executor takes
  // what waits off the cluster. True: the gate was open, and the wrappers ask user code to stop.
  bool stop(const Token& token, const StopRequest& request);
  // The gang can never be whole: closes the gate for good, as at the start timeout. False: it was opened, and nothing
  // changes; or the token is not known.
  bool close_gate(const Token& token);
  // All of a cluster that cannot be reached for long: leave_behind(), saying so.
  void leave_cluster(const std::string& cluster);
  // Its cluster cannot be reached for long, and it is not about to be let in: closes the gate for good and refuses it,
  // as the executor's own trouble, so that it can begin elsewhere. What there is of it the gate sends away, whenever
  // it comes. False: it may begin where it is, and nothing changes; or the token is not known.
  bool leave_behind(const Token& token, const std::string& why);
  void deliver(const Token& token, const Secret& job_token);
  void release(const Token& token);

  // --- as the executor learns it from its cluster
  void cluster_says(const Token& token, std::int32_t task, ClusterWord word);
  void cluster_knows_nothing(const Token& token);
  // What only the executor knows of an attempt, a cluster or a node, in order with the rest.
  void say(Observation observation);
  // What time has brought; to be called every second or so, from one thread. Tasks that the cluster is to kill
  // now: stops whose grace and margin are over, what waits at a gate that was closed for good, and what is left of
  // attempts that were released. Named again every 30 s for as long as the task is not known to have ended.
  std::vector<KillTask> due();

  // --- to look at
  // Launched or restored, and not released.
  bool knows(const Token& token) const;
  std::vector<Token> live() const;  // the same ones, by token
  std::optional<LaunchRequest> request(const Token& token) const;
  // Whether it was opened, by this server or one before, or nobody knows: then user code may have run.
  bool gate_is_open(const Token& token) const;
  // What the wrapper says that the task wrote, once that has ended.
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
