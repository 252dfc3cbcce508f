// Tracker: what is known of each of this server's Slurm jobs, and the actions that follow. Pure: its owner calls it
// with requests, answers and times, and does what it returns.
//
// A job is identified by its name, which contains its token; an id counts only together with the name. Jobs on a list
// are taken as listed. A job that is missing counts as missing only after a while, and then the accounting is queried.
// A job is submitted again only if it is nowhere and its launch barrier is closed.
//
// Threads: one at a time.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executor/remote/task_registry.h"
#include "executor/slurm/client/client.h"
#include "executor/slurm/jobs/job_states.h"
#include "executor/slurm/jobs/parts.h"
#include "executor/slurm/node_watch.h"

namespace ym::slurm {

struct TrackerRules {
  std::string instance = "default";
  bool placed = true;  // this server chooses the nodes of a part
  // Slurm's configuration is known. Before that, nothing is submitted, and no job counts as missing.
  bool ready = true;
  bool has_accounts = false;
  Duration confirm = seconds(6);
  Duration forget = seconds(30);
  Duration node_settle = seconds(40);  // a node that is back has ended leftover processes by then
  std::optional<Duration> pending_timeout{};
};

struct ClusterTaskReport {
  Token token;
  std::int32_t task = 0;
  remote::ClusterReport report;
};

// In the order in which they must be done.
struct Actions {
  std::vector<Token> accepted;
  std::vector<ClusterTaskReport> reports;
  std::vector<Token> unknown;  // the cluster does not know these
  std::vector<std::pair<Token, LaunchRefused>> refused;
  std::vector<std::pair<Token, std::string>> give_up;  // to be cancelled if their barrier is closed
  std::vector<std::int64_t> cancel;
  std::vector<std::string> submit;        // names
  std::vector<std::string> ask_accounts;  // names
  bool wants_nodes = false;               // a decision needs a newer list of nodes
  std::vector<std::string> notes;         // for the server's log
};

class Tracker {
 public:
  using BarrierIsOpen = std::function<bool(const Token&)>;
  // As IsLost, from earlier answers. Empty: not asked yet; the job is left alone until the answer.
  using KnownLost = std::function<std::optional<bool>(const Token&)>;

  Tracker(TrackerRules rules, BarrierIsOpen barrier_is_open);
  void set_rules(TrackerRules rules);
  // The epoch of this server, which is also the newest token's. Jobs with a newer epoch are of a server that has taken
  // over: they are left alone, and while one of them is on the list, nothing is submitted or cancelled.
  void begin_epoch(std::uint64_t epoch) { note_epochs(epoch, seen_epoch_); }
  // Lost launches that have begun are left alone.
  void know_lost(KnownLost is_lost) { is_lost_ = std::move(is_lost); }

  // --- calls of control
  // To be submitted. Does nothing for a known token.
  void expect(const LaunchRequest& request, std::vector<Part> parts, Instant now);
  // Attempts that an earlier server may have submitted. If one was let in and is not in Slurm, it counts as ended only
  // when its nodes show that.
  void recall(const LiveAttempt& attempt, std::vector<Part> parts, Instant now);
  // The jobs must be cancelled, and must not come back.
  void take_off(const Token& token);
  // The attempt is over. Its jobs that are still on the next list are cancelled.
  void release(const Token& token);
  bool knows(const Token& token) const { return tokens_.contains(token); }

  // --- results. `name` is one of Actions::submit.
  // Empty: the job is not wanted any more, or not now; in that case it is named again.
  std::optional<std::pair<Token, Part>> sending(const std::string& name, Instant now);
  void sent(const std::string& name, std::int64_t id, Instant now);
  void submit_failed(const std::string& name, const SubmitError& error, Instant now);

  // --- answers of Slurm; `asked` is the time of the request
  void see_jobs(const std::vector<JobRow>& rows, Instant asked);
  void see_accounts(const std::vector<std::string>& names, const std::vector<JobRow>& rows, Instant asked);
  void see_nodes(const std::vector<NodeRow>& rows, Instant asked);

  // The actions that follow, each once.
  Actions take();

