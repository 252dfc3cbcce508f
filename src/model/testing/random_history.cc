#include "model/testing/random_history.h"

#include <algorithm>
#include <array>

namespace ym::testing {
namespace {

template <class Row>
const Row& any_of(const std::map<std::string, Row>& rows, Random& random) {
  return std::next(rows.begin(), static_cast<std::ptrdiff_t>(random.below(rows.size())))->second;
}

Node some_node(Random& random, std::string name, std::string cluster) {
  Node node{.name = std::move(name), .cluster = std::move(cluster), .gpu_type = random.below(2) ? "t4" : "a100"};
  for (std::uint64_t i = 0, n = random.below(5); i < n; ++i)
    node.devices.push_back({.id = std::to_string(i), .healthy = random.below(8) != 0, .physical = ""});
  node.cpus = static_cast<std::int64_t>(random.below(64)) * kMilli;
  node.memory_bytes = static_cast<std::int64_t>(random.below(256)) * kGiB;
  node.labels["rack"] = "r" + std::to_string(random.below(3));
  node.schedulable = random.below(6) != 0;
  return node;
}

Queue some_queue(Random& random, std::string name) {
  Queue queue{.name = std::move(name), .parent = random.below(2) ? "org" : ""};
  if (random.below(2)) {
    FlavorQuota quota;
    quota[2] = Quota{.nominal = static_cast<std::int64_t>(random.below(16)) * kMilli, .borrowing_limit = 4000};
    queue.quota.emplace()["t4"] = quota;
  }
  return queue;
}

std::shared_ptr<const JobSpec> some_spec(Random& random, const std::string& name) {
  JobSpec spec{.name = name};
  spec.run = {.form = Program::Form::argv, .words = {"python3", "train.py", std::to_string(random.below(100))}};
  spec.workdir = "/home/a";
  spec.env["SEED"] = std::to_string(random.next());
  spec.nodes = static_cast<std::int32_t>(1 + random.below(3));
  if (random.below(2)) spec.time_limit = minutes(static_cast<std::int64_t>(1 + random.below(600)));
  return std::make_shared<const JobSpec>(std::move(spec));
}

}  // namespace

RandomHistory::RandomHistory(std::uint64_t seed) : random_(seed), now_{1'795'000'000'000} {}

RandomHistory::Batch RandomHistory::next(std::size_t count) {
  batch_ = {};
  while (batch_.events.size() < count) step();
  return std::move(batch_);
}

void RandomHistory::add(EventPayload payload, std::string reason) {
  static constexpr std::array<std::string_view, 4> kActors{"admin", "scheduler", "executor:lab", "server"};
  if (chance(2)) now_ = now_ + Duration{static_cast<std::int64_t>(random_.below(5000))};
  Event event{.seq = tables_.last_seq + 1,
              .time = now_,
              .actor = std::string(kActors[random_.below(kActors.size())]),
              .reason = std::move(reason),
              .payload = std::move(payload)};
  apply(tables_, event, &batch_.touched);
  batch_.events.push_back(event);
  events_.push_back(std::move(event));
}

void RandomHistory::step() {
  if (tables_.epoch == 0 || chance(200)) return add(ServerStarted{tables_.epoch + 1, "0.1.0", random_.below(3)});
  if (chance(60)) return add(UsageSampled{usage_grid(now_), chance(3) ? 0 : kWholePart / 2});
  if (chance(60))
    return add(RequestAudited{.verb = "jobs.get", .object = "job:1", .count = 1 + static_cast<int>(random_.below(9))});
  if (chance(60)) return add(LogSealed{.from = 1, .to = 2, .leaves = "AA==", .chain = "00"});
  if (tables_.nodes.empty() || tables_.queues.empty() || chance(20)) return change_configuration();
  if (tables_.jobs.empty() || chance(6)) return submit();
  // Newer jobs more often: old ones have mostly ended.
  const auto back = std::min(random_.below(tables_.jobs.size()), random_.below(20));
  const Job job = std::prev(tables_.jobs.end(), static_cast<std::ptrdiff_t>(back + 1))->second;
  if (is_terminal(job.state)) return;
  if (const Attempt* live = tables_.live_attempt(job.id)) return advance(Attempt(*live));
  if (is_active(job.state)) return conclude(job);
  if (chance(3)) return disturb_waiting(job);
  if (job.state == JobState::queued && !job.cancel_requested) admit(job);
}

void RandomHistory::want_nodes() {
  if (tables_.flavors.empty()) return;
  Flavor flavor = any_of(tables_.flavors, random_);
  if (!flavor.elastic) {
    flavor.elastic = ElasticCapacity{.max_nodes = 4, .node = some_node(random_, "new", "lab")};
    return add(FlavorSet{flavor});
  }
  add(NodesWanted{flavor.name, static_cast<std::int64_t>(random_.below(5))});
}

template <class Row>
void RandomHistory::set_or_remove(Row row) {
  const auto& rows = rows_of<Row>(tables_);
  if (chance(3) && !rows.empty()) return add(RowRemoved<Row>{any_of(rows, random_).name});
  add(RowSet<Row>{std::move(row)});
}

void RandomHistory::change_access() {
  const std::string n = std::to_string(random_.below(4));
  switch (random_.below(8)) {
    case 7: return set_or_remove(Erasure{.name = "erased-" + n, .at = now_});
    case 0: return set_or_remove(HistorySegment{.name = "s" + n, .from = 1, .to = 9, .chain = "ab", .seal = 10});
    case 5:
      return set_or_remove(Principal{.name = "u" + n, .handle = "user" + n, .groups = {"g" + n}, .created_at = now_});
    case 6:
      return set_or_remove(ProvisionedGroup{.name = "i" + n, .issuer = "idp", .display = "G" + n, .group = "g" + n});
    case 1: return set_or_remove(AccessToken{.name = "t" + n, .hash = n, .principal = "u" + n, .created_at = now_});
    case 2: return set_or_remove(Role{.name = "r" + n, .permissions = {Permission::jobs_get, Permission::jobs_logs}});
    case 3:
      return set_or_remove(Binding{.name = "b" + n,
                                   .role = "r" + n,
                                   .grantee = {Grantee::Kind::group, "g" + n},
                                   .scope = {ScopeKind::project, "p" + n},
                                   .expires_at = now_ + hours(1)});
    default: return set_or_remove(Project{.name = "p" + n, .visibility = Visibility::hidden});
  }
}

void RandomHistory::change_configuration() {
  const std::string n = std::to_string(random_.below(6));
  if (tables_.nodes.empty()) add(NodeSet{some_node(random_, "n0", "lab")});
  if (tables_.queues.empty()) add(QueueSet{some_queue(random_, "default")});
  switch (random_.below(14)) {
    case 13: return change_access();
    case 12: return want_nodes();
    case 10: return add(PolicySet{{.name = kPolicyName, .settings = {.age_cap = minutes(1 + random_.below(60))}}});
    case 11: return tables_.policies.empty() ? void() : add(PolicyRemoved{kPolicyName});
    case 8: return add(ReservationSet{{.name = "r" + n, .from = now_, .until = now_ + hours(1), .nodes = {"n0"}}});
    case 9:
      return tables_.reservations.empty() ? void()
                                          : add(ReservationRemoved{any_of(tables_.reservations, random_).name});
    case 0: return add(ClusterSet{{.name = "c" + n, .executor = "local", .available = !chance(3)}});
    case 1: return add(FlavorSet{{.name = "f" + n, .gpu_type = "t4", .price_micros_per_gpu_hour = 350'000}});
    case 2: return tables_.clusters.empty() ? void() : add(ClusterRemoved{any_of(tables_.clusters, random_).name});
    case 3: return tables_.flavors.empty() ? void() : add(FlavorRemoved{any_of(tables_.flavors, random_).name});
    case 4: return tables_.nodes.size() < 2 ? void() : add(NodeRemoved{any_of(tables_.nodes, random_).name});
    case 5: return tables_.queues.size() < 2 ? void() : add(QueueRemoved{any_of(tables_.queues, random_).name});
    case 6: return add(QueueSet{some_queue(random_, "q" + n)});
    default: return add(NodeSet{some_node(random_, "n" + n, "lab")});
  }
}

void RandomHistory::submit() {
  Job job{.spec_id = SpecId{tables_.last_id + 1}, .name = "job" + std::to_string(random_.below(10))};
  job.spec = some_spec(random_, job.name);
  job.project = "p" + std::to_string(random_.below(3));
  job.owner = "user" + std::to_string(random_.below(3));
  job.queue = any_of(tables_.queues, random_).name;
  job.priority = static_cast<std::int32_t>(random_.below(101));
  job.state = chance(5) ? JobState::held : JobState::queued;
  job.pending = job.state == JobState::held ? ReasonCode::held : ReasonCode::pending_evaluation;
  job.submitted_at = now_;
  const std::uint64_t first = tables_.last_id + 2;
  const std::uint64_t members = chance(4) ? 1 + random_.below(4) : 0;
  if (members == 0) {
    job.id = JobId{first};
    return add(JobSubmitted{job});
  }
  job.group = GroupId{first};
  const std::string name = job.name;
  for (std::uint64_t i = 0; i < members; ++i) {
    job.id = JobId{first + 1 + i};
    job.group_index = static_cast<std::int32_t>(i);
    job.name = name + "-" + std::to_string(i);
    add(JobSubmitted{job});
  }
}

void RandomHistory::disturb_waiting(const Job& job) {
  if (job.cancel_requested) return add(JobFinished{job.id, JobState::cancelled, "cancelled by its owner"});
  if (chance(6))
    return add(RunTimePredicted{job.id, {.p10 = minutes(1), .p50 = minutes(2), .p90 = minutes(5), .samples = 3}});
  switch (random_.below(5)) {
    case 0: return add(CancelRequested{job.id});
    case 1: return job.state == JobState::queued ? add(JobHeld{job.id}) : void();
    case 2: return job.state == JobState::queued ? disturb_nomination(job) : void();
    case 3: return job.state == JobState::queued ? add(JobDeferred{job.id, ReasonCode::waiting_for_quota}) : void();
    default: return job.state == JobState::held ? add(JobReleased{job.id}) : void();
  }
}

void RandomHistory::stop(AttemptKey key) {
  AttemptStopping stopping{key, static_cast<StopCause>(random_.below(4))};
  if (stopping.cause == StopCause::preemption)
    stopping.preemption = static_cast<PreemptionCause>(random_.below(count_of_values<PreemptionCause>()));
  add(stopping);
}

void RandomHistory::disturb_nomination(const Job& job) {
  if (job.nomination) return add(NominationEnded{job.id});
  NominatedPlacement nomination{
      .cluster = "lab", .flavor = "t4", .placement = {}, .preempted_jobs = {JobId{1}}, .expires_at = now_ + minutes(2)};
  nomination.placement.push_back({0, any_of(tables_.nodes, random_).name, {"0"}});
  add(PlacementNominated{job.id, std::move(nomination)});
  if (chance(3)) add(NominationEnded{job.id});
}

void RandomHistory::admit(const Job& job) {
  Attempt attempt{.job = job.id, .number = job.attempts + 1, .epoch = tables_.epoch, .cluster = "lab"};
  attempt.queue = job.queue;
  attempt.flavor = "t4";
  if (!chance(4)) attempt.prices_micros = prices_of(attempt.flavor, tables_.flavors);
  attempt.admitted_at = now_;
  for (std::int32_t task = 0; task < job.spec->nodes; ++task)
    attempt.placement.push_back({task, any_of(tables_.nodes, random_).name, {std::to_string(task)}});
  attempt.tasks.resize(attempt.placement.size());
  attempt.adopted = chance(8);
  add(AttemptAdmitted{attempt}, "fits");
}

void RandomHistory::advance(const Attempt& attempt) {
  using enum AttemptState;
  const AttemptKey key = attempt.key();
  if (chance(12) && !tables_.jobs.at(key.job).cancel_requested) return add(CancelRequested{key.job});
  if (attempt.state == unknown && !chance(4)) return add(ContactRegained{key});
  if (attempt.state != unknown && chance(12)) return add(ContactLost{key});
  if (attempt.state != stopping && attempt.state != unknown && chance(8)) return stop(key);
  if (attempt.state == running && chance(3)) return report_progress(key);
  switch (attempt.state) {
    case intended: return add(AttemptSubmitted{key});
    case submitted: return chance(4) ? add(StartDelayed{key, "waits there"}) : add(AttemptStarting{key});
    case starting: return run_tasks(attempt);
    case unknown: return attempt.started_at || chance(2) ? settle(attempt) : run_tasks(attempt);
    case running:
    case stopping: return settle(attempt);
    case ended: return;
  }
}

void RandomHistory::report_progress(AttemptKey key) {
  const auto& saved = tables_.jobs.at(key.job).checkpoints;
  if (!saved.empty() && chance(2))
    return add(CheckpointSkipped{key.job, saved.back(), std::vector(key.number > 1 ? 1 : 0, FurtherLoss{1, 1'000})});
  ProgressReport report{.step = static_cast<std::int64_t>(random_.below(1000)), .metrics = {{"loss", 0.1}}};
  if (chance(2))
    report.checkpoint = Checkpoint{"/ckpt/" + std::to_string(*report.step), *report.step, now_, key.number};
  add(AttemptProgressed{key, report});
}

void RandomHistory::run_tasks(const Attempt& attempt) {
  const auto waits = [](const TaskStatus& task) { return task.state == TaskState::waiting; };
  const auto next = std::ranges::find_if(attempt.tasks, waits);
  if (next == attempt.tasks.begin() && !next->claim && chance(2)) return open_barrier(attempt);
  if (next == attempt.tasks.end()) return attempt.started_at ? settle(attempt) : add(AttemptStarted{attempt.key()});
  add(TaskStarted{attempt.key(), static_cast<std::int32_t>(next - attempt.tasks.begin())});
}

void RandomHistory::open_barrier(const Attempt& attempt) {
  std::vector<TaskClaim> claims;
  for (const auto& placed : attempt.placement) claims.push_back({"nonce", "10.0.0.1", placed.task, placed.node});
  add(BarrierOpened{attempt.key(), std::move(claims)});
}

void RandomHistory::settle(const Attempt& attempt) {
  const auto next =
      std::ranges::find_if(attempt.tasks, [](const auto& task) { return task.state != TaskState::ended; });
  if (next != attempt.tasks.end()) {
    TaskExit exit{.by = chance(2) ? EndedBy::exit : EndedBy::signal, .message = "m", .at = now_};
    if (exit.by == EndedBy::exit) exit.exit_code = static_cast<std::int32_t>(random_.below(3));
    else exit.signal = 9;
    return add(TaskEnded{attempt.key(), static_cast<std::int32_t>(next - attempt.tasks.begin()), exit});
  }
  add(AttemptEnded{attempt.key(), EndedBy::exit, 1, {}, "exit 1", now_.ms % 1'000});
}

void RandomHistory::conclude(const Job& job) {
  if (!job.cancel_requested && chance(3)) {
    const auto later = chance(2) ? std::optional(now_ + seconds(5)) : std::nullopt;
    return add(JobRequeued{job.id, static_cast<RetryCause>(random_.below(4)), later}, "infrastructure");
  }
  static constexpr std::array kEnds{JobState::succeeded, JobState::failed, JobState::cancelled, JobState::timed_out};
  add(JobFinished{job.id, kEnds[random_.below(kEnds.size())], "done"});
}

Tables unfinished(Tables tables) {
  std::vector<JobId> ended;
  for (const auto& [id, job] : tables.jobs)
    if (is_terminal(job.state)) ended.push_back(id);
  for (const auto id : ended) forget(tables, id);
  return tables;
}

}  // namespace ym::testing
