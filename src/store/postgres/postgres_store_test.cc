#include "store/postgres/postgres_store.h"

#include <gmock/gmock.h>

#include "store/conformance/suite.h"
#include "store/memory/memory_store.h"
#include "store/postgres/connection.h"
#include "store/postgres/copy_state.h"
#include "store/postgres/standby.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using ::testing::HasSubstr;

class PostgresHost final : public ym::testing::DatabaseHost {
 public:
  std::unique_ptr<Store> open() override { return must(open_postgres_store(place_)); }
  Result<std::unique_ptr<Store>> try_open() override { return open_postgres_store(place_); }
  Result<LoadedState> read_state() override { return read_postgres_state(place_); }
  Result<std::unique_ptr<StoreReader>> history() override { return open_postgres_history(place_); }

  std::int64_t documents() override { return must(shell()->run("SELECT documents FROM meta"))[0].integer(0); }
  void set_documents(std::int64_t version) override {
    must(shell()->execute("UPDATE meta SET documents = " + std::to_string(version)));
  }
  void set_queue(const std::string& name, const std::string& doc) override {
    Parameters parameters;
    parameters.add(std::string_view(name)).add(std::string_view(doc));
    (void)must(shell()->run("UPDATE queues SET doc = $2 WHERE name = $1", parameters));
  }

 private:
  std::unique_ptr<Connection> shell() const {
    return must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
  }

  PostgresOptions place_ = shared_server().fresh_place();
};

const bool kRegistered =
    ym::testing::register_store_conformance("Postgres", [] { return std::make_unique<PostgresHost>(); }) &&
    ym::testing::register_document_conformance("Postgres", [] { return std::make_unique<PostgresHost>(); });

TEST(PostgresStore, NoStateIsNeverTakenForAnEmptyOne) {
  ASSERT_TRUE(kRegistered);
  auto place = shared_server().fresh_place();
  place.initialise = false;
  const auto refused = open_postgres_store(place);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::corrupt);
  EXPECT_THAT(refused.error().message, HasSubstr("--init"));
}

TEST(PostgresStore, NewerSchemaIsRefused) {
  const auto place = shared_server().fresh_place();
  must(open_postgres_store(place));
  const auto shell = must(Connection::open({.conninfo = place.conninfo, .schema = place.schema}));
  must(shell->execute("INSERT INTO schema_version VALUES(1000)"));
  const auto refused = open_postgres_store(place);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_THAT(refused.error().message, HasSubstr("newer"));
}

// The documents of a newer version that leads now.
class NewerDocuments : public ::testing::Test {
 protected:
  NewerDocuments() { grow(*must(open_postgres_store(place_)), history_, 60); }

  void newer_version_writes() const {
    const auto shell = must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
    must(
        shell->execute("UPDATE meta SET documents = 1000; UPDATE events SET payload = "
                       "'{\"of_the_future\":1,'::bytea || substr(payload, 2)"));
  }
  static void expect_refused(const Error& error) {
    EXPECT_EQ(error.code, ErrorCode::conflict);
    EXPECT_THAT(error.message, HasSubstr("documents 1000"));
  }

  PostgresOptions place_ = shared_server().fresh_place();
  testing::RandomHistory history_{61};
};

TEST_F(NewerDocuments, AReaderThatWasOpenBeforeSaysWhatTheyAre) {
  const auto reader = must(open_postgres_history(place_));
  ASSERT_TRUE(reader->events({}, 10));
  newer_version_writes();
  expect_refused(reader->events({}, 10).error());
}

TEST_F(NewerDocuments, AServerThatStandsByEnds) {
  newer_version_writes();
  Standby standby({.place = place_, .poll = std::chrono::milliseconds(1)});
  expect_refused(standby.wait_to_lead({}).error());
  expect_refused(standby.reader().error());
  expect_refused(read_postgres_state(place_).error());
}

TEST_F(NewerDocuments, ACopyOfAnotherStateIsNotPutThere) {
  newer_version_writes();
  const auto from = make_memory_store(make_memory_disk());
  expect_refused(copy_state(*from, {.to = place_}).error());
}

TEST_F(NewerDocuments, TheTermOfTheLeaderGoesOn) {
  newer_version_writes();
  const auto before = must(postgres_leader(place_));
  expect_refused(open_postgres_store(place_).error());
  EXPECT_EQ(must(postgres_leader(place_)).term, before.term);
}

class DamagedPostgres : public ::testing::TestWithParam<const char*> {};

TEST_P(DamagedPostgres, IsFoundOnLoading) {
  const auto place = shared_server().fresh_place();
  testing::RandomHistory history(1);
  const auto store = must(open_postgres_store(place));
  grow(*store, history, 300);
  const auto shell = must(Connection::open({.conninfo = place.conninfo, .schema = place.schema}));
  must(shell->execute(GetParam()));
  const auto loaded = store->load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::corrupt);
}

INSTANTIATE_TEST_SUITE_P(Rows, DamagedPostgres,
                         ::testing::Values("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)",
                                           "DELETE FROM specs", "DELETE FROM jobs", "DELETE FROM attempts",
                                           "DELETE FROM meta", "UPDATE jobs SET owner = 'somebody'",
                                           "UPDATE jobs SET doc = '{}'", "UPDATE nodes SET name = name || 'x'"));

TEST(PostgresStore, ThousandsOfSubmitsInOneCommit) {
  const auto place = shared_server().fresh_place();
  const auto store = must(open_postgres_store(place));
  rows::expect_many_submits(*store, [&] {
    const auto shell = must(Connection::open({.conninfo = place.conninfo, .schema = place.schema}));
    return must(shell->run("SELECT count(*) FROM specs"))[0].integer(0);
  });
}

TEST(PostgresStore, PagesOfLargeRowsAreShortAndComplete) {
  // 2 MiB, and the specs that were fetched together with the last row.
  rows::expect_short_pages(*must(open_postgres_store(shared_server().fresh_place())), 32, 32);
}

TEST(PostgresStore, ReaderConnectionCannotWrite) {
  const auto place = shared_server().fresh_place();
  must(open_postgres_store(place));
  const auto reader =
      must(Connection::open({.conninfo = place.conninfo, .schema = place.schema, .access = Access::read_only}));
  EXPECT_FALSE(reader->execute("DELETE FROM events"));
}

TEST(PostgresStore, WeakSettingsAreTold) {
  auto place = shared_server().fresh_place();
  std::vector<std::string> warnings;
  place.warn = [&](std::string_view warning) { warnings.emplace_back(warning); };
  must(open_postgres_store(place));
  EXPECT_THAT(warnings, ::testing::ElementsAre(HasSubstr("synchronous_standby_names")));
}

TEST(PostgresStore, ThePasswordIsNotInMessages) {
  const auto refused = open_postgres_store({.conninfo = "host=/nowhere user=ym password=hunter2 dbname=postgres"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::unavailable);
  EXPECT_THAT(refused.error().message, ::testing::Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace ym::postgres