  // --- queries
  // Tokens that see_jobs() must know to be lost or not: find out before it.
  std::vector<Token> active_unknown_launches(const std::vector<JobRow>& rows) const;
  // Whether Slurm's state is expected to change soon, so that more frequent polls help.
  bool expects_change() const;
  // Whether submissions are allowed now.
  bool may_submit() const { return rules_.ready && !is_replaced(); }
  // This server's jobs that use a node, or may do so soon; by node.
  std::map<std::string, std::vector<const Part*>> holdings() const;
  // Ids of a token's jobs on the last list, without missing ones and jobs that this server must not cancel.
  std::vector<std::int64_t> ids(const Token& token, std::optional<std::int32_t> task) const;

 private:
  enum class Stage : std::uint8_t {
    queued,  // to be submitted
    sending,
    unclear,   // submitted, perhaps
    accepted,  // not on a list yet
    listed,
    reconciling,  // of an earlier server: not looked for yet
    over          // nothing of it is left, or nothing that matters
  };
  struct Job {
    Token token;
    std::string name;
    Part part;
    Stage stage = Stage::queued;
    Instant since;  // of this stage
    std::int64_t id = 0;
    int tries = 0;
    bool wanted = true;         // false: to be cancelled
    std::optional<JobRow> row;  // as last listed
    bool says_tasks = false;    // its comment did; some accounting databases drop it
    bool was_active = false;
    bool vanished = false;  // on no list any more, without an end
    bool odd_noted = false;
    std::optional<Instant> missing_since;
    int missed = 0;
    bool accounts_silent = false;      // no answer since it is missing
    bool accounts_asked_last = false;  // asked once more before it is given up
    std::optional<Instant> pending_since, over_since, active_since;
    std::vector<std::string> where;       // by task; last known node
    std::vector<std::string> reported;    // by task
    std::set<std::int64_t> dismissed;     // twins
    std::optional<Instant> cancelled_at;  // last time
  };

  // tracker.cc
  Job* find(const std::string& name);
  void add(const Token& token, std::vector<Part> parts, Stage stage, Instant now);
  void withdraw(const Token& token);
  void enter(Job& job, Stage stage, Instant now);
  void report_task(Job& job, std::int32_t task, remote::ClusterReport report);
  void report_all(Job& job, const remote::ClusterReport& report);
  void cancel(Job& job, std::int64_t id, Instant now);
  void note_unexpected(Job& job, const std::string& what);
  void check_accepted(const Token& token);
  void refuse(const Token& token, LaunchRefused why);
  void see_rows(Job& job, const std::vector<const JobRow*>& rows, Instant asked);
  void adopt(Job& job, const JobRow& row, Instant asked);
  bool see_after_end(Job& job, const JobRow& row, Instant asked);  // false: it has not ended
  void see_pending(Job& job, Instant asked);
  void see_over(Job& job, Instant asked);
  void miss(Job& job, Instant asked);
  void conclude_missing(Job& job, Instant asked);
  void submit_again(Job& job, Instant now);
  void review_reconciling();
  void note_epochs(std::uint64_t ours, std::uint64_t seen);
  bool is_replaced() const { return seen_epoch_ > own_epoch_; }
  void submit_waiting();
  void check_leader(const std::vector<JobRow>& rows);
  void clear_unknown_jobs(const std::vector<JobRow>& rows, Instant asked);
  std::optional<Token> unknown_launch(const JobRow& row) const;
  bool is_left_alone(const Token& token, const JobRow& row);
  void review(Job& job, Instant now);
  void review_running(Job& job);
  void review_over(Job& job, Instant now);

  TrackerRules rules_;
  BarrierIsOpen barrier_is_open_;
  std::map<std::string, Job, std::less<>> jobs_;      // by name
  std::map<Token, std::vector<std::string>> tokens_;  // names of its parts
  std::set<Token> unaccepted_, released_, refused_;
  std::uint64_t own_epoch_ = 0, seen_epoch_ = 0, noted_epoch_ = 0;  // newest epochs: own, on the last list, in the log
  std::map<std::int64_t, Instant> unknown_jobs_;                    // time of the cancel
  KnownLost is_lost_;
  std::set<std::int64_t> left_alone_;  // logged once
  std::set<std::string> odd_states_;   // logged once
  NodeWatch nodes_;
  Actions actions_;
};

}  // namespace ym::slurm
