// What readers see.
#include <atomic>
#include <set>
#include <thread>

#include "store/conformance/checks.h"
#include "store/stored_event.h"

namespace ym::testing {
namespace {

std::vector<Event> all_events(StoreReader& reader, std::size_t page) {
  std::vector<Event> all;
  while (true) {
    const auto next = must(reader.events({.after = all.empty() ? 0 : all.back().seq}, page));
    all.insert(all.end(), next.begin(), next.end());
    if (next.empty()) return all;
  }
}

void events_fold_to_the_tables(StoreHost& host) {
  RandomHistory history(11);
  const auto store = host.open();
  grow(*store, history, 800);
  const auto events = all_events(*must(store->reader()), 37);
  ASSERT_EQ(events, history.events());
  Tables folded;
  for (const auto& event : events) apply(folded, event);
  EXPECT_EQ(folded, history.tables());
}

void events_of_one_job(StoreHost& host) {
  RandomHistory history(12);
  const auto store = host.open();
  grow(*store, history, 500);
  const auto reader = must(store->reader());
  for (const auto& [id, job] : history.tables().jobs) {
    std::vector<Event> expected;
    for (const auto& event : history.events())
      if (job_of(event.payload) == id) expected.push_back(event);
    EXPECT_EQ(must(reader->events({.job = id}, 1000)), expected);
    const auto rest = must(reader->events({.job = id, .after = expected[0].seq}, 1));
    EXPECT_EQ(rest.size(), std::min<std::size_t>(1, expected.size() - 1));
    if (!rest.empty()) {
      EXPECT_EQ(rest[0], expected[1]);
    }
  }
}

void events_of_one_type(StoreHost& host) {
  RandomHistory history(19);
  const auto store = host.open();
  grow(*store, history, 500);
  const auto reader = must(store->reader());
  std::vector<Event> expected;
  for (const auto& event : history.events())
    if (std::holds_alternative<RequestAudited>(event.payload)) expected.push_back(event);
  ASSERT_GT(expected.size(), 1u);
  EXPECT_EQ(must(reader->events({.type = RequestAudited::kType}, 1000)), expected);
  const auto rest = must(reader->events({.after = expected[0].seq, .type = RequestAudited::kType}, 1));
  EXPECT_EQ(rest, std::vector{expected[1]});
}

// Step by step, until nothing is left up to this event.
Pruned prune_to(Store& store, std::uint64_t to, std::size_t step) {
  Pruned all;
  for (bool more = true; more;) {
    const auto done = must(store.prune(to, step));
    EXPECT_LE(done.events, static_cast<std::int64_t>(step));
    all.events += done.events;
    all.jobs += done.jobs;
    more = done.more;
  }
  return all;
}

void expect_the_rest(StoreReader& reader, const RandomHistory& history, std::uint64_t to) {
  std::set<JobId> kept;
  std::vector<Event> rest;
  for (const auto& event : history.events()) {
    if (event.seq > 1 && event.seq <= to) continue;
    rest.push_back(event);
    if (const auto job = job_of(event.payload)) kept.insert(*job);
  }
  EXPECT_EQ(all_events(reader, 37), rest);
  for (const auto& [id, job] : history.tables().jobs) {
    const bool stays = !is_terminal(job.state) || kept.contains(id);
    const auto found = must(reader.job(id));
    ASSERT_EQ(found.has_value(), stays) << to_string(id);
    if (stays) EXPECT_EQ(*found, job) << "with its specification";
    EXPECT_EQ(must(reader.attempts(id)).empty(), !stays || job.attempts == 0) << to_string(id);
  }
}

void pruning_takes_the_first_events_and_their_ended_jobs(StoreHost& host) {
  RandomHistory history(21);
  const auto store = host.open();
  grow(*store, history, 900);
  const auto before = must(store->load());
  const auto reader = must(store->reader());
  EXPECT_EQ(must(store->prune(0, 10)).events, 0);
  std::int64_t jobs = 0;
  for (const std::uint64_t to : {1ULL, 300ULL, 300ULL, 700ULL}) {
    const auto done = prune_to(*store, to, 41);
    jobs += done.jobs;
    expect_the_rest(*reader, history, to);
  }
  EXPECT_GT(jobs, 5);
  const auto after = must(store->load());
  EXPECT_EQ(after.tables, before.tables) << "what has not ended stays";
  EXPECT_EQ(after.idempotency, before.idempotency);
  grow(*store, history, 100);
  expect_the_rest(*reader, history, 700);
}

void pruning_everything_leaves_a_state_that_goes_on(StoreHost& host) {
  RandomHistory history(22);
  {
    const auto store = host.open();
    grow(*store, history, 400);
    const auto last = history.tables().last_seq;
    EXPECT_EQ(prune_to(*store, last - 1, 1000).events, static_cast<std::int64_t>(last) - 2);
  }
  const auto store = host.open();
  const auto loaded = must(store->load());
  EXPECT_EQ(loaded.tables.last_seq, history.tables().last_seq);
  EXPECT_EQ(loaded.tables.last_id, history.tables().last_id) << "ids are not given out a second time";
  grow(*store, history, 50);
}

void stored_events_tell_events_apart(StoreHost& host) {
  RandomHistory history(20);
  const auto store = host.open();
  grow(*store, history, 500);
  const auto reader = must(store->reader());
  std::vector<StoredEvent> all;
  while (true) {
    const auto next = must(reader->stored_events(all.size(), 37));
    if (next.empty()) break;
    all.insert(all.end(), next.begin(), next.end());
  }
  ASSERT_EQ(all.size(), history.events().size());
  std::set<std::string> different;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].seq, i + 1);
    EXPECT_EQ(all[i].is_seal, std::holds_alternative<LogSealed>(history.events()[i].payload));
    different.insert(all[i].bytes);
    const auto columns = must(columns_of(all[i].bytes));
    EXPECT_EQ(bytes_of(columns), all[i].bytes);
    EXPECT_EQ(columns.seq, static_cast<std::int64_t>(i) + 1);
    EXPECT_EQ(columns.actor, history.events()[i].actor);
    EXPECT_EQ(columns.type, type_name(history.events()[i].payload));
  }
  EXPECT_EQ(different.size(), all.size());
  const auto again = must(must(store->reader())->stored_events(0, 1));
  EXPECT_EQ(again.at(0).bytes, all[0].bytes);
}

