#include "papers/spot/traces.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

#include "sim/testing/temp_file.h"

namespace ym::sim::spot {
namespace {

Result<Trace> read(const std::string& text) {
  const TempFile file(text);
  return read_trace(file.path());
}

TEST(SpotTraces, AreReadPlainAndPacked) {
  const std::string text = R"({"metadata": {"gap_seconds": 600}, "data": [0, 4, 1], "prices": [0.9]})";
  const auto plain = read(text);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->tick_ms, 600'000);
  EXPECT_EQ(plain->nodes, (std::vector{0, 4, 1}));

  const TempFile file("");
  gzFile packed = gzopen(file.path().c_str(), "wb");
  gzwrite(packed, text.data(), static_cast<unsigned>(text.size()));
  gzclose(packed);
  const auto unpacked = read_trace(file.path());
  ASSERT_TRUE(unpacked) << unpacked.error().message;
  EXPECT_EQ(unpacked->nodes, plain->nodes);

  std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 10);
  const auto cut = read_trace(file.path());
  ASSERT_FALSE(cut);
  EXPECT_TRUE(cut.error().message.contains("cut off")) << cut.error().message;
}

TEST(SpotTraces, SayWhatIsWrong) {
  const auto message = [](const std::string& text) {
    const auto trace = read(text);
    return trace ? std::string() : trace.error().message;
  };
  EXPECT_TRUE(message("no json").contains("it is no JSON"));
  EXPECT_TRUE(message("[]").contains("gap_seconds"));
  EXPECT_TRUE(message(R"({"metadata": {"gap_seconds": 0}, "data": [1]})").contains("gap_seconds"));
  EXPECT_TRUE(message(R"({"metadata": {"gap_seconds": 1.5}, "data": [1]})").contains("gap_seconds"));
  EXPECT_TRUE(message(R"({"metadata": {"gap_seconds": 1}, "data": []})").contains("/data has to be"));
  EXPECT_TRUE(message(R"({"metadata": {"gap_seconds": 1}, "data": [1, -1]})").contains("/data/1"));
  const auto missing = read_trace("/nowhere/at/all.json.gz");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::io);
}

TEST(SpotMarket, CoarseTicksHoldWhatAllOfThemHad) {
  const Trace fine{.name = "a", .tick_ms = 30, .nodes = {4, 3, 2, 2, 5, 9, 1}};
  const Trace coarse = coarsened(fine, 3);
  EXPECT_EQ(coarse.tick_ms, 90);
  EXPECT_EQ(coarse.nodes, (std::vector{2, 2}));
  EXPECT_TRUE(coarsened(fine, 8).nodes.empty());
}

TEST(SpotMarket, IsAsLongAsItsShortestZone) {
  const std::vector<Trace> zones{{.name = "a", .tick_ms = 60, .nodes = {1, 2, 3}},
                                 {.name = "b", .tick_ms = 60, .nodes = {4, 0}}};
  const Market market = market_of("both", zones, {.nodes = 2, .most = 4});
  EXPECT_EQ(market.ticks(), 2U);
  EXPECT_FALSE(market.up(0, 0));
  EXPECT_TRUE(market.up(1, 0));
  EXPECT_EQ(market.view(1).nodes, (std::vector{2, 0}));
  EXPECT_EQ(one_zone(market, 1).nodes, (std::vector<std::vector<int>>{{4, 0}}));
}

}  // namespace
}  // namespace ym::sim::spot
