// PodBook: which pods each attempt is to have, which it has, and what follows from both.
//
// It reads no clock and asks nobody: it is told what happens and returns what is to be done. A task's pod is created
// once, by name, until the server has said that it is there; it is known by its uid from then on, so a successor of its
// name is not taken for it. When it is no more, and nothing proves that its processes are gone, the task is out of
// sight until the pod's node has been in contact for long enough to have learnt that it has to end them. Before the
// start gate was opened it is enough that nobody is let in any more.
//
// What an earlier server has left of launches that are over is taken away. What runs of a launch that is lost
// (executor/lost_launch.h) is let be, and what it has counts as others'. A pod whose epoch is newer than any that we
// know is proof that another server leads, which we may not have heard: while it is there, and for some minutes after
// its end, nothing is created, and nothing is to be removed.
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

// So long after a request without a clear answer the pod is looked at again.
inline constexpr Duration kLookAgain = seconds(10);

struct Removal {
  PodKey key;
  std::string uid;
  Duration grace;
  bool keep_log = false;  // what it wrote is to be read before
  bool is_kill = false;   // of one that runs, and holds its node
  std::string node{};     // that has the log
};

struct LogToSave {
  PodKey key;
  std::string node;
  bool whole = false;  // the task has ended: once this is read (log_saved()) nothing more is
};

struct Word {
  PodKey key;
  remote::ClusterWord word;
};

// What is to be done: in the order of the fields.
struct Effects {
  std::vector<Observation> observations;
  std::vector<Word> words;
  std::vector<Token> unknown;     // the cluster knows nothing of them
  std::vector<Token> close_gate;  // never whole again: nobody is let in, unless they were; then close() follows
  std::vector<PodKey> create;
  std::vector<PodKey> look_up;      // that may have been created
  std::vector<LogToSave> save_log;  // of pods that others take away: what they wrote so far is to be read
  std::vector<Removal> remove;      // not while another leads
  std::vector<std::string> notes;   // for the log
  void add(Effects more);
};

struct BookRules {
  PodOptions pod;
  Duration hopeless = minutes(5);       // what cannot start is given up after so long
  Duration bind = minutes(10);          // a pod for a node that we chose is bound by then, or given up
  Duration start = minutes(30);         // a bound pod is started by then, or given up
  Duration node_contact = seconds(90);  // a node that was in contact for so long has heard of a deletion
  Duration keep_finished{};             // pods of attempts that are over
  Duration leave = seconds(30);         // for a wrapper to leave by itself, or a launch to be heard of
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
  // As IsLost, of what was asked before. Nothing: it was not, and counts as lost until the next that is seen of it.
  using KnownLost = std::function<std::optional<bool>(const Token&)>;
  void know_lost(KnownLost is_lost) { is_lost_ = std::move(is_lost); }
  void restore(const LiveAttempt& live);
  Effects launch(LaunchRequest request, Instant now);
  Effects close(const Token& token, Instant now);  // nothing of it starts any more
  Effects kill(const PodKey& key);
  Effects release(const Token& token, Instant now);
  // Its gate was opened for them: user code may run from now on, there.
  void let_in(const Token& token, std::span<const TaskClaim> claims);
  Effects ended(const PodKey& key);  // by its wrapper's word: it will write no more
  void log_saved(const PodKey& key);

  // --- what became of a creation
  // What was named is not named again until it was begun, or became of it what is said here.
  // The request, if the pod is still to be created: its creation has begun. Nothing, too, while another leads; then it
  // is named again.
  std::shared_ptr<const LaunchRequest> begin(const PodKey& key);
  Effects created(const PodKey& key, const std::string& uid, Instant now);
  Effects foreign(const PodKey& key, const std::string& uid, Instant now);  // another's pod has the name
  Effects failed(const PodKey& key, const ApiError& error, Instant now);
  // It was looked up, and the answer says nothing of it: whatever the error is, its pod may be there.
  Effects not_looked_up(const PodKey& key, const ApiError& error, Instant now);
  Effects absent(const PodKey& key, Instant now);  // it was looked up, and is not there

