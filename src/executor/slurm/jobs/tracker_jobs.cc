// Tracker: lists of jobs.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "executor/slurm/jobs/part_comment.h"
#include "executor/slurm/jobs/tracker.h"
#include "executor/slurm/power_up_jobs.h"

namespace ym::slurm {
namespace {

constexpr int kMostTries = 5;

int rank_of(const JobRow& row) {
  switch (phase_of(row.state)) {
    case Phase::active: return 0;
    case Phase::pending: return 1;
    default: return 2;
  }
}

// Of several jobs with one name: a running one first, then a waiting one, then an ended one. Among equals, the known
// one, then the first one that was submitted, or the last one that ended.
const JobRow* choose(const std::vector<const JobRow*>& rows, std::int64_t known,
                     const std::set<std::int64_t>& dismissed) {
  const JobRow* best = nullptr;
  const auto key = [&](const JobRow& row) {
    const int rank = rank_of(row);
    return std::tuple{rank, row.id != known, rank == 2 ? -row.id : row.id};
  };
  for (const auto* row : rows)
    if (!dismissed.contains(row->id) && (best == nullptr || key(*row) < key(*best))) best = row;
  return best;
}

constexpr std::size_t kMostUnknown = 10'000;

}  // namespace

void Tracker::see_jobs(const std::vector<JobRow>& rows, Instant asked) {
  std::unordered_map<std::string_view, std::vector<const JobRow*>> by_name;
  for (const auto& row : rows)
    if (is_ours(row.comment, rules_.instance)) by_name[row.name].push_back(&row);
  for (auto& [name, job] : jobs_) {
    const auto found = by_name.find(name);
    if (found != by_name.end()) see_rows(job, found->second, asked);
    else miss(job, asked);
  }
  review_reconciling();
  check_leader(rows);
  clear_unknown_jobs(rows, asked);
  for (auto& [name, job] : jobs_) review(job, asked);
  std::erase_if(tokens_, [&](const auto& entry) {
    const auto done = [&](const std::string& name) {
      const auto& job = jobs_.at(name);
      return job.stage == Stage::over || job.missed >= 2 || job.over_since;
    };
    if (!released_.contains(entry.first) || !std::ranges::all_of(entry.second, done)) return false;
    for (const auto& name : entry.second) jobs_.erase(name);
    released_.erase(entry.first);
    refused_.erase(entry.first);
    unaccepted_.erase(entry.first);
    return true;
  });
}

void Tracker::see_rows(Job& job, const std::vector<const JobRow*>& rows, Instant asked) {
  const auto* row = choose(rows, job.id, job.dismissed);
  if (row == nullptr) return miss(job, asked);
  // A lost submission may have created a twin, and an ended job must not begin again.
  for (const auto* other : rows) {
    if (!is_live(*other) || (other == row && job.stage != Stage::over)) continue;
    job.dismissed.insert(other->id);
    cancel(job, other->id, asked);
  }
  if (job.stage != Stage::over) adopt(job, *row, asked);
}

void Tracker::adopt(Job& job, const JobRow& row, Instant asked) {
  // The list does not show the current submission yet, only earlier ones.
  if (job.stage == Stage::sending && !is_live(row)) return;
  const bool first = job.stage != Stage::listed;
  job.id = row.id;
  job.says_tasks = job.says_tasks || says_which_tasks(row.comment);
  job.missing_since.reset();
  job.accounts_asked_last = false;
  job.missed = 0;
  if (see_after_end(job, row, asked)) return;
  job.row = row;
  if (first) enter(job, Stage::listed, asked);
  if (first) check_accepted(job.token);
  if (!job.wanted && is_live(row)) cancel(job, row.id, asked);
  switch (phase_of(row.state)) {
    case Phase::pending: return see_pending(job, asked);
    case Phase::active: {
      job.was_active = true;
      // While its nodes boot, the job has no processes there.
      if (!job.active_since && !is_configuring(row)) job.active_since = asked;
      if (!row.nodes.empty()) {
        job.where.clear();
        for (const auto& node : rules_.placed ? job.part.nodes : row.nodes)
          job.where.insert(job.where.end(), static_cast<std::size_t>(job.part.tasks_per_node), node);
      }
      return;
    }
    case Phase::over:
    case Phase::node_failed: return see_over(job, asked);
    case Phase::unknown:
      if (odd_states_.size() < 100 && odd_states_.insert(row.state).second)
        actions_.notes.push_back(fmt::format("an unknown state, which is ignored: \"{}\"", row.state));
  }
}

bool Tracker::see_after_end(Job& job, const JobRow& row, Instant asked) {
  if (!job.over_since || (job.vanished && !is_live(row))) return false;
  if (is_live(row)) {
    note_unexpected(job, fmt::format("Slurm job {} is {} after its end, and is cancelled", row.id, row.state));
    cancel(job, row.id, asked);
  } else if (const auto& earlier = job.row->state; row.state != earlier) {
    note_unexpected(job,
                    fmt::format("Slurm job {} was {} and is {} now: the first end stands", row.id, earlier, row.state));
  }
  return true;
}

void Tracker::see_pending(Job& job, Instant asked) {
  if (!job.pending_since) job.pending_since = asked;
  const auto& row = *job.row;
  // The job was requeued. Under this token it must not run again, and its earlier run must be cleared up first.
  if (row.restarts > 0 || job.was_active) {
    job.wanted = false;
    return cancel(job, row.id, asked);
  }
  report_all(job,
             remote::NotStarted{.message = row.reason.empty() ? "waits in Slurm" : "waits in Slurm: " + row.reason});
  if (!job.wanted) return;
  if (never_starts(row.reason))
    actions_.give_up.emplace_back(job.token, fmt::format("Slurm will never start it: {}", row.reason));
  else if (rules_.pending_timeout && asked - *job.pending_since >= *rules_.pending_timeout)
    actions_.give_up.emplace_back(job.token, fmt::format("Slurm has not started it on its nodes: {}", row.reason));
}

void Tracker::see_over(Job& job, Instant asked) {
  if (job.over_since) return;
  job.over_since = asked;
  // Its last list of nodes is complete.
  if (job.where.empty() && !job.row->nodes.empty() && job.row->started)
    for (const auto& node : rules_.placed ? job.part.nodes : job.row->nodes)
      job.where.insert(job.where.end(), static_cast<std::size_t>(job.part.tasks_per_node), node);
}

void Tracker::miss(Job& job, Instant asked) {
  const bool is_sought = job.stage == Stage::unclear || job.stage == Stage::accepted ||
                         job.stage == Stage::reconciling ||
                         (job.stage == Stage::listed && !job.over_since && !job.vanished);
  if (!is_sought) {
    if (released_.contains(job.token)) ++job.missed;
    return;
  }
  if (!rules_.ready) return;
  // A list from before the job existed says nothing about it. A list of a moment later does not either, if the
  // controller died in between.
  if (asked < job.since) return;
  const bool settles = job.stage == Stage::unclear || job.stage == Stage::accepted;
  if (settles && asked - job.since < rules_.confirm) return;
  if (!job.missing_since) {
    job.missing_since = asked;
    job.accounts_silent = !rules_.has_accounts;
  }
  ++job.missed;
  if (!job.accounts_silent) return actions_.ask_accounts.push_back(job.name);
  conclude_missing(job, asked);
}

void Tracker::conclude_missing(Job& job, Instant asked) {
  if (job.stage == Stage::reconciling) return;  // the token as a whole: review_reconciling()
  const bool may_have_run = job.was_active || barrier_is_open_(job.token);
  if (job.wanted && !may_have_run) {
    if (job.stage != Stage::listed || (job.missed >= 2 && asked - *job.missing_since >= rules_.confirm))
      submit_again(job, asked);
    return;
  }
  if (asked - *job.missing_since < rules_.forget && job.wanted) return;
  // The accounting is late too.
  if (rules_.has_accounts && !std::exchange(job.accounts_asked_last, true)) {
    job.accounts_silent = false;
    return actions_.ask_accounts.push_back(job.name);
  }
  job.vanished = true;
  job.over_since = *job.missing_since;
  if (!job.row) job.row = JobRow{.id = job.id, .name = job.name, .state = "gone from Slurm's lists"};
  if (job.where.empty() && rules_.placed && may_have_run)
    for (const auto& node : job.part.nodes)
      job.where.insert(job.where.end(), static_cast<std::size_t>(job.part.tasks_per_node), node);
}

void Tracker::submit_again(Job& job, Instant now) {
  job.missing_since.reset();
  job.pending_since.reset();
  job.missed = 0;
  job.id = 0;
  if (job.tries >= kMostTries) {
    job.stage = Stage::over;
    return refuse(job.token, {.message = "Slurm has lost the job repeatedly", .of_executor = true});
  }
  actions_.notes.push_back(fmt::format("{}: Slurm does not have it, and it is submitted again", job.name));
  enter(job, Stage::queued, now);
  actions_.submit.push_back(job.name);
}

// For a token of an earlier server: if it was not let in, either it has no jobs, or the missing ones were never
// submitted or are gone. If it was let in, Slurm may have forgotten a job that still runs on a lost node.
void Tracker::review_reconciling() {
  std::vector<Token> unknown;
  for (const auto& [token, names] : tokens_) {
    const auto is_missing = [&](const std::string& name) {
      const auto& job = jobs_.at(name);
      return job.stage == Stage::reconciling && job.missing_since && job.accounts_silent;
    };
    const bool all_missing = std::ranges::all_of(names, is_missing);
    const auto is_listed = [&](const std::string& name) { return jobs_.at(name).stage == Stage::listed; };
    if (all_missing && !barrier_is_open_(token)) unknown.push_back(token);
    else if (all_missing || std::ranges::any_of(names, is_listed))
      for (const auto& name : names)
        if (auto& job = jobs_.at(name); is_missing(name)) enter(job, Stage::listed, *job.missing_since);
  }
  for (const auto& token : unknown) {
    for (const auto& name : tokens_.at(token)) jobs_.erase(name);
    tokens_.erase(token);
    if (!released_.erase(token)) actions_.unknown.push_back(token);
  }
}

void Tracker::see_accounts(const std::vector<std::string>& names, const std::vector<JobRow>& rows, Instant asked) {
  std::map<std::string_view, std::vector<const JobRow*>> by_name;
  for (const auto& row : rows)
    if (!is_live(row) && phase_of(row.state) != Phase::unknown) by_name[row.name].push_back(&row);
  for (const auto& name : names) {
    auto* job = find(name);
    if (job == nullptr || !job->missing_since) continue;
    const auto found = by_name.find(name);
    const auto* row = found == by_name.end() ? nullptr : choose(found->second, job->id, job->dismissed);
    if (row != nullptr) adopt(*job, *row, asked);
    else job->accounts_silent = true;
    if (row == nullptr) conclude_missing(*job, asked);
    review(*job, asked);
  }
  review_reconciling();
}

void Tracker::note_epochs(std::uint64_t ours, std::uint64_t seen) {
  const bool waited = !may_submit();
  own_epoch_ = std::max(own_epoch_, ours);
  seen_epoch_ = seen;
  if (waited && may_submit()) submit_waiting();
}

void Tracker::submit_waiting() {
  for (const auto& [name, job] : jobs_)
    if (job.stage == Stage::queued && job.wanted) actions_.submit.push_back(name);
}

// A server without contact to its database does not learn that another has taken over; a job of the other one is proof.
void Tracker::check_leader(const std::vector<JobRow>& rows) {
  std::uint64_t seen = 0;
  for (const auto& row : rows) {
    if (!is_ours(row.comment, rules_.instance)) continue;
    const auto token = token_of_part(row.name, rules_.instance);
    seen = std::max(seen, token ? token->epoch : epoch_of_power_up_job(row, rules_.instance));
  }
  note_epochs(own_epoch_, seen);
  if (!is_replaced() || noted_epoch_ == seen) return;
  noted_epoch_ = seen;
  actions_.notes.push_back(
      fmt::format("a job of epoch {} exists, newer than this server's {}: another server leads. While that job exists, "
                  "this server submits and cancels no jobs",
                  seen, own_epoch_));
}

// The token of a job of this instance that waits or runs, and that no known attempt wants.
std::optional<Token> Tracker::unknown_launch(const JobRow& row) const {
  if (!is_live(row) || !is_ours(row.comment, rules_.instance) || jobs_.contains(row.name)) return std::nullopt;
  auto token = token_of_part(row.name, rules_.instance);
  if (token && tokens_.contains(*token) && !released_.contains(*token)) token.reset();
  return token;
}

std::vector<Token> Tracker::active_unknown_launches(const std::vector<JobRow>& rows) const {
  std::vector<Token> tokens;
  for (const auto& row : rows)
    if (const auto token = phase_of(row.state) == Phase::active ? unknown_launch(row) : std::nullopt)
      tokens.push_back(*token);
  return tokens;
}

bool Tracker::is_left_alone(const Token& token, const JobRow& row) {
  if (phase_of(row.state) != Phase::active || !is_lost_) return false;
  const auto lost = is_lost_(token);
  if (!lost || !*lost) return !lost;
  if (left_alone_.size() < kMostUnknown && left_alone_.insert(row.id).second)
    actions_.notes.push_back(
        fmt::format("{}: this server's state does not know its launch; it is left alone", row.name));
  return true;
}

// Cancels this instance's jobs that no known attempt wants, by their comments and names: for example, cancelled jobs
// that came back after a crash of the controller. A newer server's jobs are its own, and while there is one, all jobs
// are. Jobs of a live attempt may be parts that would be cut differently now. Of a lost launch only waiting jobs are
// cancelled: their barrier will never open.
void Tracker::clear_unknown_jobs(const std::vector<JobRow>& rows, Instant asked) {
  constexpr Duration kPause = seconds(30);
  if (is_replaced()) return;
  std::erase_if(unknown_jobs_, [&](const auto& entry) { return asked - entry.second > kPause; });
  for (const auto& row : rows) {
    const auto token = unknown_launch(row);
    if (!token || is_left_alone(*token, row)) continue;
    if (unknown_jobs_.size() >= kMostUnknown || !unknown_jobs_.emplace(row.id, asked).second) continue;
    actions_.notes.push_back(fmt::format("{}: no attempt wants it any more; it is cancelled", row.name));
    actions_.cancel.push_back(row.id);
  }
}

}  // namespace ym::slurm
