// Tests of the version of stored documents.
#include "model/json/codec.h"
#include "model/json/document_version.h"
#include "store/conformance/checks.h"

namespace ym::testing {
namespace {

using json::kDocumentVersion;

constexpr auto kNewer = kDocumentVersion + 1;

template <class T>
void expect_newer(const Result<T>& refused) {
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  const auto& message = refused.error().message;
  EXPECT_EQ(message.substr(std::min(message.find(" was written"), message.size())),
            " was written by a newer version of Yardmaster (documents " + std::to_string(kNewer) +
                "; this one knows up to " + std::to_string(kDocumentVersion) +
                "). Nothing was changed. Start that version, or a later one");
}

void a_new_store_has_our_version(DatabaseHost& host) {
  must(host.open()->commit({.tokens = {{"aa", "ann", "admin", {}}}}));
  EXPECT_EQ(host.documents(), kDocumentVersion);
}

void the_first_commit_raises_an_older_version(DatabaseHost& host) {
  RandomHistory history(31);
  grow(*host.open(), history, 40);
  host.set_documents(kDocumentVersion - 1);
  EXPECT_EQ(must(host.open()->load()).tables, unfinished(history.tables()));
  EXPECT_EQ(must(host.read_state()).tables, unfinished(history.tables()));
  EXPECT_EQ(host.documents(), kDocumentVersion - 1) << "what only looks leaves it to the version before";
  grow(*host.open(), history, 1);
  EXPECT_EQ(host.documents(), kDocumentVersion);
  EXPECT_EQ(must(host.open()->load()).tables, unfinished(history.tables()));
}

void a_newer_version_is_refused(DatabaseHost& host) {
  RandomHistory history(32);
  grow(*host.open(), history, 40);
  host.set_documents(kNewer);
  expect_newer(host.try_open());
  expect_newer(host.read_state());
  expect_newer(host.history());
  EXPECT_EQ(host.documents(), kNewer);
  host.set_documents(kDocumentVersion);
  EXPECT_EQ(must(host.open()->load()).tables, unfinished(history.tables())) << "nothing was changed";
}

// An unknown field is damage, unless the version of the documents says that there may be newer fields.
void an_unknown_field_of_a_newer_version_is_no_damage(DatabaseHost& host) {
  const Queue queue{.name = "a"};
  Tables tables;
  Touched touched;
  std::vector<Event> events{{.seq = 1, .time = {1}, .actor = "ann", .reason = {}, .payload = RowSet<Queue>{queue}}};
  apply(tables, events[0], &touched);
  must(host.open()->commit(make_commit(tables, touched, events)));
  host.set_queue("a", "{\"of_the_future\":1," + json::encode(queue).substr(1));
  EXPECT_EQ(must(host.try_open())->load().error().code, ErrorCode::corrupt);
  EXPECT_EQ(host.read_state().error().code, ErrorCode::corrupt);
  host.set_documents(kNewer);
  expect_newer(host.try_open());
  expect_newer(host.read_state());
}

// Three jobs with specifications of 3 MiB, and one with 5 MiB, that were cancelled while they waited.
std::uint64_t add_large_jobs(Store& store) {
  Tables tables;
  const auto add = [&](EventPayload payload) {
    std::vector<Event> events{
        {.seq = tables.last_seq + 1, .time = {1}, .actor = "ann", .reason = {}, .payload = std::move(payload)}};
    Touched touched;
    apply(tables, events[0], &touched);
    must(store.commit(make_commit(tables, touched, std::move(events))));
  };
  add(ServerStarted{1, "0.1.0", 0});
  for (const unsigned mebibytes : {3U, 3U, 3U, 5U}) {
    JobSpec spec{.name = "large"};
    spec.run = {.form = Program::Form::argv, .words = {"true"}};
    spec.env["TEXT"] = std::string(std::size_t{mebibytes} << 20, 'x');
    Job job{.id = JobId{tables.last_id + 2}, .spec_id = SpecId{tables.last_id + 1}, .name = spec.name};
    job.spec = std::make_shared<const JobSpec>(std::move(spec));
    job.queue = "default";
    job.pending = ReasonCode::pending_evaluation;
    add(JobSubmitted{job});
    add(CancelRequested{job.id});
    add(JobFinished{job.id, JobState::cancelled, ""});
  }
  add(ServerStarted{2, "0.1.0", 0});
  return tables.last_seq - 1;
}

void a_step_of_pruning_is_bounded_in_bytes(DatabaseHost& host) {
  const auto store = host.open();
  const auto to = add_large_jobs(*store);
  std::vector<std::int64_t> jobs;
  for (bool more = true; more;) {
    const auto done = must(store->prune(to, 1000));
    if (done.events > 0) jobs.push_back(done.jobs);
    more = done.more;
  }
  EXPECT_EQ(jobs, (std::vector<std::int64_t>{1, 1, 1, 1})) << "what is larger than a step goes alone";
  EXPECT_TRUE(must(must(store->reader())->jobs({}, 10)).empty());
  EXPECT_EQ(must(must(store->reader())->events({}, 10)).size(), 2u);
}

}  // namespace

std::vector<TestOf<DatabaseHost>> document_tests() {
  return {{"ANewStoreHasOurVersion", a_new_store_has_our_version},
          {"TheFirstCommitRaisesAnOlderVersion", the_first_commit_raises_an_older_version},
          {"ANewerVersionIsRefused", a_newer_version_is_refused},
          {"AStepOfPruningIsBoundedInBytes", a_step_of_pruning_is_bounded_in_bytes},
          {"AnUnknownFieldOfANewerVersionIsNoDamage", an_unknown_field_of_a_newer_version_is_no_damage}};
}

}  // namespace ym::testing
