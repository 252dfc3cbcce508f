#include "engine/quota/budget_book.h"

namespace ym::engine {
namespace {

constexpr Cost kHourOfOne{.gpu_ms = 3'600'000, .money_micros = 2'000'000};

class BudgetsOfATree : public ::testing::Test {
 protected:
  BudgetsOfATree() {
    queues_["org"] = {.name = "org", .parent = "", .quota = {}, .age_cap = {}};
    queues_["org"].budgets = {{.unit = BudgetUnit::money, .amount = 5'000'000, .per = BudgetWindow::week}};
    queues_["a"] = {.name = "a", .parent = "org", .quota = {}, .age_cap = {}};
    queues_["a"].budgets = {{.unit = BudgetUnit::gpu_hours, .amount = 2 * 3'600'000, .per = BudgetWindow::day}};
    queues_["b"] = {.name = "b", .parent = "org", .quota = {}, .age_cap = {}};
    for (const auto& [name, row] : queues_) names_.intern(name);
    book_.rebuild(queues_, names_);
  }
  QueueIndex queue(std::string_view name) const { return names_.find(name); }

  std::map<std::string, Queue> queues_;
  Names<QueueIndex> names_;
  BudgetBook book_;
  Instant monday_ = parse_rfc3339("2026-11-23T10:00:00Z").value();
};

TEST_F(BudgetsOfATree, HoldForTheQueueAndThoseBelowIt) {
  const std::int64_t today = day_of(monday_);
  book_.add(queue("a"), today, kHourOfOne);
  EXPECT_FALSE(book_.hit(queue("a"), kHourOfOne, monday_));
  book_.add(queue("a"), today, kHourOfOne);
  EXPECT_EQ(
      book_.hit(queue("a"), kHourOfOne, monday_),
      (BudgetHit{.queue = queue("a"), .budget = queues_["a"].budgets[0], .used = 7'200'000, .needed = 3'600'000}));
  EXPECT_EQ(
      book_.hit(queue("b"), kHourOfOne, monday_),
      (BudgetHit{.queue = queue("org"), .budget = queues_["org"].budgets[0], .used = 4'000'000, .needed = 2'000'000}));
  EXPECT_FALSE(book_.hit(queue("b"), {.gpu_ms = 1, .money_micros = 1'000'000}, monday_)) << "exactly all of it";
  book_.remove(queue("a"), today, kHourOfOne);
  EXPECT_FALSE(book_.hit(queue("a"), kHourOfOne, monday_));
}

TEST_F(BudgetsOfATree, CountWhatWasAdmittedInTheWindow) {
  book_.add(queue("a"), day_of(monday_) - 1, {.gpu_ms = 7'200'000, .money_micros = 5'000'000});
  EXPECT_FALSE(book_.hit(queue("a"), kHourOfOne, monday_)) << "yesterday was another day and another week";
  EXPECT_TRUE(book_.hit(queue("a"), kHourOfOne, monday_ - hours(24)));
  book_.add(queue("a"), kToday, {.gpu_ms = 7'200'000, .money_micros = 0});
  EXPECT_EQ(book_.hit(queue("a"), kHourOfOne, monday_)->used, 7'200'000);
}

TEST_F(BudgetsOfATree, AskNothingOfWhatCostsNothing) {
  book_.add(queue("a"), kToday, {.gpu_ms = 9'000'000, .money_micros = 9'000'000});
  EXPECT_FALSE(book_.hit(queue("a"), {}, monday_));
  EXPECT_TRUE(book_.any(queue("b")));
}

TEST(BudgetBook, IsEmptyWithoutBudgets) {
  Names<QueueIndex> names;
  names.intern("a");
  BudgetBook book;
  book.rebuild({{"a", Queue{.name = "a", .parent = "", .quota = {}, .age_cap = {}}}}, names);
  book.add(QueueIndex{0}, kToday, kHourOfOne);
  EXPECT_FALSE(book.any());
  EXPECT_FALSE(book.any(QueueIndex{0}));
  EXPECT_FALSE(book.hit(QueueIndex{0}, {.gpu_ms = std::numeric_limits<std::int64_t>::max(), .money_micros = 0}, {}));
}

}  // namespace
}  // namespace ym::engine
