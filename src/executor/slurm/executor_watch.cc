// SlurmExecutor: polls Slurm.
#include <spdlog/spdlog.h>

#include <chrono>

#include "executor/slurm/executor_impl.h"
#include "executor/slurm/jobs/lost_jobs.h"

namespace ym::slurm {
namespace {

constexpr Duration kSoon = seconds(2);
constexpr Duration kFactsEvery = minutes(30);
constexpr Duration kFactsAgain = seconds(10);
constexpr int kFailuresUntilAway = 3;
constexpr std::size_t kNamesAtOnce = 200;
constexpr Duration kAccountsReach = hours(24 * 30);

}  // namespace

TrackerRules SlurmExecutor::rules() const {
  const bool placed = options_.placement == SlurmPlacement::ours;
  const auto settle = options_.node_settle.ms > 0 ? options_.node_settle : facts_.kill_wait + seconds(10);
  TrackerRules rules{.instance = options_.instance,
                     .placed = placed,
                     .ready = !facts_.version.empty(),
                     .has_accounts = facts_.keeps_accounts,
                     .confirm = options_.confirm,
                     .forget = options_.forget,
                     .node_settle = settle};
  if (placed) rules.pending_timeout = options_.pending_timeout;
  return rules;
}

void SlurmExecutor::know_lost(IsLost is_lost) {
  lost_.know(is_lost);
  registry_.know_lost(std::move(is_lost));
  const std::lock_guard lock{mutex_};
  tracker_.know_lost([this](const Token& token) { return lost_.known(token); });
}

// Ended jobs are on the list as long as Slurm's controller knows them.
Result<std::vector<LostLaunch>> SlurmExecutor::lost_launches() {
  const auto rows = client_->jobs();
  if (!rows) return fail(ErrorCode::unavailable, rows.error().message);
  return lost_among(*rows, options_.instance,
                    [this](const Token& token) { return lost_.is_lost(token, clock_.now()); });
}

void SlurmExecutor::watch() {
  std::unique_lock lock{mutex_};
  while (!over_) {
    lock.unlock();
    const auto now = clock_.now();
    if (facts_are_due(now) && look_at_facts()) follow_up();
    bool soon = false, nodes_soon = false, accounts = false;
    lock.lock();
    soon = tracker_.expects_change();
    nodes_soon = wants_nodes_ || power_up_jobs_.any();
    accounts = !ask_accounts_.empty();
    lock.unlock();
    // Regular polls first: extra ones must not use up their budget.
    const bool nodes_turn = is_due(nodes_at_, options_.node_poll, now);
    if (nodes_turn && budget_.take(now)) look_at_nodes();
    if (is_due(jobs_at_, soon ? std::min(kSoon, options_.poll) : options_.poll, now) && budget_.take(now))
      look_at_jobs();
    if (accounts) look_at_accounts();
    if (nodes_soon && !nodes_turn && is_due(nodes_at_, std::min(kSoon, options_.node_poll), now) && budget_.take(now))
      look_at_nodes();
    lock.lock();
    changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return over_; });
  }
}

bool SlurmExecutor::is_due(Instant last, Duration pause, Instant now) const { return now - last >= pause; }

bool SlurmExecutor::facts_are_due(Instant now) const {
  const std::lock_guard lock{mutex_};
  return !facts_at_ || is_due(*facts_at_, facts_.version.empty() ? kFactsAgain : kFactsEvery, now);
}

bool SlurmExecutor::look_at_facts() {
  {
    const std::lock_guard lock{mutex_};
    facts_at_ = clock_.now();
  }
  auto facts = client_->facts();
  const std::lock_guard lock{mutex_};
  if (!facts) {
    if (facts_.version.empty() && !std::exchange(facts_missed_, true))
      spdlog::warn("{}: nothing is submitted until Slurm's configuration can be read: {}", options_.cluster,
                   facts.error().message);
    return false;
  }
  facts_ = std::move(*facts);
  tracker_.set_rules(rules());
  return true;
}