  // --- what the cluster shows
  Effects seen(const PodView& pod, Instant now);
  Effects removed(const PodView& last, Instant now);
  Effects all_listed(Instant now);  // what was not seen by now is not there
  Effects node_changed(const std::string& node, Instant now);
  Effects tick(Instant now);

  // --- to look at
  std::size_t size() const { return runs_.size(); }
  bool knows(const Token& token) const { return runs_.contains(token); }
  // The token of one that may run, and nobody here asks for: seen() has to know whether it is lost.
  std::optional<Token> active_stranger(const PodView& pod) const;
  // It is of a launch that is lost, and may run: nobody here has placed it.
  bool lets_be(const PodView& pod) const;
  // Another server leads.
  bool is_replaced() const { return !newer_.empty(); }

 private:
  struct Task {
    enum class Stage : std::uint8_t { wanted, there, vanished, over };
    enum class Queued : std::uint8_t { nothing, create, look_up };
    Stage stage = Stage::wanted;
    Queued queued = Queued::nothing;  // was named, and nobody has begun with it
    bool present = false;             // the object is there
    bool creating = false;            // a request is under way
    bool look_again = false;          // it was made, no watch has shown it, and a look at it told nothing
    int tries = 0;
    int looks_in_vain = 0;  // one after the other
    Instant retry_at;
    std::string uid;
    PodView last;  // if it was seen
    std::optional<Instant> hopeless_since, unbound_since, starting_since;
    std::optional<PodVerdict::Hopeless> given_up;
    Instant vanished_at;
    std::string claim_node;  // where it runs, by a stored claim; or may, if it was adopted
    bool removing = false;   // it was asked for, and is until the server has taken it
    bool killed = false;     // with the shortest grace
    bool leaving = false;    // others take it away
    bool log_saved = false;  // after its end: there is no more
    std::optional<remote::ClusterWord> said;
  };
  struct Run {
    std::shared_ptr<const LaunchRequest> request;
    std::vector<Task> tasks;
    bool restored = false;  // it is not known yet whether it has pods
    bool accepted = false, refused = false;
    bool closed = false;  // the gate, before it was opened; or it is released
    std::optional<Instant> released_at;
  };

  // A pod of an epoch that is newer than ours.
  struct Newer {
    std::string uid;
    std::optional<Instant> over_since;  // or gone
  };
  // A pod of a launch that nobody knows.
  struct Stranger {
    std::string uid, node;
    bool over = false;  // or it has not begun, as far as its node has said
    bool lost = false;
    Instant since;
    bool removing = false;
  };

  Run* run_of(const Token& token);
  Task* task_of(const PodKey& key);
  Task* answered(const PodKey& key);
  void judge(const PodKey& key, Run& run, Task& task, Instant now, Effects& out);
  void say(const PodKey& key, Run& run, Task& task, remote::ClusterWord word, Effects& out);
  void look_for_end_of_patience(const PodKey& key, Task& task, const PodVerdict& verdict, Instant now, Effects& out);
  void give_up(const PodKey& key, Task& task, PodVerdict::Hopeless why, Effects& out);
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
  // pod_book_strangers.cc
  void look_who_leads(const PodKey& key, const PodView& pod, Instant now, Effects& out);
  void forget_who_led(Instant now);
  void note_stranger(const PodKey& key, const PodView& pod, Instant now);
  void forget_stranger(const PodKey& key, const std::string& uid, Instant now);
  void tidy_strangers(Instant now, Effects& out);

  BookRules rules_;
  std::function<ContactSince(const std::string&)> contact_;
  std::map<Token, Run> runs_;
  std::map<PodKey, Stranger> strangers_;
  std::map<PodKey, Newer> newer_;
  KnownLost is_lost_ = [](const Token&) { return false; };
  std::set<PodKey> let_be_;
  std::uint64_t newest_ = 0;  // of the epochs that we were told of
  std::uint64_t noted_ = 0;   // of those of others that the log was told of
  bool listed_ = false;
};

}  // namespace ym::kubernetes
