#include "store/postgres/postgres_store.h"

#include <gmock/gmock.h>

#include "store/conformance/suite.h"
#include "store/postgres/connection.h"
#include "store/postgres/test_support.h"

namespace ym::postgres {
namespace {

using ::testing::HasSubstr;

class PostgresHost final : public ym::testing::StoreHost {
 public:
  std::unique_ptr<Store> open() override { return must(open_postgres_store(place_)); }

 private:
  PostgresOptions place_ = shared_server().fresh_place();
};

const bool kRegistered =
    ym::testing::register_store_conformance("Postgres", [] { return std::make_unique<PostgresHost>(); });

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
  EXPECT_THAT(refused.error().message, HasSubstr("newer version"));
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
  // 2 MiB, and the specs that were fetched together with the last of it.
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
