// Helpers that the tests of stores on databases share.
#pragma once

#include <gtest/gtest.h>

#include "model/testing/random_history.h"
#include "store/conformance/must.h"
#include "store/store.h"

namespace ym::rows {

using testing::must;

// The commit of the next `size` events.
inline Commit next_commit(testing::RandomHistory& history, std::size_t size) {
  auto batch = history.next(size);
  return make_commit(history.tables(), batch.touched, std::move(batch.events));
}

// Commits `events` more events, `at_a_time` in each commit.
inline void grow(Store& store, testing::RandomHistory& history, std::size_t events, std::size_t at_a_time = 7) {
  for (const auto goal = history.events().size() + events; history.events().size() < goal;)
    must(store.commit(next_commit(history, at_a_time)));
}

// Commits a row of a table of named rows to an empty state. Returns the new tables.
inline Tables set_policy(Store& store) {
  Tables tables;
  Touched touched;
  std::vector<Event> events{{.seq = 1,
                             .time = {1},
                             .actor = "a",
                             .reason = "r",
                             .payload = PolicySet{{.name = kPolicyName, .settings = {.age_cap = hours(2)}}}}};
  apply(tables, events.back(), &touched);
  must(store.commit(make_commit(tables, touched, std::move(events))));
  return tables;
}

// Commits the submits of these jobs in one commit.
inline void submit(Store& store, Tables& tables, const std::vector<Job>& jobs) {
  Touched touched;
  std::vector<Event> events;
  for (const auto& job : jobs) {
    events.push_back(
        {.seq = tables.last_seq + 1, .time = {1}, .actor = "a", .reason = "r", .payload = JobSubmitted{job}});
    apply(tables, events.back(), &touched);
  }
  must(store.commit(make_commit(tables, touched, std::move(events))));
}

// Commits five thousand jobs of one spec at once. Expects all jobs, and the spec once.
inline void expect_many_submits(Store& store, const std::function<std::int64_t()>& stored_specs) {
  const auto spec = std::make_shared<const JobSpec>(JobSpec{.name = "many"});
  Tables tables;
  std::vector<Job> jobs;
  for (std::uint64_t id = 2; id <= 5001; ++id) jobs.push_back({.id = JobId{id}, .spec_id = SpecId{1}, .spec = spec});
  submit(store, tables, jobs);
  EXPECT_EQ(must(store.load()).tables, tables);
  EXPECT_EQ(stored_specs(), 1);
}

// Submits job 2n, for n from 1. The spec of each takes a tenth of a page.
inline void submit_fat(Store& store, std::uint64_t count) {
  Tables tables;
  for (std::uint64_t n = 1; n <= count; ++n) {
    JobSpec spec{.name = "fat", .run = {.words = {"true"}}, .workdir = "/"};
    spec.env["BULK"] = std::string(200'000, 'b');
    submit(store, tables,
           {{.id = JobId{2 * n},
             .spec_id = SpecId{2 * n},
             .spec = std::make_shared<const JobSpec>(std::move(spec)),
             .name = "fat",
             .state = n % 2 ? JobState::queued : JobState::held}});
  }
}

// Ten rows fill a page. Expects pages with at most `most_events` events or `most_jobs` jobs, and that together they
// have all.
inline void expect_short_pages(Store& store, std::size_t most_events, std::size_t most_jobs) {
  constexpr std::size_t kJobs = 60;
  submit_fat(store, kJobs);
  const auto reader = must(store.reader());
  std::uint64_t seq = 0;
  for (auto page = must(reader->events({}, 1000)); !page.empty(); page = must(reader->events({.after = seq}, 1000))) {
    EXPECT_LE(page.size(), most_events);
    for (const auto& event : page) ASSERT_EQ(event.seq, ++seq);
  }
  EXPECT_EQ(seq, kJobs);
  for (const auto& states : {std::vector<JobState>{}, std::vector{JobState::queued, JobState::held}}) {
    std::vector<JobId> ids{JobId{2 * kJobs + 2}};
    while (true) {
      const auto page = must(reader->jobs({.states = states, .before = ids.back()}, 1000));
      if (page.empty()) break;
      EXPECT_LE(page.size(), most_jobs);
      for (const auto& job : page) {
        ASSERT_EQ(job.id, JobId{ids.back().value - 2});
        ids.push_back(job.id);
      }
    }
    EXPECT_EQ(ids.size(), kJobs + 1);
  }
}

}  // namespace ym::rows
