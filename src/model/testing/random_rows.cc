#include "model/testing/random_rows.h"

#include <array>
#include <concepts>
#include <limits>

namespace ym::testing {
namespace {

template <class T, class... Of>
concept OneOf = (std::same_as<T, Of> || ...);

// One overload a type of member; a row is filled member by member, so that nothing keeps its default by accident.
class Filler {
 public:
  explicit Filler(Random& random) : random_(random) {}

  template <class... T>
  void fill(T&... members) {
    (set(members), ...);
  }

  void set(bool& out) { out = random_.below(2) == 1; }
  void set(std::int32_t& out) { out = pick<std::int32_t>(); }
  void set(std::int64_t& out) { out = pick<std::int64_t>(); }
  void set(std::uint64_t& out) { out = pick<std::uint64_t>(); }
  void set(double& out) { out = static_cast<double>(pick<std::int64_t>()) / 3; }
  void set(Instant& out) { set(out.ms); }
  void set(Duration& out) { set(out.ms); }
  void set(std::string& out) {
    static const std::array<std::string, 12> kParts{"a",  "train", " ",       "\"",   "\\",   "/",
                                                    "\n", "é",     "\x1b[2J", "\xff", "日本", std::string(1, '\0')};
    out.clear();
    for (auto n = random_.below(5); n > 0; --n) out += kParts[random_.below(kParts.size())];
  }
  template <class Tag>
  void set(StrongId<Tag>& out) {
    out.value = random_.next() >> random_.below(64);
  }
  void set(AttemptKey& out) { fill(out.job, out.number); }
  void set(JobState& out) { choose(out, 10); }
  void set(AttemptState& out) { choose(out, 7); }
  void set(TaskState& out) { choose(out, 3); }
  void set(EndedBy& out) { choose(out, 8); }
  void set(Certainty& out) { choose(out, 3); }
  void set(StopCause& out) { choose(out, 4); }
  void set(RetryCause& out) { choose(out, 4); }
  void set(ReasonCode& out) { choose(out, 19); }

  template <template <class> class Maybe, class T>
    requires OneOf<Maybe<T>, std::optional<T>, Rare<T>>
  void set(Maybe<T>& out) {
    out.reset();
    if (random_.below(2) == 1) set(out.emplace());
  }
  template <class T>
  void set(std::vector<T>& out) {
    out.resize(random_.below(4));
    for (auto& item : out) set(item);
  }
  template <class T>
  void set(std::map<std::string, T>& out) {
    set_entries(out);
  }
  void set(FlavorQuota& out) {
    for (auto& quota : out) set(quota);
  }
  void set(QuotaList& out) { set_entries(out); }
  template <class Map>
  void set_entries(Map& out) {
    out = {};
    for (auto n = random_.below(4); n > 0; --n) {
      std::string name;
      set(name);
      set(out[name]);
    }
  }

