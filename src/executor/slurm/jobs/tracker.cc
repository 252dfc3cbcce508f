#include "executor/slurm/jobs/tracker.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

namespace ym::slurm {
namespace {

constexpr Duration kCancelPause = seconds(5);

struct ReportText {
  std::string operator()(const remote::NotStarted& w) const { return "not started " + w.message; }
  std::string operator()(const remote::Alive& w) const { return "alive " + w.node; }
  std::string operator()(const remote::Gone&) const { return "gone"; }
  std::string operator()(const remote::OutOfSight& w) const { return "out of sight " + w.message; }
};

}  // namespace

Tracker::Tracker(TrackerRules rules, BarrierIsOpen barrier_is_open)
    : rules_(std::move(rules)), barrier_is_open_(std::move(barrier_is_open)) {}

void Tracker::set_rules(TrackerRules rules) {
  const bool waited = !may_submit();
  rules_ = std::move(rules);
  if (waited && may_submit()) submit_waiting();
}

Tracker::Job* Tracker::find(const std::string& name) {
  const auto found = jobs_.find(name);
  return found == jobs_.end() ? nullptr : &found->second;
}

void Tracker::enter(Job& job, Stage stage, Instant now) {
  job.stage = stage;
  job.since = now;
}

void Tracker::add(const Token& token, std::vector<Part> parts, Stage stage, Instant now) {
  auto& names = tokens_[token];
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Job job{.token = token, .name = part_name(token, rules_.instance, i, parts.size()), .part = std::move(parts[i])};
    enter(job, stage, now);
    job.reported.resize(static_cast<std::size_t>(job.part.tasks()));
    names.push_back(job.name);
    auto name = job.name;
    jobs_.emplace(std::move(name), std::move(job));
  }
  note_epochs(token.epoch, seen_epoch_);
}

void Tracker::expect(const LaunchRequest& request, std::vector<Part> parts, Instant now) {
  const auto& token = request.token;
  if (tokens_.contains(token)) return;
  add(token, std::move(parts), Stage::queued, now);
  unaccepted_.insert(token);
  const auto& names = tokens_.at(token);
  actions_.submit.insert(actions_.submit.end(), names.begin(), names.end());
}

void Tracker::recall(const LiveAttempt& attempt, std::vector<Part> parts, Instant now) {
  const auto token = attempt.token();
  if (tokens_.contains(token)) return;
  add(token, std::move(parts), Stage::reconciling, now);
  if (!was_let_in(attempt)) return;
  for (const auto& name : tokens_.at(token)) {
    auto& job = jobs_.at(name);
    for (std::int32_t task = 0; task < job.part.tasks(); ++task)
      job.where.push_back(node_of_task(attempt, job.part.first_task + task));
  }
}

void Tracker::report_task(Job& job, std::int32_t task, remote::ClusterReport report) {
  auto& text = job.reported[static_cast<std::size_t>(task)];
  auto reported = std::visit(ReportText{}, report);
  if (text == "gone" || text == reported) return;
  text = std::move(reported);
  if (!released_.contains(job.token) && !refused_.contains(job.token))
    actions_.reports.push_back({job.token, job.part.first_task + task, std::move(report)});
}

void Tracker::report_all(Job& job, const remote::ClusterReport& report) {
  for (std::int32_t task = 0; task < job.part.tasks(); ++task) report_task(job, task, report);
}

// For the log; once for each job.
void Tracker::note_unexpected(Job& job, const std::string& what) {
  if (!std::exchange(job.odd_noted, true)) actions_.notes.push_back(fmt::format("{}: {}", job.name, what));
}

// Repeats a cancel after a while: the controller may have lost it.
void Tracker::cancel(Job& job, std::int64_t id, Instant now) {
  if (job.cancelled_at && now - *job.cancelled_at < kCancelPause && job.id == id) return;
  if (job.id == id) job.cancelled_at = now;
  actions_.cancel.push_back(id);
}