void event_pages_end(StoreHost& host) {
  RandomHistory history(13);
  const auto store = host.open();
  grow(*store, history, 100);
  const auto reader = must(store->reader());
  EXPECT_TRUE(must(reader->events({.after = history.events().size()}, 10)).empty());
  EXPECT_TRUE(must(reader->events({.after = ~std::uint64_t{0}}, 10)).empty());
  EXPECT_TRUE(must(reader->events({}, 0)).empty());
  EXPECT_TRUE(must(reader->stored_events(~std::uint64_t{0}, 10)).empty());
  EXPECT_TRUE(must(reader->stored_events(0, 0)).empty());
  EXPECT_TRUE(must(reader->events({.job = JobId{123456789}}, 10)).empty());
}

void single_jobs_and_attempts(StoreHost& host) {
  RandomHistory history(14);
  const auto store = host.open();
  grow(*store, history, 1500);
  const auto reader = must(store->reader());
  std::size_t finished = 0;
  for (const auto& [id, job] : history.tables().jobs) {
    EXPECT_EQ(must(reader->job(id)), std::optional(job));
    std::vector<Attempt> expected;
    for (const auto& [key, attempt] : history.tables().attempts)
      if (key.job == id) expected.push_back(attempt);
    EXPECT_EQ(must(reader->attempts(id)), expected);
    finished += is_terminal(job.state);
  }
  EXPECT_GT(finished, 10U) << "the history must contain jobs that load() leaves out";
  EXPECT_EQ(must(reader->job(JobId{987654321})), std::nullopt);
  EXPECT_TRUE(must(reader->attempts(JobId{987654321})).empty());
}