  void set(Quota& r) { fill(r.nominal, r.borrowing_limit, r.lending_limit); }
  void set(Program& r) { fill(r.form, r.words); }
  void set(TaskResources& r) {
    fill(r.gpus, r.gpu_type, r.cpus, r.memory_bytes, r.shm_bytes, r.profile, r.slices, r.gpu_memory_bytes,
         r.other_gpu_types);
  }
  void set(RetryPolicy& r) { fill(r.infra_max, r.error_max, r.preempted_max, r.backoff, r.backoff_max); }
  void set(SliceRule& r) { fill(r.level, r.nodes); }
  void set(PlacementRules& r) { fill(r.select, r.exclude, r.required_level, r.preferred_level, r.slice, r.anchor); }
  void set(PreemptRule& out) { choose(out, 3); }
  void set(StopRules& r) { fill(r.signal, r.grace, r.preemptible, r.min_runtime); }
  void set(CheckpointRules& r) { fill(r.dir, r.every, r.expect_save); }
  void set(TaskGroup& r) { fill(r.name, r.nodes, r.resources, r.run, r.launcher, r.env); }
  void set(JobSpec& r) {
    fill(r.name, r.project, r.queue, r.run, r.workdir, r.workdir_left_out, r.image, r.env, r.nodes, r.min_nodes);
    fill(r.resources, r.launcher, r.priority, r.time_limit, r.retry, r.placement, r.stop, r.checkpoint, r.groups);
    fill(r.array, r.array_parallel, r.deadline);
  }
  void set(RetryCounts& r) { fill(r.infra, r.error, r.preempted, r.launch); }
  void set(Job& r) {
    fill(r.id, r.spec_id, r.group, r.group_index, r.depends_on, r.name, r.project, r.owner, r.run_as, r.queue);
    fill(r.priority, r.state, r.pending, r.message, r.cancel_requested, r.submitted_at, r.started_at, r.ended_at);
    fill(r.waits_since, r.arrived_at, r.not_before, r.attempts, r.retries, r.hold, r.checkpoints, r.preempted_at,
         r.attained_gpu_ms, r.predicted);
    r.spec = std::make_shared<JobSpec>(random_spec(random_));
  }
  void set(PredictedRunTime& r) { fill(r.p10, r.p50, r.p90, r.samples, r.of_same_user); }
  void set(Checkpoint& r) { fill(r.uri, r.step, r.durable_at, r.attempt); }
  void set(Progress& r) { fill(r.step, r.total_steps, r.metrics, r.completed, r.at); }
  void set(ProgressReport& r) { fill(r.step, r.total_steps, r.metrics, r.checkpoint, r.completed); }
  void set(Hold& r) { fill(r.cluster, r.flavor, r.placement, r.victims, r.expires_at); }
  void set(TaskPlacement& r) { fill(r.task, r.node, r.devices); }
  void set(TaskExit& r) { fill(r.by, r.exit_code, r.signal, r.message, r.permanent, r.forced, r.at, r.worker); }
  void set(WorkerFailure& r) { fill(r.rank, r.exit_code, r.signal, r.message, r.at); }
  void set(Culprit& r) { fill(r.task, r.rank, r.sure); }
  void set(TaskClaim& r) { fill(r.nonce, r.address, r.port, r.node); }
  void set(TaskStatus& r) { fill(r.state, r.exit, r.ended_seq, r.claim); }
  void set(Attempt& r) {
    fill(r.job, r.number, r.epoch, r.state, r.cluster, r.queue, r.flavor, r.placement, r.admitted_at, r.started_at);
    fill(r.ended_at, r.stop_cause, r.stop_by, r.ended_by, r.exit_code, r.signal, r.message, r.culprit, r.adopted);
    fill(r.yields_to, r.estimated_lost_gpu_ms, r.lost_gpu_ms, r.resumes_from, r.progress);
    r.tasks.resize(r.placement.size());
    for (auto& task : r.tasks) set(task);
  }
  void set(Device& r) { fill(r.id, r.healthy, r.physical, r.profile, r.memory_bytes, r.foreign, r.message); }
  void set(Node& r) {
    fill(r.name, r.cluster, r.gpu_type, r.devices, r.cpus, r.memory_bytes, r.labels, r.schedulable, r.message,
         r.withheld, r.full);
  }
  void set(Cluster& r) { fill(r.name, r.executor, r.available, r.topology, r.managed_by); }
  void set(ElasticCapacity& r) { fill(r.max_nodes, r.provisioning, r.idle, r.node); }
  void set(Flavor& r) {
    fill(r.name, r.gpu_type, r.cluster, r.labels, r.price_micros_per_gpu_hour, r.spot, r.rank, r.managed_by, r.elastic,
         r.wanted.nodes, r.wanted.since);
  }
  void set(JobOrder& out) { choose(out, 4); }
  void set(StopPolicy& out) { choose(out, 3); }
  void set(AgeBoost& r) { fill(r.every, r.most); }
  void set(RunLimit& r) { fill(r.jobs, r.gpus_milli); }
  void set(MinRuntime& r) { fill(r.priority, r.reclaim); }
  void set(BudgetWindow& out) { choose(out, 3); }
  void set(Budget& r) { fill(r.unit, r.amount, r.per); }
  void set(WaitPromise& r) { fill(r.priority, r.within); }
  void set(DefaultFor& r) { fill(r.users, r.projects); }
  void set(Queue& r) {
    fill(r.name, r.parent, r.quota, r.age_cap_ms, r.preempt, r.reclaim, r.min_runtime, r.fence, r.weight_milli,
         r.accepts_jobs);
    fill(r.order, r.service_levels, r.age_boost, r.reservations, r.run_limit, r.user_run_limit);
    fill(r.preempt_to_borrow, r.budgets, r.shrink_after, r.shrunk_at, r.wait_promises, r.default_for, r.applied);
    fill(r.fair_users, r.strict, r.stop, r.when_can_borrow, r.when_can_preempt, r.managed_by);
  }
  void set(ResourceVector& out) {
    for (auto& amount : out.amounts) set(amount);
  }
  void set(FlavorUsage& r) { fill(r.flavor, r.decayed, r.entered); }
  void set(AdvanceReservation& r) {
    fill(r.name, r.from, r.until, r.nodes, r.users, r.queues, r.message, r.created_by);
  }
  template <OneOf<FairShare, Resizing, FlavorChoice, FlavorSearch, BudgetUnit, Launcher, ManagedBy, Program::Form> Enum>
  void set(Enum& out) {
    choose(out, 2);
  }
  void set(Scoring& out) { choose(out, 4); }
  void set(Consolidation& out) { choose(out, 3); }
  void set(PolicySettings& r) {
    fill(r.age_cap, r.start_allowance, r.usage_half_life, r.fair_share, r.scoring, r.consolidation, r.resizing);
    fill(r.resize_interval, r.restart_cost, r.reclaim_min_runtime_cap, r.hold_margin, r.preemptions_per_hour,
         r.flavor_choice);
  }
  void set(PolicyRow& r) { fill(r.name, r.settings); }
  void set(Cost& r) { fill(r.gpu_ms, r.money_micros); }
  void set(Spending& r) { fill(r.name, r.queue, r.day, r.cost); }
  void set(Usage& r) { fill(r.name, r.queue, r.user, r.sampled_at, r.flavors); }