void Tracker::withdraw(const Token& token) {
  const auto found = tokens_.find(token);
  if (found == tokens_.end()) return;
  for (const auto& name : found->second) {
    auto& job = jobs_.at(name);
    job.wanted = false;
    if (job.stage != Stage::queued) continue;
    // If there was a submission, its job may still appear: it is looked for.
    job.stage = job.tries > 0 ? Stage::unclear : Stage::over;
    if (job.tries > 0) continue;
    report_all(job, remote::Gone{.exit = TaskExit{.by = EndedBy::cancelled}, .message = "never submitted to Slurm"});
  }
}

void Tracker::take_off(const Token& token) {
  withdraw(token);
  const auto found = tokens_.find(token);
  if (found == tokens_.end()) return;
  for (const auto& name : found->second) {
    const auto& job = jobs_.at(name);
    // Immediately, if the job is known to exist; the next list shows whether the cancel worked. If the job is missing,
    // another job may have its number by now.
    const bool is_there = (job.stage == Stage::listed && !job.over_since) || job.stage == Stage::accepted;
    if (is_there && !job.missing_since) actions_.cancel.push_back(job.id);
  }
}

// Its agents have reported their last state and end by themselves: a scancel for each job would cost more than the job.
// A job that is still on the next list is cancelled then.
void Tracker::release(const Token& token) {
  if (!tokens_.contains(token)) return;
  released_.insert(token);
  withdraw(token);
}

std::optional<std::pair<Token, Part>> Tracker::sending(const std::string& name, Instant now) {
  auto* job = find(name);
  if (job == nullptr || job->stage != Stage::queued || !job->wanted || !may_submit()) return std::nullopt;
  enter(*job, Stage::sending, now);
  ++job->tries;
  return std::pair{job->token, job->part};
}

void Tracker::sent(const std::string& name, std::int64_t id, Instant now) {
  auto* job = find(name);
  if (job == nullptr || job->stage == Stage::over) return actions_.cancel.push_back(id);
  if (job->stage == Stage::listed && job->id != id) {
    job->dismissed.insert(id);
    return actions_.cancel.push_back(id);
  }
  job->id = id;
  if (job->stage != Stage::listed) enter(*job, Stage::accepted, now);
  if (!job->wanted) actions_.cancel.push_back(id);
  check_accepted(job->token);
}

void Tracker::submit_failed(const std::string& name, const SubmitError& error, Instant now) {
  auto* job = find(name);
  if (job == nullptr || job->stage != Stage::sending) return;
  actions_.notes.push_back(fmt::format("{}: {}", name, error.message));
  if (error.kind == SubmitError::Kind::unclear) return enter(*job, Stage::unclear, now);
  enter(*job, Stage::over, now);
  if (!job->wanted) return report_all(*job, remote::Gone{.message = "refused by Slurm"});
  const bool permanent = error.kind == SubmitError::Kind::permanent;
  refuse(job->token, {.message = error.message, .permanent = permanent, .of_executor = !permanent});
}

void Tracker::refuse(const Token& token, LaunchRefused why) {
  if (refused_.insert(token).second) actions_.refused.emplace_back(token, std::move(why));
  unaccepted_.erase(token);
  take_off(token);
}

void Tracker::check_accepted(const Token& token) {
  const auto taken = [&](const std::string& name) {
    const auto stage = jobs_.at(name).stage;
    return stage == Stage::accepted || stage == Stage::listed;
  };
  if (!unaccepted_.contains(token) || !std::ranges::all_of(tokens_.at(token), taken)) return;
  unaccepted_.erase(token);
  actions_.accepted.push_back(token);
}

// Jobs that are still to be cancelled are on the next list too.
Actions Tracker::take() {
  if (is_replaced()) actions_.cancel.clear(), actions_.give_up.clear();
  return std::exchange(actions_, {});
}

