#include "engine/forecast/future.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/reserve/walltime.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

// The number of attempts in the future; no real attempt has it.
constexpr std::int32_t kToCome = 1 << 30;

}  // namespace

Future::Future(State state, const Policy& policy, Instant now, Pace pace)
    : state_(std::move(state)), policy_(policy), begin_(now), now_(now), sampled_(usage_grid(now)), pace_(pace) {
  policy_.resizing = Resizing::off;
  const State::Impl& known = state_.impl();
  for (const auto& [job, attempt] : known.live) expect_end(job);
  for (const auto& [name, flavor] : known.inventory.flavor_rows()) expect_nodes(flavor, flavor.wanted.since);
  for (const Slot slot : known.jobs.waiting())
    if (known.jobs[slot].waiting == Waiting::queued) unstarted_.insert(known.jobs[slot].id);
}

Foreseen Future::run(const ForecastBounds& bounds) {
  end_ = look(bounds);
  return {std::move(starts_), end_ == End::bounds ? now_ : after(begin_, bounds.horizon)};
}

Future::End Future::look(const ForecastBounds& bounds) {
  const Instant horizon = after(begin_, bounds.horizon);
  while (cycles_ < bounds.cycles && !unstarted_.empty()) {
    cycles_ += 1;
    looks_ += state_.impl().jobs.waiting().size();
    if (looks_ > bounds.looks || (bounds.go_on && !bounds.go_on())) return End::bounds;
    sample_usage();
    const Plan plan = decide(state_, policy_, now_);
    for (const auto& decision : plan.decisions) std::visit([this](const auto& one) { carry_out(one); }, decision);
    for (const auto& provision : plan.provisions) want(provision);
    if (!go_on(plan, horizon)) return End::horizon;
  }
  return unstarted_.empty() ? End::all : End::bounds;
}

// Which jobs wait for jobs without an expected end, directly or not: ends those jobs and looks which jobs start then.
std::map<JobId, NoStart> Future::why_not(const ForecastBounds& bounds) {
  const NoStart rest = next_change_ == kNever ? NoStart::nothing_expected : NoStart::beyond_horizon;
  for (const NoStart cause : {NoStart::no_time_limit, NoStart::out_of_contact}) {
    blamed_ = cause;
    while (end_ == End::horizon && release(cause)) end_ = look(bounds);
  }
  for (const JobId job : unstarted_) causes_.emplace(job, end_ == End::bounds ? NoStart::not_looked_at : rest);
  return std::move(causes_);
}

bool Future::release(NoStart cause) {
  std::vector<JobId> jobs;
  for (const auto& [job, attempt] : state_.impl().live)
    if (attempt.unreachable == (cause == NoStart::out_of_contact) && !expected_.contains(job)) jobs.push_back(job);
  for (const JobId job : jobs) end(job);
  return !jobs.empty();
}

void Future::happen(EventPayload payload) {
  state_.apply({.seq = state_.version() + 1, .time = now_, .actor = {}, .reason = {}, .payload = std::move(payload)});
}

void Future::carry_out(const Admission& admission) {
  const State::Impl& known = state_.impl();
  const AttemptKey key{admission.job, kToCome};
  happen(AttemptAdmitted{{.job = key.job,
                          .number = key.number,
                          .cluster = admission.cluster,
                          .queue = known.queue_names[known.shape_of(*known.jobs.find(key.job)).queue],
                          .flavor = admission.flavor,
                          .prices_micros = {},
                          .placement = admission.placement,
                          .tasks = {},
                          .admitted_at = now_}});
  happen(AttemptStarted{key});
  expect_end(key.job);
  if (unstarted_.erase(key.job) == 0) return;
  if (blamed_) causes_.emplace(key.job, *blamed_);
  else starts_.emplace(key.job, now_);
}

void Future::carry_out(const Preemption& preemption) {
  NominatedPlacement nomination{.cluster = preemption.cluster,
                                .flavor = preemption.flavor,
                                .placement = preemption.placement,
                                .preempted_jobs = {},
                                .expires_at = after(now_, preemption.kept_for)};
  for (const auto& preempted : preemption.preempted_jobs) {
    nomination.preempted_jobs.push_back(preempted.job);
    stop(preempted.job, preemption_cause(preemption.cause), preemption.job);
    if (!preempted.goes_on.empty()) keep_to_go_on(preempted.job, preempted.goes_on, preemption.kept_for);
  }
  happen(PlacementNominated{preemption.job, std::move(nomination)});
}

void Future::carry_out(const Eviction& eviction) {
  stop(eviction.job, preemption_cause(eviction.cause), std::nullopt);
  if (!eviction.goes_on.empty()) keep_to_go_on(eviction.job, eviction.goes_on, eviction.kept_for);
}

