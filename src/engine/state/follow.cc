// State: built from tables, and updated by events.
#include <algorithm>

#include "base/assert.h"
#include "engine/engine.h"
#include "engine/state/impl.h"

namespace ym::engine {
namespace {

// One function for each event that concerns the engine: a missing one does not compile.
class Follow {
 public:
  Follow(State::Impl& state, Instant time) : state_(state), time_(time) {}

  void operator()(const JobSubmitted& e) {
    state_.add_job(e.job);
    JobRow& job = state_.jobs.at(e.job.id);
    job.waits_since = job.arrived_at = e.job.submitted_at;
  }
  void operator()(const JobHeld& e) {
    state_.end_nomination(e.job);
    wait(e.job, Waiting::held, ReasonCode::held);
  }
  void operator()(const JobReleased& e) {
    JobRow& job = state_.jobs.at(e.job);
    job.waits_since = job.arrived_at = time_;
    wait(e.job, Waiting::queued, ReasonCode::pending_evaluation);
  }
  void operator()(const JobDeferred& e) { state_.jobs.at(e.job).pending = e.code; }
  void operator()(const CancelRequested& e) { state_.jobs.at(e.job).cancel_requested = true; }
  void operator()(const JobRequeued& e) {
    JobRow& job = state_.jobs.at(e.job);
    job.not_before = e.not_before;
    const Instant begins = e.not_before ? std::max(time_, *e.not_before) : time_;
    if (e.not_before || e.cause != RetryCause::preempted) job.waits_since = begins;
    if (e.cause != RetryCause::preempted) {
      job.arrived_at = begins;
      state_.end_nomination(e.job);
    }
    wait(e.job, Waiting::queued, e.not_before ? ReasonCode::backoff : ReasonCode::pending_evaluation);
  }
  void operator()(const JobFinished& e) { state_.remove_job(e.job); }

  void operator()(const PlacementNominated& e) { state_.nominate(e.job, e.nomination); }
  void operator()(const NominationEnded& e) { state_.end_nomination(e.job); }
  void operator()(const CheckpointSkipped& e) { state_.history.skipped(e.job, e.checkpoint); }

  void operator()(const RunTimePredicted& e) { state_.jobs.at(e.job).predicted = e.run_time; }

  void operator()(const AttemptAdmitted& e) {
    state_.end_nomination(e.attempt.job);
    state_.jobs.set_waiting(e.attempt.job, Waiting::no);
    state_.jobs.at(e.attempt.job).not_before.reset();
    state_.jobs.at(e.attempt.job).pending.reset();
    state_.add_live(e.attempt);
    for (const UsageEntry& entry : state_.usage_of(e.attempt.job)) enter(state_.usage, entry, time_);
  }
  void operator()(const AttemptSubmitted& e) { seen(e.attempt); }
  void operator()(const AttemptStarting& e) { seen(e.attempt); }
  void operator()(const StartDelayed& e) { seen(e.attempt); }
  void operator()(const BarrierOpened& e) { seen(e.attempt); }
  void operator()(const AttemptStarted& e) {
    const Instant at = e.began(time_);
    state_.learn(e.attempt.job, [&](LiveAttempt& attempt) { attempt.started_at = at; });
  }
  void operator()(const AttemptStopping& e) {
    if (!state_.live.at(e.attempt.job).stopping && e.is_counted_as_preemption()) remember_preemption(e.attempt.job);
    state_.learn(e.attempt.job, [&](LiveAttempt& attempt) {
      if (!attempt.stopping) {
        attempt.yields_to = e.yields_to.value_or(JobId{});
        attempt.preempted = e.cause == StopCause::preemption;
      }
      if (e.stop_by) attempt.stop_by = std::min(attempt.stop_by.value_or(*e.stop_by), *e.stop_by);
      attempt.stopping = true;
      attempt.unreachable = false;
    });
  }
  void operator()(const AttemptProgressed& e) {
    if (e.report.checkpoint) state_.history.saved(e.attempt.job, *e.report.checkpoint);
  }
  void operator()(const ContactLost& e) {
    state_.learn(e.attempt.job, [](LiveAttempt& attempt) { attempt.unreachable = true; });
  }
  void operator()(const ContactRegained& e) { seen(e.attempt); }
  void operator()(const AttemptEnded& e) {
    JobRow& job = state_.jobs.at(e.attempt.job);
    const LiveAttempt& ended = state_.live.at(e.attempt.job);
    job.waits_since = job.waits_since + (time_ - ended.admitted_at);
    job.attained_gpu_ms += ended.gpu_ms_until(time_);
    state_.settle_cost(ended, time_);
    state_.end_live(e.attempt.job);
  }

