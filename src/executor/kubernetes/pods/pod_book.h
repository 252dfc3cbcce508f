// PodBook: the pods that each attempt must have, the pods that exist, and the actions that follow.
//
// Pure: it reads no clock and makes no requests. The owner calls it with events, and does what it returns. The creation
// of a task's pod is repeated, with the same name, until the server confirms it. From then on the pod is identified by
// its uid, so a successor with its name is not mistaken for it. If it is gone and nothing proves that its processes
// have ended, the task is out of sight until the node of the pod was in contact for long enough to learn that it must
// end them. Before the launch barrier opens, it is enough that no task will be let in.
//
// Pods of ended launches of an earlier server are removed. Running pods of a lost launch (executor/lost_launch.h) are
// left alone, and their resources count as foreign. A pod with a newer epoch than any known one proves that another
// server leads, even if this server does not know it yet. While that pod exists, and for some minutes after its end,
// nothing is created or removed.
//
// Threads: none; its owner locks.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "executor/kubernetes/api/api_error.h"
#include "executor/kubernetes/pods/pod.h"
#include "executor/kubernetes/pods/pod_state.h"

namespace ym::kubernetes {

inline constexpr Duration kKillGrace = seconds(1);

// After a request without a clear answer, the pod is checked again after this time.
inline constexpr Duration kLookAgain = seconds(10);

struct Removal {
  PodKey key;
  std::string uid;
  Duration grace;
  bool keep_log = false;  // read its log first
  bool is_kill = false;   // the pod runs and occupies its node
  std::string node{};     // the node with the log
};

struct LogToSave {
  PodKey key;
  std::string node;
  bool whole = false;  // the task has ended: after this one (log_saved()) the log is complete
};

struct PodReport {
  PodKey key;
  remote::ClusterReport report;
};

// What to do, in the order of the fields.
struct Effects {
  std::vector<Observation> observations;
  std::vector<PodReport> reports;
  std::vector<Token> unknown;        // the cluster does not know these
  std::vector<Token> close_barrier;  // never complete again: no task is let in, if none was; then call close()
  std::vector<PodKey> create;
  std::vector<PodKey> look_up;      // may have been created
  std::vector<LogToSave> save_log;  // of pods that another program deletes: read their logs so far
  std::vector<Removal> remove;      // not while another server leads
  std::vector<std::string> notes;   // for the server's log
  void add(Effects more);
};

struct BookRules {
  PodOptions pod;
  Duration cannot_start = minutes(5);   // until a pod that cannot start is given up
  Duration bind = minutes(10);          // for a pod to be bound to the chosen node, or it is given up
  Duration start = minutes(30);         // for a bound pod to start, or it is given up
  Duration node_contact = seconds(90);  // a node in contact for this time knows of a deletion
  Duration keep_finished{};             // pods of ended attempts
  Duration leave = seconds(30);         // for an agent to end by itself, or for news of a launch
};

struct ContactSince {
  NodeContact contact = NodeContact::unknown;
  Instant since;
};

class PodBook {
 public:
  PodBook(BookRules rules, std::function<ContactSince(const std::string& node)> contact);

  // --- what control wants
  void begin_epoch(std::uint64_t epoch);
  // As IsLost, from earlier answers. Empty: not asked yet; the launch counts as lost until its next event.
  using KnownLost = std::function<std::optional<bool>(const Token&)>;
  void know_lost(KnownLost is_lost) { is_lost_ = std::move(is_lost); }
  void restore(const LiveAttempt& live);
  Effects launch(LaunchRequest request, Instant now);
  Effects close(const Token& token, Instant now);  // no task of it starts any more
  Effects kill(const PodKey& key);
  Effects release(const Token& token, Instant now);
  // The launch barrier was opened for these claims: from now on user code may run, on their nodes.
  void let_in(const Token& token, std::span<const TaskClaim> claims);
  Effects ended(const PodKey& key);  // its agent reported the end: no more output follows
  void log_saved(const PodKey& key);

  // --- results of a creation
  // A pod in Effects::create or look_up is not named again before its request has begun or one of these calls came.
  // begin(): the creation begins. Returns the request if the pod is still wanted. Empty too while another server leads;
  // then the pod is named again.
  std::shared_ptr<const LaunchRequest> begin(const PodKey& key);
  Effects created(const PodKey& key, const std::string& uid, Instant now);
  Effects foreign(const PodKey& key, const std::string& uid, Instant now);  // another program's pod has the name
  Effects failed(const PodKey& key, const ApiError& error, Instant now);
  // A look-up failed, so the pod may exist, whatever the error is.
  Effects not_looked_up(const PodKey& key, const ApiError& error, Instant now);
  Effects absent(const PodKey& key, Instant now);  // a look-up found that it does not exist

