#include "engine/reserve/stretches.h"

#include <gtest/gtest.h>

namespace ym::engine {
namespace {

TEST(Stretches, AreLookedForAgainOnceSomethingElseIsKnownOfTheNode) {
  Stretches stretches;
  int looks = 0;
  const auto ask = [&](const NodeNeed& task, std::size_t place, const Stretches::AsOf& as_of) {
    return stretches.of(task).of(place, as_of, [&](std::vector<Stretch>& found) {
      ++looks;
      found.push_back({.begin = looks, .end = looks + 1});
    });
  };
  const NodeNeed one{.devices = 1}, two{.devices = 2};
  const Stretches::AsOf now{.promises = 1, .touched = 7};
  EXPECT_EQ(ask(one, 3, now).front().begin, 1);
  EXPECT_EQ(ask(one, 3, now).front().begin, 1) << "nothing has changed";
  EXPECT_EQ(ask(two, 3, now).front().begin, 2) << "another task";
  EXPECT_EQ(ask(one, 4, now).front().begin, 3) << "another node";
  EXPECT_EQ(ask(one, 3, {.promises = 2, .touched = 7}).front().begin, 4) << "one promise more";
  EXPECT_EQ(ask(one, 3, {.promises = 2, .touched = 8}).front().begin, 5) << "something was taken";
  EXPECT_EQ(ask(one, 4, now).front().begin, 3) << "of others the same holds";
  EXPECT_EQ(ask(one, 3, {.promises = 2, .touched = 8}).size(), 1U);
}

}  // namespace
}  // namespace ym::engine
