#include "store/conformance/old_state.h"

#include <gtest/gtest.h>

#include "store/conformance/must.h"

namespace ym::testing {
namespace {

// The ids that tests/old_states/make.py gave.
constexpr JobId kDone{1}, kShort{7}, kTrains{14}, kElastic{16}, kGroups{17}, kGaveWay{26}, kGivesWay{28}, kKeptFor{29},
    kAnchored{35}, kEveryKey{36}, kStops{38}, kQuiet{39};

const Attempt& only_attempt(const Tables& tables, JobId job) { return tables.attempts.at({job, 1}); }

void expect_jobs(const Tables& tables, StoreReader& reader) {
  std::map<JobState, int> counts;
  const auto jobs = must(reader.jobs({}, 1000));
  for (const auto& job : jobs) ++counts[job.state];
  using enum JobState;
  EXPECT_EQ(counts, (std::map<JobState, int>{{held, 3},
                                             {queued, 9},
                                             {running, 9},
                                             {stopping, 2},
                                             {unreachable, 1},
                                             {succeeded, 8},
                                             {failed, 3},
                                             {cancelled, 1},
                                             {timed_out, 1}}));
  EXPECT_EQ(tables.jobs.size(), 24U);
  EXPECT_EQ(must(reader.attempts(kDone)).at(0).exit_code, 0);
  ASSERT_TRUE(must(reader.job(kShort))->predicted);
  EXPECT_EQ(must(reader.job(kShort))->predicted->samples, 4);
  EXPECT_EQ(tables.jobs.at(kQuiet).message, "the supervisor of task 0 does not answer");
}

void expect_specs(const Tables& tables) {
  const JobSpec& spec = *tables.jobs.at(kEveryKey).spec;
  EXPECT_EQ(spec.resources.gpu_type, "t4");
  EXPECT_EQ(spec.resources.other_gpu_types, std::vector<std::string>{"a10"});
  EXPECT_EQ(*spec.placement, (PlacementRules{.select = {{"room", "east"}},
                                             .exclude = {"n5", "n6"},
                                             .required_level = "room",
                                             .preferred_level = {},
                                             .slice = SliceRule{.level = "rack", .nodes = 2}}));
  EXPECT_EQ(spec.stop,
            (StopRules{.signal = "SIGUSR1", .grace = minutes(2), .preemptible = false, .min_runtime = minutes(10)}));
  EXPECT_EQ(*spec.checkpoint, (CheckpointRules{.dir = "/data/ck", .every = minutes(15), .expect_save = seconds(20)}));
  EXPECT_EQ(spec.retry,
            (RetryPolicy{
                .infra_max = 5, .error_max = 1, .preempted_max = 7, .backoff = seconds(10), .backoff_max = hours(1)}));
  EXPECT_EQ(spec.deadline, Instant{2'209'032'000'000});
  EXPECT_EQ(tables.jobs.at(kElastic).spec->min_nodes, 1);
  EXPECT_EQ(tables.jobs.at(kGroups).spec->groups.at(1).env, (std::map<std::string, std::string>{{"ROLE", "actor"}}));
  EXPECT_EQ(tables.jobs.at(kAnchored).spec->placement->anchor, 1);
}

// One job was preempted. Another one stops for a job with a nominated placement.
void expect_preemptions(const Tables& tables) {
  const Job& gave_way = tables.jobs.at(kGaveWay);
  EXPECT_EQ(gave_way.retries.preempted, 1);
  EXPECT_EQ(gave_way.preempted_at.size(), 1U);
  EXPECT_EQ(gave_way.checkpoints.at(0).uri, "s3://saves/gave-way/40");
  EXPECT_EQ(only_attempt(tables, kGaveWay).lost_gpu_ms, 80'824);
  EXPECT_EQ(only_attempt(tables, kGaveWay).preemption, PreemptionCause::priority);
  const Attempt& gives_way = only_attempt(tables, kGivesWay);
  EXPECT_EQ(gives_way.state, AttemptState::stopping);
  EXPECT_EQ(gives_way.yields_to, kKeptFor);
  EXPECT_EQ(gives_way.preemption, PreemptionCause::priority) << "it was not stored then";
  EXPECT_EQ(tables.jobs.at(kKeptFor).nomination->preempted_jobs, std::vector{kGivesWay});
  EXPECT_TRUE(tables.jobs.at(kStops).cancel_requested);
  EXPECT_EQ(only_attempt(tables, kStops).preemption, std::nullopt);
}

void expect_attempts(const Tables& tables) {
  EXPECT_EQ(tables.attempts.size(), 14U);
  EXPECT_EQ(only_attempt(tables, kTrains).progress->metrics.at("loss"), 0.25);
  const Attempt& groups = only_attempt(tables, kGroups);
  EXPECT_EQ(groups.flavor, "t4+a10");
  EXPECT_EQ(groups.placement.size(), 3U);
  EXPECT_TRUE(groups.prices_micros.empty()) << "they were not stored then";
}

Queue ruled_queue() {
  FlavorQuota t4, a10;
  t4[static_cast<std::size_t>(ResourceKind::gpus)] = {.nominal = 2000, .borrowing_limit = 1000, .lending_limit = 1000};
  t4[static_cast<std::size_t>(ResourceKind::memory)] = {.nominal = std::int64_t{32} << 30};
  a10[static_cast<std::size_t>(ResourceKind::gpus)] = {.nominal = 2000};
  Queue queue{.name = "ruled", .quota = QuotaList{{"t4", t4}, {"a10", a10}}};
  queue.age_cap = minutes(20);
  queue.preempt = PreemptRule::any;
  queue.reclaim = PreemptRule::lower_priority;
  queue.preempt_to_borrow = 30;
  queue.min_runtime = {.priority = minutes(5), .reclaim = minutes(10)};
  queue.fence = true;
  queue.weight_milli = 2500;
  queue.when_can_borrow = FlavorSearch::try_next;
  queue.when_can_preempt = FlavorSearch::stop;
  queue.order = JobOrder::deadline;
  queue.age_boost = {.every = hours(1), .most = 10};
  queue.fair_users = queue.strict = queue.applied = true;
  queue.stop = StopPolicy::hold;
  queue.reservations = kAllReserve;
  queue.run_limit = {.jobs = 10, .gpus_milli = 8000};
  queue.user_run_limit = {.jobs = 4, .gpus_milli = 2000};
  queue.budgets = {{.unit = BudgetUnit::gpu_hours, .amount = 7'200'000'000, .per = BudgetWindow::month},
                   {.unit = BudgetUnit::money, .amount = 500'000'000, .per = BudgetWindow::week}};
  queue.shrink_after = minutes(10);
  queue.wait_promises = {{.priority = 80, .within = minutes(30)}, {.priority = 0, .within = hours(4)}};
  queue.default_for = {.users = {"bob"}, .projects = {"speech"}};
  queue.managed_by = ManagedBy::api;
  return queue;
}

PolicySettings every_setting() {
  return {.age_cap = hours(3),
          .start_allowance = seconds(30),
          .usage_half_life = hours(48),
          .fair_share = FairShare::instant,
          .scoring = Scoring::pack,
          .flavor_choice = FlavorChoice::cheapest,
          .consolidation = Consolidation::advice,
          .resizing = Resizing::on,
          .resize_interval = minutes(20),
          .restart_cost = seconds(20),
          .reclaim_min_runtime_cap = minutes(5),
          .hold_margin = minutes(1),
          .preemptions_per_hour = 3};
}

void expect_rules(const Tables& tables) {
  EXPECT_EQ(tables.queues.size(), 8U);
  EXPECT_EQ(tables.queues.at("ruled"), ruled_queue());
  EXPECT_EQ(tables.queues.at("levels").service_levels, (std::vector{hours(1), hours(10)}));
  EXPECT_EQ(tables.policies.at(kPolicyName).settings, every_setting());
  EXPECT_EQ(tables.reservations.at("course").users, (std::vector<std::string>{"ann", "bob"}));
  EXPECT_EQ(tables.reservations.size(), 2U);
  EXPECT_EQ(tables.flavors.at("t4").price_micros_per_gpu_hour, 350'000);
  EXPECT_EQ(tables.clusters.at("lab").topology, (std::vector<std::string>{"room", "rack"}));
  EXPECT_EQ(tables.nodes.size(), 12U);
  EXPECT_FALSE(tables.nodes.at("n4").schedulable);
  EXPECT_EQ(tables.nodes.at("m1").devices.at(4).profile, "3g.20gb");
  EXPECT_EQ(tables.usage.at("team-a/root").flavors.at(0).decayed[ResourceKind::gpus], 4'812'943);
  EXPECT_EQ(tables.spending.at("team-b/20785").cost, (Cost{.gpu_ms = 832, .money_micros = 80}));
}

void goes_on(Store& store) {
  auto state = must(store.load());
  const Event event{.seq = state.tables.last_seq + 1,
                    .time = state.tables.last_time + seconds(1),
                    .actor = "server",
                    .reason = {},
                    .payload = ServerStarted{.epoch = state.tables.epoch + 1, .version = "next"}};
  Touched touched;
  apply(state.tables, event, &touched);
  must(store.commit(make_commit(state.tables, touched, {event})));
  EXPECT_EQ(must(store.load()).tables, state.tables);
}

}  // namespace

void expect_old_state(Store& store) {
  const auto state = must(store.load());
  const auto reader = must(store.reader());
  expect_jobs(state.tables, *reader);
  expect_specs(state.tables);
  expect_attempts(state.tables);
  expect_preemptions(state.tables);
  expect_rules(state.tables);
  EXPECT_EQ(state.idempotency.size(), 31U);
  EXPECT_EQ(state.tokens.size(), 4U);
  const auto events = must(reader->events({}, 1000));
  EXPECT_EQ(events.size(), 311U);
  EXPECT_EQ(events.back().seq, state.tables.last_seq);
  EXPECT_EQ(store.last_time(), Instant{1'795'898'400'000});
  goes_on(store);
}

}  // namespace ym::testing
