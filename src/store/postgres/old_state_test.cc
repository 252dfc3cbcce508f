// States of earlier versions are read, migrated and written to.
#include "store/conformance/old_state.h"

#include <fstream>
#include <iterator>

#include "store/postgres/meta.h"
#include "store/postgres/migrations.h"
#include "store/postgres/testing/test_support.h"

namespace ym::postgres {
namespace {

TEST(OldState, IsMigratedAndWhole) {
  auto place = shared_server().fresh_place();
  place.schema = "yardmaster";  // the dump has this name
  place.initialise = false;
  place.take_over = true;
  std::ifstream file(YM_SOURCE_DIR "/tests/old_states/documents-1/postgres.sql");
  const auto shell = must(Connection::open({.conninfo = place.conninfo, .schema = place.schema}));
  must(shell->execute(std::string{std::istreambuf_iterator<char>(file), {}}));
  testing::expect_old_state(*must(open_postgres_store(place)));
  EXPECT_EQ(must(known_version(*shell)), migrations().size());
  EXPECT_EQ(must(read_meta(*shell)).state.documents, json::kDocumentVersion);
}

}  // namespace
}  // namespace ym::postgres
