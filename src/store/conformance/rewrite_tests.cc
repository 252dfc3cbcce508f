// What an erasure asks of a store.
#include <algorithm>
#include <memory>
#include <stdexcept>

#include "store/conformance/checks.h"

namespace ym::testing {
namespace {

std::vector<Event> whole_log(StoreReader& reader) {
  std::vector<Event> all;
  while (true) {
    const auto next = must(reader.events({.after = all.empty() ? 0 : all.back().seq}, 100));
    all.insert(all.end(), next.begin(), next.end());
    if (next.empty()) return all;
  }
}

template <class Payload>
const Event& first_of(const std::vector<Event>& events) {
  const auto found =
      std::ranges::find_if(events, [](const Event& event) { return std::holds_alternative<Payload>(event.payload); });
  if (found == events.end()) throw std::runtime_error("the history has no such event");
  return *found;
}

// Another actor of a record, another spec of a job, another owner in its row; and an event that says so.
struct Rewriting {
  Rewriting(Store& store, const std::vector<Event>& events)
      : record(first_of<RequestAudited>(events)),
        job(*must(must(store.reader())->job(job_of(first_of<JobSubmitted>(events).payload).value()))) {
    record.actor = "another";
    std::get<RequestAudited>(record.payload).source = "10.0.0.1";
    auto other = std::make_shared<JobSpec>(*job.spec);
    other->run.words = {"nothing"};
    job.spec = other;
    job.owner = "another";
    rewrite = {.events = {record}, .specs = {{job.spec_id, job.spec}}, .principal = "another"};
    Tables tables = must(store.load()).tables;
    Touched touched;
    const Erasure row{.name = "erased-1", .event = tables.last_seq + 1};
    const Event last{.seq = row.event,
                     .time = tables.last_time,
                     .actor = "server",
                     .reason = "",
                     .payload = EventPayload(ErasureSet{row})};
    apply(tables, last, &touched);
    commit = make_commit(tables, touched, {last});
    commit.jobs.emplace_back(job);
  }

  // What this event is afterwards.
  Event after(Event event) const {
    if (event.seq == record.seq) return record;
    if (auto* submitted = std::get_if<JobSubmitted>(&event.payload); submitted && submitted->job.spec_id == job.spec_id)
      submitted->job.spec = job.spec;
    return event;
  }

  Event record;
  Job job;
  Rewrite rewrite;
  Commit commit;
};

void rewriting_replaces_what_is_stored(StoreHost& host) {
  RandomHistory history(23);
  auto store = host.open();
  grow(*store, history, 600);
  const auto& events = history.events();
  const Rewriting rewriting(*store, events);
  must(store->rewrite(rewriting.rewrite, rewriting.commit));
  must(store->compact());
  store.reset();
  store = host.open();
  EXPECT_TRUE(must(store->load()).tables.erasures.contains("erased-1"));
  const auto reader = must(store->reader());
  const auto now = whole_log(*reader);
  ASSERT_EQ(now.size(), events.size() + 1);
  for (std::size_t i = 0; i < events.size(); ++i) EXPECT_EQ(now[i], rewriting.after(events[i])) << events[i].seq;
  EXPECT_EQ(must(reader->job(rewriting.job.id)), std::optional(rewriting.job));
}

void rewriting_takes_records_of_the_principal(StoreHost& host) {
  const auto store = host.open();
  Commit commit;
  for (const auto* user : {"ann", "bob"}) {
    commit.idempotency.push_back({.principal = user, .key = "k", .request_hash = "h", .jobs = {}, .at = Instant{5}});
    commit.tokens.push_back({.hash = std::string(user) + "00", .principal = user, .role = "admin", .created_at = {}});
  }
  must(store->commit(commit));
  must(store->rewrite({.events = {}, .specs = {}, .principal = "ann"}, Commit{}));
  const auto loaded = must(store->load());
  ASSERT_EQ(loaded.idempotency.size(), 1U);
  EXPECT_EQ(loaded.idempotency[0].principal, "bob");
  ASSERT_EQ(loaded.tokens.size(), 1U);
  EXPECT_EQ(loaded.tokens[0].principal, "bob");
}

}  // namespace

std::vector<ConformanceTest> rewrite_tests() {
  return {{"RewritingReplacesWhatIsStored", rewriting_replaces_what_is_stored},
          {"RewritingTakesRecordsOfThePrincipal", rewriting_takes_records_of_the_principal}};
}

}  // namespace ym::testing
