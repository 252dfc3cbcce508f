// Tests of load() and of commits.
#include "store/conformance/checks.h"

namespace ym::testing {
namespace {

void new_store_is_empty(StoreHost& host) {
  const auto state = must(host.open()->load());
  EXPECT_EQ(state.tables, Tables{});
  EXPECT_TRUE(state.idempotency.empty());
  EXPECT_TRUE(state.tokens.empty());
}

void load_equals_the_fold(StoreHost& host) {
  RandomHistory history(1);
  const auto store = host.open();
  for (int round = 0; round < 20; ++round) {
    grow(*store, history, 40);
    ASSERT_EQ(must(store->load()).tables, unfinished(history.tables())) << "after event " << history.events().size();
  }
}

void reopened_store_goes_on(StoreHost& host) {
  RandomHistory history(2);
  for (int round = 0; round < 12; ++round) {
    const auto store = host.open();
    ASSERT_EQ(must(store->load()).tables, unfinished(history.tables())) << "round " << round;
    grow(*store, history, 50);
  }
}

void commit_without_load_goes_on(StoreHost& host) {
  RandomHistory history(3);
  for (int round = 0; round < 3; ++round) grow(*host.open(), history, 20);
  EXPECT_EQ(must(host.open()->load()).tables, unfinished(history.tables()));
}

void whole_history_is_one_commit(StoreHost& host) {
  RandomHistory history(4);
  commit_batch(*host.open(), history, history.next(3000));
  EXPECT_EQ(must(host.open()->load()).tables, unfinished(history.tables()));
}

void jobs_of_an_array_share_one_spec(StoreHost& host) {
  RandomHistory history(5);
  const auto store = host.open();
  grow(*store, history, 600);
  const auto tables = must(store->load()).tables;
  std::map<SpecId, const JobSpec*> specs;
  std::size_t shared = 0;
  for (const auto& [id, job] : tables.jobs) {
    const auto [it, first] = specs.emplace(job.spec_id, job.spec.get());
    if (first) continue;
    EXPECT_EQ(it->second, job.spec.get());
    ++shared;
  }
  EXPECT_GT(shared, 0U);
}

Event submit_of(Job job, std::uint64_t seq) {
  return {.seq = seq, .time = job.submitted_at, .actor = job.owner, .payload = JobSubmitted{std::move(job)}};
}

// A text may hold any bytes. They come back unchanged.
void any_text_is_kept(StoreHost& host) {
  const std::string awkward("\0\xff\"\\\n\x1b[2Jé日本' OR 1=1 --", 29);
  auto spec = std::make_shared<JobSpec>(JobSpec{.name = awkward});
  spec->env[awkward] = awkward;
  spec->run.words = {awkward, ""};
  const Job job{
      .id = JobId{2}, .spec_id = SpecId{1}, .spec = spec, .name = awkward, .owner = awkward, .queue = awkward};
  const auto store = host.open();
  Event event = submit_of(job, 1);
  event.reason = awkward;
  Commit commit{.events = {event},
                .jobs = {job},
                .idempotency = {{awkward, awkward, awkward, {JobId{2}}, {}}},
                .tokens = {{awkward, awkward, awkward, {}}}};
  commit.of<Queue>().set = {Queue{.name = awkward}};
  must(store->commit(commit));
  const auto state = must(store->load());
  EXPECT_EQ(state.tables.jobs.at(JobId{2}), job);
  EXPECT_EQ(state.tables.queues.at(awkward).name, awkward);
  EXPECT_EQ(state.idempotency.at(0).key, awkward);
  EXPECT_EQ(state.tokens.at(0).role, awkward);
  const auto reader = must(store->reader());
  EXPECT_EQ(must(reader->events({}, 10)), std::vector{event});
  EXPECT_EQ(must(reader->jobs({.owner = awkward, .queue = awkward, .name = awkward}, 10)), std::vector{job});
}

void side_records_are_kept(StoreHost& host) {
  const IdempotencyRecord first{"ann", "k1", "h1", {JobId{4}, JobId{5}}, {1000}};
  const IdempotencyRecord second{"ann", "k2", "h2", {}, {2000}};
  const IdempotencyRecord other{"bob", "k1", "h3", {JobId{6}}, {3000}};
  const TokenRecord token{"aa11", "ann", "admin", {1000}};
  {
    const auto store = host.open();
    must(store->commit({.idempotency = {first, second}, .tokens = {token}}));
    must(store->commit({.idempotency = {other}}));
  }
  const auto store = host.open();
  auto state = must(store->load());
  EXPECT_EQ(state.tables, Tables{});
  EXPECT_EQ(state.idempotency, (std::vector{first, second, other}));
  EXPECT_EQ(state.tokens, std::vector{token});

  must(store->expire_idempotency({2000}));
  EXPECT_EQ(must(store->load()).idempotency, (std::vector{second, other}));
  EXPECT_EQ(must(store->load()).tokens, std::vector{token});
}

void side_record_replaces_the_one_before(StoreHost& host) {
  const auto store = host.open();
  must(store->commit({.idempotency = {{"ann", "k", "h1", {JobId{1}}, {1}}}, .tokens = {{"aa", "ann", "admin", {1}}}}));
  const IdempotencyRecord newer{"ann", "k", "h2", {JobId{2}}, {2}};
  const TokenRecord demoted{"aa", "ann", "viewer", {2}};
  must(store->commit({.idempotency = {newer}, .tokens = {demoted}}));
  const auto state = must(store->load());
  EXPECT_EQ(state.idempotency, std::vector{newer});
  EXPECT_EQ(state.tokens, std::vector{demoted});
}

void the_time_of_the_newest_event_is_known(StoreHost& host) {
  RandomHistory history(7);
  EXPECT_EQ(host.open()->last_time(), Instant{});
  grow(*host.open(), history, 30);
  const auto store = host.open();
  EXPECT_EQ(store->last_time(), history.tables().last_time);
  grow(*store, history, 30);
  EXPECT_EQ(store->last_time(), history.tables().last_time);
}

void gap_in_the_sequence_is_a_bug(StoreHost& host) {
  RandomHistory history(6);
  const auto store = host.open();
  grow(*store, history, 10);
  auto batch = history.next(2);
  batch.events.erase(batch.events.begin());
  const auto commit = make_commit(history.tables(), batch.touched, batch.events);
  EXPECT_DEATH((void)store->commit(commit), "assertion failed.*seq");
}

}  // namespace

std::vector<ConformanceTest> state_tests() {
  return {{"NewStoreIsEmpty", new_store_is_empty},
          {"LoadEqualsTheFold", load_equals_the_fold},
          {"ReopenedStoreGoesOn", reopened_store_goes_on},
          {"CommitWithoutLoadGoesOn", commit_without_load_goes_on},
          {"WholeHistoryIsOneCommit", whole_history_is_one_commit},
          {"JobsOfAnArrayShareOneSpec", jobs_of_an_array_share_one_spec},
          {"AnyTextIsKept", any_text_is_kept},
          {"SideRecordsAreKept", side_records_are_kept},
          {"SideRecordReplacesTheOneBefore", side_record_replaces_the_one_before},
          {"TheTimeOfTheNewestEventIsKnown", the_time_of_the_newest_event_is_known},
          {"GapInTheSequenceIsABug", gap_in_the_sequence_is_a_bug}};
}

}  // namespace ym::testing