  void operator()(const ClusterSet& e) { state_.inventory.set(e.row); }
  void operator()(const ClusterRemoved& e) { state_.inventory.remove_cluster(e.name); }
  void operator()(const NodeSet& e) { state_.set_node(e.row); }
  void operator()(const NodeRemoved& e) { state_.remove_node(e.name); }
  // Prices affect budgets.
  void operator()(const FlavorSet& e) {
    state_.inventory.set(e.row);
    state_.quota_stale = true;
  }
  void operator()(const FlavorRemoved& e) {
    state_.inventory.remove_flavor(e.name);
    state_.quota_stale = true;
  }
  void operator()(const NodesWanted& e) { state_.inventory.want(e.flavor, e.nodes, time_); }
  void operator()(const QueueSet& e) {
    state_.queues.insert_or_assign(e.row.name, e.row);
    state_.quota_stale = true;
  }
  void operator()(const QueueRemoved& e) {
    state_.queues.erase(e.name);
    state_.quota_stale = true;
  }
  void operator()(const ReservationSet& e) { state_.reservations.insert_or_assign(e.row.name, e.row); }
  void operator()(const ReservationRemoved& e) { state_.reservations.erase(e.name); }
  void operator()(const UsageSampled& e) {
    sample(state_.usage, state_.running_usage(), e.at, e.kept);
    state_.drop_old_spending(e.at);
  }
  template <IgnoredByEngine Payload>
  void operator()(const Payload&) {}

 private:
  void remember_preemption(JobId job) {
    state_.history.preempted(job, time_);
    state_.jobs.at(job).stopped_at = time_;
  }
  void seen(AttemptKey attempt) {
    state_.learn(attempt.job, [](LiveAttempt& held) { held.unreachable = false; });
  }
  void wait(JobId job, Waiting waiting, ReasonCode pending) {
    state_.jobs.set_waiting(job, waiting);
    state_.jobs.at(job).pending = pending;
  }

  State::Impl& state_;
  Instant time_;
};

}  // namespace

State::State() : impl_(std::make_unique<Impl>()) { impl_->refresh(); }
State::~State() = default;
State::State(const State& other) : impl_(std::make_unique<Impl>(*other.impl_)) {}
State& State::operator=(const State& other) {
  if (this != &other) impl_ = std::make_unique<Impl>(*other.impl_);
  return *this;
}
State::State(State&&) noexcept = default;
State& State::operator=(State&&) noexcept = default;

const State::Impl& State::impl() const {
  impl_->refresh();
  return *impl_;
}
State::Impl& State::impl() {
  impl_->refresh();
  return *impl_;
}
State::Impl& State::scratch() const {
  impl_->refresh();
  return *impl_;
}

State State::load(const Tables& tables) {
  State state;
  Impl& impl = *state.impl_;
  impl.version = tables.last_seq;
  for (const auto& [name, cluster] : tables.clusters) impl.inventory.set(cluster);
  for (const auto& [name, flavor] : tables.flavors) impl.inventory.set(flavor);
  for (const auto& [name, node] : tables.nodes) impl.inventory.set(node);
  impl.queues = tables.queues;
  impl.usage = tables.usage;
  impl.spending = tables.spending;
  impl.reservations = tables.reservations;
  impl.jobs.begin_bulk();
  for (const auto& [id, job] : tables.jobs)
    if (!is_terminal(job.state)) {
      impl.add_job(job);
      impl.history.load(job);
    }
  impl.jobs.end_bulk();
  for (const auto& [key, attempt] : tables.attempts)
    if (attempt.state != AttemptState::ended) impl.add_live(attempt);
  for (const auto& [id, job] : tables.jobs)
    if (!is_terminal(job.state) && job.nomination) impl.nominate(id, *job.nomination);
  impl.quota_stale = true;
  impl.refresh();
  return state;
}

void State::apply(const Event& event) {
  YM_ASSERT(event.seq == impl_->version + 1);
  std::visit(Follow{*impl_, event.time}, event.payload);
  impl_->version = event.seq;
}

std::uint64_t State::version() const { return impl_->version; }

}  // namespace ym::engine
