#include "store/postgres/migrations.h"

#include <gmock/gmock.h>

#include <future>

#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

class Migrations : public ::testing::Test {
 protected:
  Migrations() : steps_(migrations().begin(), migrations().end()) {}
  std::unique_ptr<Connection> connect() const {
    return must(Connection::open({.conninfo = place_.conninfo, .schema = place_.schema}));
  }

  PostgresOptions place_ = shared_server().fresh_place();
  std::vector<Migration> steps_;
};

TEST_F(Migrations, LaterSchemaIsReachedAndNothingIsLost) {
  testing::RandomHistory history(21);
  grow(*must(open_postgres_store(place_)), history, 60);
  steps_.push_back({"ALTER TABLE tokens ADD COLUMN note text NOT NULL DEFAULT ''"});
  steps_.push_back({"CREATE TABLE extra AS SELECT max(seq) AS id FROM events"});
  const auto connection = connect();
  must(migrate(*connection, place_.schema, steps_));
  must(migrate(*connection, place_.schema, steps_));
  EXPECT_EQ(must(known_version(*connection, steps_)), steps_.size());
  EXPECT_EQ(must(connection->run("SELECT id FROM extra"))[0].integer(0), std::ssize(history.events()));
}

// As an earlier version leaves it, which did not know the table.
TEST_F(Migrations, MissingTableOfNamedRowsIsMadeAndUsed) {
  must(open_postgres_store(place_));
  must(connect()->execute("DROP TABLE policies"));
  const auto unopened = read_postgres_state(place_);
  ASSERT_TRUE(unopened) << unopened.error().message;
  EXPECT_TRUE(unopened->tables.policies.empty());
  const auto tables = rows::set_policy(*must(open_postgres_store(place_)));
  EXPECT_EQ(must(must(open_postgres_store(place_))->load()).tables, tables);
  EXPECT_EQ(must(read_postgres_state(place_)).tables, tables);
}

TEST_F(Migrations, FailedStepChangesNothing) {
  testing::RandomHistory history(22);
  grow(*must(open_postgres_store(place_)), history, 60);
  steps_.push_back({"CREATE TABLE extra(id bigint); DELETE FROM events"});
  steps_.push_back({"INSERT INTO no_such_table VALUES(1)"});
  EXPECT_FALSE(migrate(*connect(), place_.schema, steps_));
  EXPECT_EQ(must(known_version(*connect())), migrations().size());
  expect_whole(*must(open_postgres_store(place_)), history);
}

TEST_F(Migrations, ServersThatBeginTogetherMakeOneState) {
  std::vector<std::future<Result<void>>> servers;
  for (int i = 0; i < 4; ++i)
    servers.push_back(std::async(std::launch::async, [&] { return migrate(*connect(), place_.schema); }));
  for (auto& server : servers) {
    const auto done = server.get();
    EXPECT_TRUE(done) << done.error().message;
  }
  EXPECT_EQ(must(known_version(*connect())), migrations().size());
}

}  // namespace
}  // namespace ym::postgres
