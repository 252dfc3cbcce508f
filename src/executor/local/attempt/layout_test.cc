#include "executor/local/attempt/layout.h"

#include <gtest/gtest.h>

namespace ym::local {
namespace {

TEST(Layout, AFolderIsItsAttempts) {
  const AttemptKey attempt{JobId{42}, 3};
  EXPECT_EQ(attempt_at("/var/lib/ym/" + attempt_path(attempt)), attempt);
  EXPECT_EQ(attempt_at("./" + attempt_path(attempt)), attempt);
}

TEST(Layout, WhatStandsWhereNoAttemptWouldIsNone) {
  const auto path = "/s/" + attempt_path({JobId{42}, 3});
  for (const auto& other :
       {path + "/0", path + "x", path.substr(0, path.rfind('/')), path.substr(0, path.size() - 1) + "03",
        std::string("/s/attempts/.boots/7"), std::string("attempts"), std::string()})
    EXPECT_EQ(attempt_at(other), std::nullopt) << other;
}

}  // namespace
}  // namespace ym::local
