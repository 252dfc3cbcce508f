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

}  // namespace

std::vector<TestOf<DatabaseHost>> document_tests() {
  return {{"ANewStoreHasOurVersion", a_new_store_has_our_version},
          {"TheFirstCommitRaisesAnOlderVersion", the_first_commit_raises_an_older_version},
          {"ANewerVersionIsRefused", a_newer_version_is_refused},
          {"AnUnknownFieldOfANewerVersionIsNoDamage", an_unknown_field_of_a_newer_version_is_no_damage}};
}

}  // namespace ym::testing
