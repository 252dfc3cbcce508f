#include <gmock/gmock.h>

#include "base/testing/sentences.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

using ::testing::HasSubstr;

TEST(PostgresPlace, IsNamedForPeople) {
  for (const auto* conninfo :
       {"postgresql://ym@db1:5433/state", "postgres://ym@db1:5433/state", "host=db1 port=5433 dbname=state user=ym"})
    ym::testing::expect_sentence(must(postgres_place({.conninfo = conninfo})));
}

TEST(PostgresPlace, WithAPasswordIsRefusedAndNotRepeated) {
  for (const auto* conninfo :
       {"postgresql://ym:hunter2@db1/state", "host=db1 password=hunter2", "postgresql://ym@db1/state?password=hunter2",
        "postgresql://ym:hunter2@db1:port/state"}) {
    const auto refused = postgres_place({.conninfo = conninfo});
    ASSERT_FALSE(refused) << conninfo;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
    EXPECT_THAT(refused.error().message, ::testing::Not(HasSubstr("hunter2")));
  }
}

TEST(PostgresPlace, NonsenseIsRefused) {
  for (const auto* conninfo : {"sqlite:///x", "postgresql://ym@db1/state?nonsense=1", "/a/path"})
    EXPECT_FALSE(postgres_place({.conninfo = conninfo})) << conninfo;
}

TEST(PostgresState, IsReadBesideTheLeader) {
  const auto place = shared_server().fresh_place();
  testing::RandomHistory history(91);
  const auto store = must(open_postgres_store(place));
  grow(*store, history, 300);
  EXPECT_EQ(must(read_postgres_state(place)).tables, testing::unfinished(history.tables()));
}

}  // namespace
}  // namespace ym::postgres