void attempts_of_many_jobs(StoreHost& host) {
  RandomHistory history(15);
  const auto store = host.open();
  grow(*store, history, 1000);
  std::vector<JobId> jobs;
  std::vector<Attempt> expected;
  for (const auto& [id, job] : history.tables().jobs)
    if (id.value % 3 != 0) jobs.push_back(id);
  for (const auto& [key, attempt] : history.tables().attempts)
    if (key.job.value % 3 != 0) expected.push_back(attempt);
  std::ranges::reverse(jobs);
  ASSERT_GT(expected.size(), 50U);
  const auto reader = must(store->reader());
  EXPECT_EQ(must(reader->attempts(jobs)), expected) << "by job and number, whatever the order of the question";
  EXPECT_TRUE(must(reader->attempts(std::span<const JobId>())).empty());
}

void many_jobs_by_id(StoreHost& host) {
  RandomHistory history(20);
  const auto store = host.open();
  grow(*store, history, 500);
  std::vector<JobId> ids{JobId{987654321}};
  std::vector<Job> expected;
  for (const auto& [id, job] : history.tables().jobs) {
    if (id.value % 3 == 0) continue;
    ids.push_back(id);
    expected.push_back(job);
  }
  std::ranges::reverse(ids);
  ASSERT_GT(expected.size(), 10U);
  const auto reader = must(store->reader());
  EXPECT_EQ(must(reader->jobs(ids)), expected) << "by id, whatever the order of the question";
  EXPECT_TRUE(must(reader->jobs(std::span<const JobId>())).empty());
}

bool selects(const JobFilter& filter, const Job& job) {
  if (filter.owner && *filter.owner != job.owner) return false;
  if (filter.queue && *filter.queue != job.queue) return false;
  if (filter.name && *filter.name != job.name) return false;
  if (filter.project && *filter.project != job.project) return false;
  if (filter.group && filter.group != job.group) return false;
  if (filter.before && !(job.id < *filter.before)) return false;
  if (!filter.states.empty() && std::ranges::count(filter.states, job.state) == 0) return false;
  if (!filter.within) return true;
  for (const JobSet& set : *filter.within) {
    const bool of_owner = !set.owner || *set.owner == job.owner;
    const bool in_project = !set.projects || std::ranges::count(*set.projects, job.project) > 0;
    const bool in_queue = !set.queues || std::ranges::count(*set.queues, job.queue) > 0;
    if (of_owner && in_project && in_queue) return true;
  }
  return false;
}

const Job& random_job_of(Random& random, const Tables& tables) {
  return std::next(tables.jobs.begin(), static_cast<std::ptrdiff_t>(random.below(tables.jobs.size())))->second;
}

// Often of no job, and sometimes of all.
JobSet random_set(Random& random, const Tables& tables) {
  JobSet set;
  if (random.below(3) == 0) set.owner = random_job_of(random, tables).owner;
  if (random.below(2) == 0) {
    set.projects.emplace();
    for (auto n = random.below(3); n > 0; --n) set.projects->push_back(random_job_of(random, tables).project);
  }
  if (random.below(2) == 0) {
    set.queues.emplace();
    for (auto n = random.below(3); n > 0; --n) set.queues->push_back(random_job_of(random, tables).queue);
  }
  return set;
}

JobFilter random_filter(Random& random, const Tables& tables) {
  const Job& model = random_job_of(random, tables);
  JobFilter filter;
  if (random.below(3) == 0) filter.owner = model.owner;
  if (random.below(3) == 0) filter.queue = model.queue;
  if (random.below(4) == 0) filter.name = model.name;
  if (random.below(4) == 0) filter.project = model.project;
  if (random.below(5) == 0) filter.group = model.group.value_or(GroupId{1});
  if (random.below(3) == 0) filter.before = JobId{random.below(tables.last_id + 2)};
  for (auto n = random.below(4); n > 0; --n) filter.states.push_back(static_cast<JobState>(random.below(10)));
  if (random.below(2) == 0) {
    filter.within.emplace();
    for (auto n = random.below(4); n > 0; --n) filter.within->push_back(random_set(random, tables));
  }
  return filter;
}

