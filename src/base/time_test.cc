#include "base/time.h"

#include <gmock/gmock.h>

#include "base/random.h"
#include "base/testing/sentences.h"

namespace ym {
namespace {

Instant at(std::string_view text) {
  const auto t = parse_rfc3339(text);
  EXPECT_TRUE(t) << text;
  return t.value_or(Instant{-1});
}

TEST(Rfc3339, KnownInstants) {
  EXPECT_EQ(to_rfc3339({0}), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(to_rfc3339({951'782'400'001}), "2000-02-29T00:00:00.001Z");
  EXPECT_EQ(to_rfc3339({253'402'300'799'999}), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(at("2000-02-29T00:00:00.001Z"), Instant{951'782'400'001});
}

TEST(Rfc3339, InASentenceATimeHasWholeSeconds) { EXPECT_EQ(to_utc_text({951'782'400'001}), "2000-02-29 00:00:00 UTC"); }

TEST(Rfc3339, RoundTrips) {
  Random random(2);
  for (int i = 0; i < 10'000; ++i) {
    const Instant t{static_cast<std::int64_t>(random.below(253'402'300'800'000))};
    EXPECT_EQ(at(to_rfc3339(t)), t);
  }
}

TEST(Rfc3339, ZonesFractionsAndLetterCase) {
  const auto noon = at("2026-11-21T12:00:00Z");
  EXPECT_EQ(at("2026-11-21T13:30:00+01:30"), noon);
  EXPECT_EQ(at("2026-11-21T04:00:00-08:00"), noon);
  EXPECT_EQ(at("2026-11-21t12:00:00z"), noon);
  EXPECT_EQ(at("2026-11-21 12:00:00Z"), noon);
  EXPECT_EQ(at("2026-11-21T12:00:00.5Z"), noon + Duration{500});
  EXPECT_EQ(at("2026-11-21T12:00:00.123999999Z"), noon + Duration{123});
  EXPECT_EQ(at("2016-12-31T23:59:60Z"), at("2017-01-01T00:00:00Z"));
}

TEST(Rfc3339, RefusesEverythingElse) {
  for (const auto* text : {"",
                           "2026",
                           "2026-11-21",
                           "2026-11-21T12:00:00",
                           "2026-11-21T12:00Z",
                           "2026-02-29T00:00:00Z",
                           "2026-13-01T00:00:00Z",
                           "2026-11-31T00:00:00Z",
                           "2026-00-10T00:00:00Z",
                           "2026-11-21T24:00:00Z",
                           "2026-11-21T12:60:00Z",
                           "2026-11-21T12:00:61Z",
                           "2026-11-21T12:00:00.Z",
                           "2026-11-21T12:00:00+1:00",
                           "2026-11-21T12:00:00+24:00",
                           "2026-11-21T12:00:00+01:60",
                           "2026-11-21T12:00:00 +01:00",
                           "2026-11-21T12:00:00ZZ",
                           "20261121T120000Z",
                           "-026-11-21T12:00:00Z",
                           "2026-11-2xT12:00:00Z",
                           "now"})
    testing::expect_refused(parse_rfc3339(text), ErrorCode::invalid);
}

// A time that is read can be written again.
TEST(Rfc3339, YearsOutsideAreRefused) {
  EXPECT_EQ(parse_rfc3339("1970-01-01T01:00:00+01:00")->ms, 0);
  EXPECT_EQ(parse_rfc3339("9999-12-31T23:59:59.999Z")->ms, 253'402'300'799'999);
  for (const auto* text : {"1969-12-31T23:59:59Z", "1970-01-01T00:59:59+01:00", "0001-01-01T00:00:00Z",
                           "9999-12-31T23:59:60Z", "9999-12-31T23:30:00-01:00"})
    testing::expect_refused(parse_rfc3339(text), ErrorCode::invalid);
}

TEST(Rfc3339, YearsOutsideAreABug) {
  EXPECT_DEATH(to_rfc3339({-1}), "assertion failed");
  EXPECT_DEATH(to_rfc3339({253'402'300'800'000}), "assertion failed");
}

TEST(Durations, KnownTexts) {
  const auto ms = [](std::string_view text) { return parse_duration(text).value_or(Duration{-1}).ms; };
  EXPECT_EQ(ms("250ms"), 250);
  EXPECT_EQ(ms("90s"), 90'000);
  EXPECT_EQ(ms("90"), 90'000);
  EXPECT_EQ(ms("0"), 0);
  EXPECT_EQ(ms("15m"), 900'000);
  EXPECT_EQ(ms("1h30m"), 5'400'000);
  EXPECT_EQ(ms("2d"), 172'800'000);
  EXPECT_EQ(ms("1d2h3m4s5ms"), 93'784'005);
  EXPECT_EQ(ms("3653d"), 3653LL * 86'400'000);
}

TEST(Durations, RefusesEverythingElse) {
  for (const auto* text : {"",
                           " ",
                           "-5s",
                           "+5s",
                           "1.5h",
                           "5 s",
                           "s",
                           "5x",
                           "5S",
                           "30m1h",
                           "1s1s",
                           "1h30",
                           "30 ",
                           "0x10",
                           "3654d",
                           "3653d1ms",
                           "99999999999999999999s",
                           "9223372036854775807d",
                           "1e3",
                           "1w",
                           "5min"})
    testing::expect_refused(parse_duration(text), ErrorCode::invalid);
}

TEST(Durations, ShortestTextReadsBack) {
  EXPECT_EQ(to_string(Duration{0}), "0s");
  EXPECT_EQ(to_string(seconds(90)), "1m30s");
  EXPECT_EQ(to_string(Duration{250}), "250ms");
  EXPECT_EQ(to_string(hours(49)), "2d1h");
  EXPECT_EQ(to_string(Duration{-1500}), "-1s500ms");
  Random random(3);
  for (int i = 0; i < 10'000; ++i) {
    const Duration d{static_cast<std::int64_t>(random.below(3653LL * 86'400'000 + 1) >> random.below(40))};
    EXPECT_EQ(parse_duration(to_string(d)).value_or(Duration{-1}), d) << to_string(d);
  }
}

TEST(Instants, Arithmetic) {
  const Instant t{1'000};
  EXPECT_EQ(t + seconds(2), Instant{3'000});
  EXPECT_EQ(t - minutes(1), Instant{-59'000});
  EXPECT_EQ(Instant{5'000} - t, Duration{4'000});
  EXPECT_LT(t, t + Duration{1});
}

}  // namespace
}  // namespace ym