void Future::keep_to_go_on(JobId job, const std::vector<TaskPlacement>& placement, Duration kept_for) {
  const State::Impl& known = state_.impl();
  const NodeIndex first = known.inventory.node_names.find(placement.front().node);
  happen(PlacementNominated{job,
                            {.cluster = known.inventory.cluster_names[known.inventory.cluster[first]],
                             .flavor = known.inventory.name_of(known.live.find(job)->flavors),
                             .placement = placement,
                             .preempted_jobs = {},
                             .expires_at = after(now_, kept_for)}});
}

void Future::stop(JobId job, PreemptionCause cause, std::optional<JobId> yields_to) {
  const State::Impl& known = state_.impl();
  happen(AttemptStopping{.attempt = {job, known.live.find(job)->number},
                         .cause = StopCause::preemption,
                         .preemption = cause,
                         .yields_to = yields_to,
                         .stop_by = after(now_, known.jobs.find(job)->grace)});
  expect_end(job);
}

// A preempted job waits again; any other job has finished.
void Future::end(JobId job) {
  const LiveAttempt& attempt = *state_.impl().live.find(job);
  const bool again = attempt.preempted && !state_.impl().jobs.find(job)->cancel_requested;
  happen(AttemptEnded{.attempt = {job, attempt.number}, .message = {}});
  if (again) happen(JobRequeued{.job = job, .cause = RetryCause::preempted});
  else happen(JobFinished{.job = job, .message = {}});
  expected_.erase(job);
}

void Future::expect_end(JobId job) {
  const JobRow& row = *state_.impl().jobs.find(job);
  const LiveAttempt& attempt = *state_.impl().live.find(job);
  expected_.erase(job);
  if (attempt.unreachable) return;
  const auto at = attempt.stopping ? std::max(now_, attempt.stop_by.value_or(after(now_, row.grace)))
                                   : expected_end(row, attempt, pace_, now_);
  if (!at) return;
  expected_.emplace(job, *at);
  endings_.push({.at = *at, .job = job});
}

std::optional<Future::Ending> Future::next_ending() {
  for (; !endings_.empty(); endings_.pop()) {
    const auto expected = expected_.find(endings_.top().job);
    if (expected != expected_.end() && expected->second == endings_.top().at) return endings_.top();
  }
  return std::nullopt;
}

void Future::want(const Provision& provision) {
  happen(NodesWanted{provision.flavor, provision.nodes});
  expect_nodes(state_.impl().inventory.flavor_rows().at(provision.flavor), now_);
}

// Expects as many nodes as are missing, apart from nodes that are coming already. Overdue nodes are due anew from now
// on.
void Future::expect_nodes(const Flavor& flavor, Instant since) {
  if (!flavor.elastic || flavor.wanted.nodes == 0) return;
  const auto& inventory = state_.impl().inventory;
  std::int64_t missing = flavor.wanted.nodes;
  for (const auto& pool : inventory.pools(inventory.flavor_names.find(flavor.name)))
    missing -= std::ranges::count_if(pool.nodes, [&](NodeIndex n) { return inventory.rows[n]->is_there(); });
  for (const auto& [at, node] : coming_) missing -= flavor.matches(node) ? 1 : 0;
  Instant due = after(since, flavor.elastic->provisioning);
  if (due < now_) due = after(now_, flavor.elastic->provisioning);
  Node node = flavor.elastic->node;
  node.cluster = flavor.cluster;
  for (; missing > 0; --missing) {
    // No node has a name with a space in it.
    node.name = fmt::format("new {}", ++made_);
    coming_.emplace(due, node);
  }
}

void Future::receive_nodes() {
  for (auto first = coming_.begin(); first != coming_.end() && first->first <= now_; first = coming_.begin())
    happen(NodeSet{coming_.extract(first).mapped()});
}

bool Future::go_on(const Plan& plan, Instant horizon) {
  const auto ending = next_ending();
  Instant next = ending ? ending->at : kNever;
  if (!coming_.empty()) next = std::min(next, coming_.begin()->first);
  if (plan.next_wake) next = std::min(next, std::max(*plan.next_wake, after(now_, grain_at(now_))));
  next_change_ = next;
  if (next > horizon) return false;
  now_ = next;
  end_until(after(next, grain_at(next)));
  receive_nodes();
  return true;
}

Duration Future::grain_at(Instant then) const { return {std::max(kFinest.ms, (then - begin_).ms / kGrains)}; }

// A nominated placement expires soon, so the ends of leaving jobs are not merged with later ones.
void Future::end_until(Instant last) {
  for (auto ending = next_ending(); ending && ending->at <= last; ending = next_ending()) {
    const bool makes_room = state_.impl().live.find(ending->job)->leaving;
    if (makes_room && ending->at > now_) break;
    now_ = std::max(now_, ending->at);
    end(ending->job);
  }
}

void Future::sample_usage() {
  const Instant grid = usage_grid(now_);
  if (policy_.fair_share != FairShare::decayed || grid <= sampled_) return;
  happen(UsageSampled{.at = grid, .kept = policy_.usage_kept});
  sampled_ = grid;
}

}  // namespace ym::engine