void job_pages_follow_their_filter(StoreHost& host) {
  RandomHistory history(15);
  const auto store = host.open();
  grow(*store, history, 1500);
  const auto reader = must(store->reader());
  Random random(15);
  for (int round = 0; round < 300; ++round) {
    const auto filter = random_filter(random, history.tables());
    const auto limit = random.below(30);
    std::vector<Job> expected;
    for (auto it = history.tables().jobs.rbegin(); it != history.tables().jobs.rend(); ++it)
      if (expected.size() < limit && selects(filter, it->second)) expected.push_back(it->second);
    ASSERT_EQ(must(reader->jobs(filter, limit)), expected) << "round " << round;
  }
}

void pages_join_without_gap(StoreHost& host) {
  RandomHistory history(16);
  const auto store = host.open();
  grow(*store, history, 600);
  const auto reader = must(store->reader());
  std::vector<Job> joined;
  JobFilter filter;
  while (true) {
    const auto page = must(reader->jobs(filter, 7));
    joined.insert(joined.end(), page.begin(), page.end());
    if (page.size() < 7) break;
    filter.before = page.back().id;
  }
  EXPECT_EQ(joined, must(reader->jobs({}, 100'000)));
  EXPECT_EQ(joined.size(), history.tables().jobs.size());
}

void reader_follows_later_commits(StoreHost& host) {
  RandomHistory history(17);
  const auto store = host.open();
  const auto reader = must(store->reader());
  for (int round = 0; round < 30; ++round) {
    grow(*store, history, 15);
    ASSERT_EQ(all_events(*reader, 100).size(), history.events().size());
  }
}

void reader_outlives_the_store(StoreHost& host) {
  RandomHistory history(18);
  auto store = host.open();
  grow(*store, history, 60);
  const auto reader = must(store->reader());
  store.reset();
  EXPECT_EQ(all_events(*reader, 1000), history.events());
}

// Each page that a reader gets is one moment of the history, whatever is being written.
void readers_run_beside_the_writer(StoreHost& host) {
  RandomHistory history(19);
  const auto store = host.open();
  grow(*store, history, 50);
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> pages = 0;
  const auto read = [&] {
    const auto reader = must(store->reader());
    std::uint64_t seen = 0;
    while (!stop) {
      const auto events = must(reader->events({}, 1'000'000));
      ASSERT_GE(events.size(), seen);
      seen = events.size();
      for (std::size_t i = 0; i < events.size(); ++i) ASSERT_EQ(events[i].seq, i + 1);
      for (const auto& job : must(reader->jobs({}, 20))) ASSERT_EQ(must(reader->job(job.id))->name, job.name);
      ++pages;
    }
  };
  std::thread first(read), second(read);
  while (pages < 20 || history.events().size() < 1500) grow(*store, history, 10);
  stop = true;
  first.join();
  second.join();
  EXPECT_EQ(must(store->load()).tables, unfinished(history.tables()));
}

}  // namespace

std::vector<ConformanceTest> history_tests() {
  return {{"EventsFoldToTheTables", events_fold_to_the_tables},
          {"EventsOfOneJob", events_of_one_job},
          {"EventsOfOneType", events_of_one_type},
          {"PruningTakesTheFirstEventsAndTheirEndedJobs", pruning_takes_the_first_events_and_their_ended_jobs},
          {"PruningEverythingLeavesAStateThatGoesOn", pruning_everything_leaves_a_state_that_goes_on},
          {"StoredEventsTellEventsApart", stored_events_tell_events_apart},
          {"EventPagesEnd", event_pages_end},
          {"SingleJobsAndAttempts", single_jobs_and_attempts},
          {"AttemptsOfManyJobs", attempts_of_many_jobs},
          {"ManyJobsById", many_jobs_by_id},
          {"JobPagesFollowTheirFilter", job_pages_follow_their_filter},
          {"PagesJoinWithoutGap", pages_join_without_gap},
          {"ReaderFollowsLaterCommits", reader_follows_later_commits},
          {"ReaderOutlivesTheStore", reader_outlives_the_store},
          {"ReadersRunBesideTheWriter", readers_run_beside_the_writer}};
}

}  // namespace ym::testing
