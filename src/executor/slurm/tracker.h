// Tracker: what is known of each Slurm job of ours, and what follows from it. Pure: it is told what was asked, what was
// answered and when, and says what is to be done.
//
// A job is known by its name, which is its token; an id is believed only together with the name. A list that came is
// believed as to what is on it; what is missing from it is missed for good only after a while, and then the accounts
// are asked. A job is submitted again only if it is nowhere and its start gate is closed.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/remote/task_desk.h"
#include "executor/slurm/client.h"
#include "executor/slurm/job_states.h"
#include "executor/slurm/node_watch.h"
#include "executor/slurm/parts.h"

namespace ym::slurm {

struct TrackerRules {
  std::string instance = "default";
  bool placed = true;  // the nodes of a part are ours to say
  // Slurm has said how it is configured. Before, nothing is submitted, and what is missing is not missed.
  bool ready = true;
  bool has_accounts = false;
  Duration confirm = seconds(6);
  Duration forget = seconds(30);
  Duration node_settle = seconds(40);  // a node that is back has ended by then what it is not to run
  std::optional<Duration> pending_patience{};
};

struct TaskWord {
  Token token;
  std::int32_t task = 0;
  remote::ClusterWord word;
};

// In the order in which they are to be done.
struct Actions {
  std::vector<Token> accepted;
  std::vector<TaskWord> words;
  std::vector<Token> unknown;  // the cluster knows nothing of them
  std::vector<std::pair<Token, LaunchRefused>> refused;
  std::vector<std::pair<Token, std::string>> give_up;  // to be taken off the cluster if their gate is closed
  std::vector<std::int64_t> cancel;
  std::vector<std::string> submit;        // names
  std::vector<std::string> ask_accounts;  // names
  bool wants_nodes = false;               // a newer list of them decides something
  std::vector<std::string> notes;         // for the log
};

class Tracker {
 public:
  using GateIsOpen = std::function<bool(const Token&)>;
  // As IsLost, of what was asked before. Nothing: it was not, and is let be until it was.
  using KnownLost = std::function<std::optional<bool>(const Token&)>;

  Tracker(TrackerRules rules, GateIsOpen gate_is_open);
  void set_rules(TrackerRules rules);
  // Of this server; it is the newest token's, too. Jobs of a newer one are of a server that has taken over since: they
  // are left alone, and while one of them is on the list, nothing is submitted or cancelled.
  void begin_epoch(std::uint64_t epoch) { note_epochs(epoch, seen_epoch_); }
  // What is lost and has begun is let be.
  void know_lost(KnownLost is_lost) { is_lost_ = std::move(is_lost); }

  // --- what is wanted
  // To be submitted. Of a token that it has already: nothing.
  void expect(const LaunchRequest& request, std::vector<Part> parts, Instant now);
  // May have been submitted in an earlier life. What was let in then and is nowhere is not gone before its nodes show
  // it.
  void recall(const LiveAttempt& attempt, std::vector<Part> parts, Instant now);
  // They are to go off the cluster, and to stay off.
  void take_off(const Token& token);
  // Nobody asks for it any more. What the next list still has of it is taken off.
  void release(const Token& token);
  bool knows(const Token& token) const { return tokens_.contains(token); }

  // --- what was done. `name` is one of Actions::submit.
  // Nothing: it is not wanted any more, or not now; then it is named again.
  std::optional<std::pair<Token, Part>> sending(const std::string& name, Instant now);
  void sent(const std::string& name, std::int64_t id, Instant now);
  void trouble(const std::string& name, const SubmitTrouble& trouble, Instant now);

  // --- what Slurm says; `asked` is when the question was put
  void see_jobs(const std::vector<JobRow>& rows, Instant asked);
  void see_accounts(const std::vector<std::string>& names, const std::vector<JobRow>& rows, Instant asked);
  void see_nodes(const std::vector<NodeRow>& rows, Instant asked);

  // What follows from all that, and has not been said before.
  Actions take();