bool Tracker::expects_change() const {
  return std::ranges::any_of(jobs_, [&](const auto& entry) {
    const auto& job = entry.second;
    const bool waits = job.stage == Stage::unclear || job.stage == Stage::accepted || job.stage == Stage::reconciling;
    return waits || job.missing_since || (job.stage == Stage::listed && (!job.wanted || !job.was_active));
  });
}

std::map<std::string, std::vector<const Part*>> Tracker::holdings() const {
  std::map<std::string, std::vector<const Part*>> held;
  for (const auto& [name, job] : jobs_) {
    if (job.stage == Stage::over || job.over_since) continue;
    const auto& nodes = rules_.placed ? job.part.nodes : job.row ? job.row->nodes : std::vector<std::string>{};
    for (const auto& node : nodes) held[node].push_back(&job.part);
  }
  return held;
}

std::vector<std::int64_t> Tracker::ids(const Token& token, std::optional<std::int32_t> task) const {
  std::vector<std::int64_t> found;
  const auto names = tokens_.find(token);
  if (names == tokens_.end() || is_replaced()) return found;
  for (const auto& name : names->second) {
    const auto& job = jobs_.at(name);
    const bool has_task = !task || (*task >= job.part.first_task && *task < job.part.first_task + job.part.tasks());
    const bool is_there = job.id != 0 && !job.over_since && !job.missing_since && job.stage != Stage::over;
    if (has_task && is_there) found.push_back(job.id);
  }
  return found;
}

void Tracker::see_nodes(const std::vector<NodeRow>& rows, Instant asked) {
  nodes_.see(rows, asked);
  for (auto& [name, job] : jobs_) review(job, asked);
}

void Tracker::review(Job& job, Instant now) {
  if (job.stage == Stage::over) return;
  if (job.over_since) return review_over(job, now);
  if (job.stage == Stage::listed && job.row && phase_of(job.row->state) == Phase::active && !job.missing_since)
    review_running(job);
}

void Tracker::review_running(Job& job) {
  if (is_configuring(*job.row)) return report_all(job, remote::NotStarted{.message = "Slurm makes its nodes ready"});
  for (std::int32_t task = 0; task < job.part.tasks(); ++task) {
    const auto at = static_cast<std::size_t>(task);
    const auto node = at < job.where.size() ? job.where[at] : std::string{};
    if (auto message = nodes_.out_of_sight(node)) report_task(job, task, remote::OutOfSight{std::move(*message)});
    else report_task(job, task, remote::Alive{node});
  }
}

void Tracker::review_over(Job& job, Instant now) {
  const auto& row = *job.row;
  const bool suspect = job.vanished || phase_of(row.state) == Phase::node_failed;
  const auto message = job.vanished ? "Slurm no longer knows the job" : describe(row);
  bool all_gone = true;
  for (std::int32_t task = 0; task < job.part.tasks(); ++task) {
    const auto at = static_cast<std::size_t>(task);
    auto leftovers = Leftovers::none;
    if (at < job.where.size())
      leftovers = nodes_.leftovers({.node = job.where[at],
                                    .suspect = suspect,
                                    .active_since = job.active_since,
                                    .ended = row.ended,
                                    .over_since = *job.over_since,
                                    .now = now,
                                    .settle = rules_.node_settle});
    if (leftovers == Leftovers::none) {
      report_task(job, task,
                  remote::Gone{.exit = job.vanished ? std::nullopt : exit_of(row, job.part.tasks() == 1),
                               .message = message,
                               .of_old_agent = !job.says_tasks});
      continue;
    }
    all_gone = false;
    if (leftovers == Leftovers::not_known) actions_.wants_nodes = true;
    else
      report_task(
          job, task,
          remote::OutOfSight{fmt::format("{}; its processes on node {} may still run", message, job.where[at])});
  }
  if (all_gone) enter(job, Stage::over, now);
}

}  // namespace ym::slurm