  template <class Row>
  void set(RowSet<Row>& e) {
    set(e.row);
  }
  template <class Row>
  void set(RowRemoved<Row>& e) {
    set(e.name);
  }
  template <OneOf<JobSubmitted, JobHeld, JobReleased, CancelRequested, AttemptAdmitted, AttemptSubmitted,
                  AttemptStarting, AttemptStarted, HoldEnded, ContactLost, ContactRegained>
                Event>
  void set(Event& e) {
    auto& [only] = e;
    set(only);
  }
  void set(ServerStarted& e) { fill(e.epoch, e.version, e.ids_passed_over); }
  template <OneOf<JobDeferred, NodesWanted, UsageSampled, StartDelayed, GateOpened, TaskStarted, AttemptProgressed,
                  HoldPlaced, RunTimePredicted>
                Event>
  void set(Event& e) {
    auto& [first, second] = e;
    fill(first, second);
  }
  void set(JobRequeued& e) { fill(e.job, e.cause, e.not_before); }
  void set(JobFinished& e) { fill(e.job, e.state, e.message); }
  void set(AttemptStopping& e) {
    fill(e.attempt, e.cause, e.yields_to, e.estimated_lost_gpu_ms, e.stop_by, e.moves, e.borrowed, e.resizes_to);
  }
  void set(TaskEnded& e) { fill(e.attempt, e.task, e.exit); }
  void set(AttemptEnded& e) { fill(e.attempt, e.by, e.exit_code, e.signal, e.message, e.lost_gpu_ms, e.culprit); }
  void set(FurtherLoss& r) { fill(r.attempt, r.gpu_ms); }
  void set(CheckpointSkipped& e) { fill(e.job, e.checkpoint, e.further_losses); }

 private:
  template <class Integer>
  Integer pick() {
    switch (random_.below(4)) {
      case 0: return std::numeric_limits<Integer>::max();
      case 1: return std::numeric_limits<Integer>::min();
      default: return static_cast<Integer>(random_.next() >> random_.below(64));
    }
  }
  template <class Enum>
  void choose(Enum& out, std::uint64_t count) {
    out = static_cast<Enum>(random_.below(count));
  }

  Random& random_;
};

template <class Row>
Row random_row(Random& random) {
  Row row;
  Filler(random).set(row);
  return row;
}
template <std::size_t... I>
EventPayload nth_payload(Random& random, std::size_t n, std::index_sequence<I...>) {
  EventPayload payload;
  ((I == n ? void(payload = random_row<std::variant_alternative_t<I, EventVariant>>(random)) : void()), ...);
  return payload;
}

}  // namespace

JobSpec random_spec(Random& random) { return random_row<JobSpec>(random); }
Job random_job(Random& random) { return random_row<Job>(random); }
Attempt random_attempt(Random& random) { return random_row<Attempt>(random); }
Cluster random_cluster(Random& random) { return random_row<Cluster>(random); }
Node random_node(Random& random) { return random_row<Node>(random); }
Flavor random_flavor(Random& random) { return random_row<Flavor>(random); }
AdvanceReservation random_reservation(Random& random) { return random_row<AdvanceReservation>(random); }
PolicyRow random_policy(Random& random) { return random_row<PolicyRow>(random); }
Spending random_spending(Random& random) { return random_row<Spending>(random); }
Usage random_usage(Random& random) { return random_row<Usage>(random); }
Queue random_queue(Random& random) { return random_row<Queue>(random); }

EventPayload random_payload(Random& random, std::size_t n) {
  constexpr auto kCount = std::variant_size_v<EventVariant>;
  YM_ASSERT(n < kCount);
  return nth_payload(random, n, std::make_index_sequence<kCount>());
}

}  // namespace ym::testing
