#include "api/http/target.h"

namespace ym::api {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(Target, TakesPathAndQueryApart) {
  const auto target = parse_target("/api/v1/jobs/a%20b?state=QUEUED%2CHELD&tail=5&flag");
  ASSERT_TRUE(target);
  EXPECT_THAT(target->path, ElementsAre("api", "v1", "jobs", "a b"));
  EXPECT_THAT(target->query, ElementsAre(Pair("state", "QUEUED,HELD"), Pair("tail", "5"), Pair("flag", "")));
}

TEST(Target, RootHasNoSegmentsAndATrailingSlashMakesAnEmptyOne) {
  EXPECT_THAT(parse_target("/")->path, ElementsAre());
  EXPECT_THAT(parse_target("/a/")->path, ElementsAre("a", ""));
}

TEST(Target, DecodesOnlyOnce) { EXPECT_THAT(parse_target("/%252e%252e")->path, ElementsAre("%2e%2e")); }

TEST(Target, RefusesWhatNoNameOfOursNeeds) {
  for (const auto* bad : {"/a/../b", "/a/./b", "/a/%2e%2e/b", "/a%2Fb", "/a%5Cb", "/a\\b", "/a%00", "/a%0Ab", "/%7f",
                          "/%zz", "/%2", "http://host/a", "*", "", "a/b", "/a b"}) {
    EXPECT_FALSE(parse_target(bad)) << bad;
  }
}

}  // namespace
}  // namespace ym::api