  // --- what the cluster shows
  Effects seen(const PodView& pod, Instant now);
  Effects removed(const PodView& last, Instant now);
  Effects all_listed(Instant now);  // pods that were not seen by now do not exist
  Effects node_changed(const std::string& node, Instant now);
  Effects tick(Instant now);

  // --- queries
  std::size_t size() const { return runs_.size(); }
  bool knows(const Token& token) const { return runs_.contains(token); }
  // Token of a pod that may run and that is not wanted here: before seen(), find out whether it is lost.
  std::optional<Token> active_unknown(const PodView& pod) const;
  // The pod is of a lost launch and may run: this server has not placed it.
  bool is_left_alone(const PodView& pod) const;
  // Another server leads.
  bool is_replaced() const { return !newer_.empty(); }

 private:
  struct Task {
    enum class Stage : std::uint8_t { wanted, there, vanished, over };
    enum class Queued : std::uint8_t { nothing, create, look_up };
    Stage stage = Stage::wanted;
    Queued queued = Queued::nothing;  // named in Effects, and not begun
    bool present = false;             // the object exists
    bool creating = false;            // a request is pending
    bool look_again = false;          // created, not shown by a watch, and a look-up failed
    int tries = 0;
    int looks_in_vain = 0;  // failed look-ups in a row
    Instant retry_at;
    std::string uid;
    PodView last;  // if it was seen
    std::optional<Instant> cannot_start_since, unbound_since, starting_since;
    std::optional<PodVerdict::CannotStart> given_up;
    Instant vanished_at;
    std::string claim_node;  // node of the stored claim; or possible node, if adopted
    bool removing = false;   // requested, and pending until the server accepts it
    bool killed = false;     // removed with the shortest grace
    bool leaving = false;    // another program deletes it
    bool log_saved = false;  // after its end: the log is complete
    std::optional<remote::ClusterReport> reported;
  };
  struct Run {
    std::shared_ptr<const LaunchRequest> request;
    std::vector<Task> tasks;
    bool restored = false;  // it is unknown whether it has pods
    bool accepted = false, refused = false;
    bool closed = false;  // the barrier was closed before it opened; or the attempt is released
    std::optional<Instant> released_at;
  };

  // A pod with a newer epoch than this server's.
  struct Newer {
    std::string uid;
    std::optional<Instant> over_since;  // or deleted
  };
  // A pod of an unknown launch.
  struct UnknownPod {
    std::string uid, node;
    bool over = false;  // or, says its node, it has not begun
    bool lost = false;
    Instant since;
    bool removing = false;
  };

  Run* run_of(const Token& token);
  Task* task_of(const PodKey& key);
  Task* answered(const PodKey& key);
  void judge(const PodKey& key, Run& run, Task& task, Instant now, Effects& out);
  void say(const PodKey& key, Run& run, Task& task, remote::ClusterReport report, Effects& out);
  void check_timeouts(const PodKey& key, Task& task, const PodVerdict& verdict, Instant now, Effects& out);
  void give_up(const PodKey& key, Task& task, PodVerdict::CannotStart why, Effects& out);
  void remove(const PodKey& key, Task& task, Duration grace, Effects& out);
  void close_tasks(const Token& token, Run& run, Instant now, Effects& out);
  void close_task(const PodKey& key, Run& run, Task& task, Instant now, Effects& out);
  void refuse(const Token& token, Run& run, LaunchRefused why, Instant now, Effects& out);
  bool has_log(const Run& run, const PodView& pod) const;
  void look_after_log(const PodKey& key, const Run& run, Task& task, const PodView& pod, Effects& out) const;
  static void queue_up(const PodKey& key, Task& task, Task::Queued what, Effects& out);
  void reconcile(const Token& token, Run& run, Instant now, Effects& out);
  static void add_unseen(const Token& token, const Run& run, Effects& out);
  void vanish(const PodKey& key, Run& run, Task& task, Instant now, Effects& out);
  void pass(const PodKey& key, Run& run, Task& task, Instant now, Effects& out);
  void tidy(const PodKey& key, const Run& run, Task& task, Instant now, Effects& out);
  void check_leader(const PodKey& key, const PodView& pod, Instant now, Effects& out);
  void forget_old_leaders(Instant now);
  void note_unknown(const PodKey& key, const PodView& pod, Instant now);
  void forget_unknown(const PodKey& key, const std::string& uid, Instant now);
  void tidy_unknown_pods(Instant now, Effects& out);

  BookRules rules_;
  std::function<ContactSince(const std::string&)> contact_;
  std::map<Token, Run> runs_;
  std::map<PodKey, UnknownPod> unknown_pods_;
  std::map<PodKey, Newer> newer_;
  KnownLost is_lost_ = [](const Token&) { return false; };
  std::set<PodKey> left_alone_;
  std::uint64_t newest_ = 0;  // newest known epoch
  std::uint64_t noted_ = 0;   // newest epoch of another server that was logged
  bool listed_ = false;
};

}  // namespace ym::kubernetes