void SlurmExecutor::look_at_jobs() {
  const auto asked = jobs_at_ = clock_.now();
  const auto rows = client_->jobs();
  heard(job_failures_, rows.has_value(), rows ? "" : rows.error().message);
  if (!rows) return;
  ask_what_is_lost(*rows);
  {
    const std::lock_guard lock{mutex_};
    tracker_.see_jobs(*rows, asked);
    power_up_jobs_.see_jobs(*rows, asked);
  }
  follow_up();
  update_power_up_jobs(shown_);
}

// Asks without holding `mutex_`.
void SlurmExecutor::ask_what_is_lost(const std::vector<JobRow>& rows) {
  std::vector<Token> unknown_launches;
  {
    const std::lock_guard lock{mutex_};
    unknown_launches = tracker_.active_unknown_launches(rows);
  }
  for (const auto& token : unknown_launches) static_cast<void>(lost_.is_lost(token, clock_.now()));
}

void SlurmExecutor::look_at_nodes() {
  const auto asked = nodes_at_ = clock_.now();
  const auto rows = client_->nodes();
  heard(node_failures_, rows.has_value(), rows ? "" : rows.error().message);
  if (!rows) return;
  {
    const std::lock_guard lock{mutex_};
    wants_nodes_ = false;
    tracker_.see_nodes(*rows, asked);
  }
  follow_up();
  show_nodes(*rows);
}

// The accounting is another server, and not part of what Slurm's controller answers.
void SlurmExecutor::look_at_accounts() {
  std::vector<std::string> names;
  {
    const std::lock_guard lock{mutex_};
    while (!ask_accounts_.empty() && names.size() < kNamesAtOnce)
      names.push_back(std::move(ask_accounts_.extract(ask_accounts_.begin()).value()));
  }
  const auto asked = clock_.now();
  const auto rows = client_->history(names, asked - kAccountsReach);
  if (!rows) {
    // The next list without these jobs asks for them again.
    spdlog::warn("{}: {}", options_.cluster, rows.error().message);
    return;
  }
  {
    const std::lock_guard lock{mutex_};
    tracker_.see_accounts(names, *rows, asked);
  }
  follow_up();
}

// One failure does not count: a busy controller answers late. Several failures of one query are enough, even if the
// other query works: without the list of jobs their state is unknown.
void SlurmExecutor::heard(int& failures, bool good, const std::string& why) {
  failures = good ? 0 : failures + 1;
  if (!good && failures < kFailuresUntilAway) return;
  if (good && (job_failures_ >= kFailuresUntilAway || node_failures_ >= kFailuresUntilAway)) return;
  if (available_ == good) return;
  available_ = good;
  {
    const std::lock_guard lock{mutex_};
    if (good) away_since_.reset();
    else away_since_ = clock_.now();
  }
  if (!good) spdlog::warn("{}: {}", options_.cluster, why);
  registry_.say({{}, ClusterIsSeen{.cluster = options_.cluster, .available = good, .message = why}});
}

std::map<std::string, Ours> SlurmExecutor::ours() const {
  std::map<std::string, Ours> all;
  for (const auto& [node, parts] : tracker_.holdings())
    for (const auto* part : parts) all[node].add(*part);
  for (const auto& token : registry_.live())
    if (const auto request = registry_.request(token))
      for (const auto& placed : request->placement)
        all[placed.node].devices.insert(placed.devices.begin(), placed.devices.end());
  for (const auto& node : power_up_jobs_.nodes()) all[node].woken = true;
  return all;
}

// Precondition: the mutex is held.
std::vector<Node> SlurmExecutor::nodes_of(const std::vector<NodeRow>& rows) const {
  auto nodes = make_nodes(rows, facts_, options_, ours());
  power_up_jobs_.withhold(nodes);
  return nodes;
}

void SlurmExecutor::show_nodes(const std::vector<NodeRow>& rows) {
  std::vector<Node> nodes;
  {
    const std::lock_guard lock{mutex_};
    if (facts_.version.empty()) return;
    nodes = nodes_of(rows);
  }
  update_power_up_jobs(nodes);
  if (nodes == shown_) return;
  shown_ = nodes;
  registry_.say({{}, NodesAreSeen{.cluster = options_.cluster, .nodes = std::move(nodes)}});
}

}  // namespace ym::slurm
