#include "executor/kubernetes/api/object_table.h"

#include <gtest/gtest.h>

namespace ym::kubernetes {
namespace {

struct Thing {
  ObjectMeta meta;
  std::string text;
};
using Table = ObjectTable<Thing>;

Thing thing(const std::string& name, const std::string& uid, int version, std::string text = {}) {
  return {{.name = name, .name_space = "ns", .uid = uid, .version = std::to_string(version)}, std::move(text)};
}

std::string words(const Table::Delta& delta) {
  std::string out;
  for (const auto& each : delta.removed) out += "-" + each.meta.uid + each.text + " ";
  for (const auto& each : delta.present) out += "+" + each.meta.uid + each.text + " ";
  return out;
}

TEST(ObjectTable, DuplicatesAndStaleEventsChangeNothing) {
  Table table;
  EXPECT_EQ(words(table.put(thing("a", "u", 5, "x"))), "+ux ");
  EXPECT_EQ(words(table.put(thing("a", "u", 5, "x"))), "");
  EXPECT_EQ(words(table.put(thing("a", "u", 3, "old"))), "");
  EXPECT_EQ(words(table.put(thing("a", "u", 6, "y"))), "+uy ");
  EXPECT_EQ(table.find("ns", "a")->text, "y");
}

TEST(ObjectTable, WhatIsDeletedStaysDeletedWhenItsEventsComeLate) {
  Table table;
  table.put(thing("a", "u", 5));
  EXPECT_EQ(words(table.remove(thing("a", "u", 9, "last"))), "-ulast ");
  EXPECT_EQ(words(table.put(thing("a", "u", 8))), "");
  EXPECT_EQ(words(table.remove(thing("a", "u", 9))), "");
  EXPECT_EQ(table.find("ns", "a"), nullptr);
}

TEST(ObjectTable, ASuccessorOfTheSameNameIsAnotherObject) {
  Table table;
  table.put(thing("a", "u1", 5));
  EXPECT_EQ(words(table.put(thing("a", "u2", 7))), "-u1 +u2 ");
  EXPECT_EQ(words(table.remove(thing("a", "u1", 6))), "");
  EXPECT_EQ(words(table.put(thing("a", "u1", 4))), "");
  EXPECT_EQ(table.find("ns", "a")->meta.uid, "u2");
}

TEST(ObjectTable, ADeletionThatComesLateHasTheNewestThatWasSeen) {
  Table table;
  table.put(thing("a", "u", 9, "new"));
  EXPECT_EQ(words(table.remove(thing("a", "u", 8, "old"))), "-unew ");
}

TEST(ObjectTable, AListReplacesAllAndTellsWhatWasDeletedMeanwhile) {
  Table table;
  for (const auto* name : {"a", "b", "c"}) table.put(thing(name, name, 5));
  table.begin_list();
  EXPECT_EQ(words(table.list(thing("a", "a", 5))), "");
  EXPECT_EQ(words(table.list(thing("c", "c2", 8))), "-c +c2 ");
  EXPECT_EQ(words(table.list(thing("d", "d", 9))), "+d ");
  EXPECT_EQ(words(table.end_list()), "-b ");
  EXPECT_EQ(table.all().size(), 3U);
}

TEST(ObjectTable, AListThatWasCutShortDeletesNothing) {
  Table table;
  table.put(thing("a", "a", 5));
  table.begin_list();
  table.begin_list();
  table.list(thing("a", "a", 5));
  EXPECT_EQ(words(table.end_list()), "");
}

// The same history with each event twice and in any order: the result is the same.
TEST(ObjectTable, EndsTheSameInWhateverOrderEventsCome) {
  std::vector<int> order{0, 1, 2, 3, 4};
  do {
    Table table;
    for (int round = 0; round < 2; ++round)
      for (const int i : order) {
        if (i == 0) table.put(thing("a", "u1", 1));
        if (i == 1) table.put(thing("a", "u1", 2));
        if (i == 2) table.remove(thing("a", "u1", 3));
        if (i == 3) table.put(thing("a", "u2", 4, "end"));
        if (i == 4) table.put(thing("b", "u3", 5));
      }
    ASSERT_NE(table.find("ns", "a"), nullptr);
    EXPECT_EQ(table.find("ns", "a")->text, "end");
    EXPECT_EQ(table.all().size(), 2U);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace
}  // namespace ym::kubernetes
