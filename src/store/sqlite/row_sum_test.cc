#include "store/sqlite/row_sum.h"

#include <gtest/gtest.h>

#include <set>

#include "store/sqlite/files/acknowledged.h"
#include "store/sqlite/testing/test_support.h"

namespace ym::sqlite {
namespace {

template <class... Column>
std::int64_t sum_of(std::string_view table, const Column&... columns) {
  RowSum sum(table);
  (sum.add(columns), ...);
  return sum.value();
}

TEST(RowSum, EveryPartCounts) {
  using std::string_view_literals::operator""sv;
  const std::optional<std::int64_t> none;
  const std::set<std::int64_t> sums{sum_of("t", "ab"sv, "c"sv),
                                    sum_of("t", "a"sv, "bc"sv),
                                    sum_of("u", "ab"sv, "c"sv),
                                    sum_of("t", "c"sv, "ab"sv),
                                    sum_of("t", std::int64_t{1}),
                                    sum_of("t", "1"sv),
                                    sum_of("t", none),
                                    sum_of("t", std::int64_t{0}),
                                    sum_of("t", ""sv),
                                    sum_of("t"),
                                    sum_of("t", std::int64_t{1}, ""sv)};
  EXPECT_EQ(sums.size(), 11U);
}

TEST(RowSum, AnyFlippedBitChangesIt) {
  std::string text(300, 'q');
  const auto sum = sum_of("t", std::string_view(text));
  for (std::size_t bit = 0; bit < text.size() * 8; ++bit) {
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
    EXPECT_NE(sum_of("t", std::string_view(text)), sum);
    text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
  }
}

TEST(Acknowledged, KeepsTheLastNote) {
  const TempDir dir;
  {
    const auto note = Acknowledged::open(dir.path() / "note");
    ASSERT_TRUE(note);
    EXPECT_EQ(note->last_seq(), std::nullopt);
    note->note(41);
    note->note(42);
  }
  EXPECT_EQ(Acknowledged::open(dir.path() / "note")->last_seq(), 42U);
}

TEST(Acknowledged, AnyDamageMakesItVoid) {
  const TempDir dir;
  Acknowledged::open(dir.path() / "note")->note(42);
  const auto text = read_file(dir.path() / "acknowledged");
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    write_file(dir.path() / "acknowledged", damaged);
    EXPECT_EQ(Acknowledged::open(dir.path() / "note")->last_seq(), std::nullopt) << i;
    write_file(dir.path() / "acknowledged", text.substr(0, i));
    EXPECT_EQ(Acknowledged::open(dir.path() / "note")->last_seq(), std::nullopt) << i;
  }
}

}  // namespace
}  // namespace ym::sqlite