  // --- to look at
  // Of what see_jobs() of these has to know whether it is lost.
  std::vector<Token> active_strangers(const std::vector<JobRow>& rows) const;
  // Whether something is expected of Slurm soon, so that asking more often tells more.
  bool expects_change() const;
  // Whether anything is submitted now.
  bool may_submit() const { return rules_.ready && !is_replaced(); }
  // Ours that hold, or soon may hold, something of a node: by node.
  std::map<std::string, std::vector<const Part*>> holdings() const;
  // Ids of a token's jobs, as of the last list; of those that are not missing from it, and that are ours to cancel.
  std::vector<std::int64_t> ids(const Token& token, std::optional<std::int32_t> task) const;

 private:
  enum class Stage : std::uint8_t {
    queued,  // to be submitted
    sending,
    unclear,   // submitted, perhaps
    accepted,  // not yet seen on a list
    listed,
    reconciling,  // of an earlier life: not yet looked for
    over          // nothing of it is left, or nothing that matters
  };
  struct Job {
    Token token;
    std::string name;
    Part part;
    Stage stage = Stage::queued;
    Instant since;  // in this stage
    std::int64_t id = 0;
    int tries = 0;
    bool wanted = true;         // false: to be taken off
    std::optional<JobRow> row;  // as last listed
    bool says_tasks = false;    // its comment did; the accounts do not keep it everywhere
    bool was_active = false;
    bool vanished = false;  // gone from everywhere, without a word
    bool odd_noted = false;
    std::optional<Instant> missing_since;
    int missed = 0;
    bool accounts_silent = false;      // asked since it is missing
    bool accounts_asked_last = false;  // once more, before it is given up
    std::optional<Instant> pending_since, over_since, active_since;
    std::vector<std::string> where;       // by task, as last known
    std::vector<std::string> said;        // by task
    std::set<std::int64_t> dismissed;     // twins
    std::optional<Instant> cancelled_at;  // last
  };

  // tracker.cc
  Job* find(const std::string& name);
  void add(const Token& token, std::vector<Part> parts, Stage stage, Instant now);
  void unwant(const Token& token);
  void enter(Job& job, Stage stage, Instant now);
  void say(Job& job, std::int32_t task, remote::ClusterWord word);
  void say_all(Job& job, const remote::ClusterWord& word);
  void cancel(Job& job, std::int64_t id, Instant now);
  void note_odd(Job& job, const std::string& what);
  void check_accepted(const Token& token);
  void refuse(const Token& token, LaunchRefused why);
  // tracker_jobs.cc
  void see_rows(Job& job, const std::vector<const JobRow*>& rows, Instant asked);
  void adopt(Job& job, const JobRow& row, Instant asked);
  bool see_after_end(Job& job, const JobRow& row, Instant asked);  // false: it has not ended
  void see_pending(Job& job, Instant asked);
  void see_over(Job& job, Instant asked);
  void miss(Job& job, Instant asked);
  void conclude_missing(Job& job, Instant asked);
  void submit_again(Job& job, Instant now);
  void review_reconciling();
  // tracker_strangers.cc
  void note_epochs(std::uint64_t ours, std::uint64_t seen);
  bool is_replaced() const { return seen_epoch_ > own_epoch_; }
  void submit_waiting();
  void look_who_leads(const std::vector<JobRow>& rows);
  void clear_strangers(const std::vector<JobRow>& rows, Instant asked);
  std::optional<Token> stranger(const JobRow& row) const;
  bool is_let_be(const Token& token, const JobRow& row);
  // tracker_nodes.cc
  void review(Job& job, Instant now);
  void review_running(Job& job);
  void review_over(Job& job, Instant now);

  TrackerRules rules_;
  GateIsOpen gate_is_open_;
  std::map<std::string, Job, std::less<>> jobs_;      // by name
  std::map<Token, std::vector<std::string>> tokens_;  // names of its parts
  std::set<Token> unaccepted_, released_, refused_;
  std::uint64_t own_epoch_ = 0, seen_epoch_ = 0, noted_epoch_ = 0;  // the newest: ours, on the last list, in the log
  std::map<std::int64_t, Instant> strangers_;                       // cancelled at
  KnownLost is_lost_;
  std::set<std::int64_t> let_be_;     // said in the log once
  std::set<std::string> odd_states_;  // said in the log once
  NodeWatch nodes_;
  Actions actions_;
};

}  // namespace ym::slurm
