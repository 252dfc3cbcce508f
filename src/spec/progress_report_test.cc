#include "spec/progress_report.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr Instant kNow{1'767'268'800'000};  // 2026-01-01T12:00:00Z

Result<ProgressReport> report(std::string_view text) { return parse_progress_report(text, kNow); }

TEST(ProgressReport, WhatTheGuideShows) {
  const auto read = report(R"({"step": 1200, "total_steps": 5000, "metrics": {"loss": 0.41},
    "checkpoint": {"uri": "/data/ck/1200.pt", "step": 1100, "durable_at": "2026-01-01T11:59:00Z", "save_seconds": 3.2},
    "completed": true})");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->step, 1200);
  EXPECT_EQ(read->total_steps, 5000);
  EXPECT_THAT(read->metrics, ElementsAre(Pair("loss", 0.41)));
  ASSERT_TRUE(read->checkpoint);
  EXPECT_EQ(*read->checkpoint, (Checkpoint{.uri = "/data/ck/1200.pt", .step = 1100, .durable_at = kNow - minutes(1)}));
  EXPECT_TRUE(read->completed);
}

TEST(ProgressReport, EveryFieldMayBeLeftOutOrNull) {
  EXPECT_EQ(*report("{}"), ProgressReport{});
  EXPECT_EQ(*report(R"({"step": null, "total_steps": null, "metrics": null, "checkpoint": null, "completed": null})"),
            ProgressReport{});
  EXPECT_EQ(*report(R"({"metrics": {"loss": null}})"), ProgressReport{});
  EXPECT_EQ(*report("{\"completed\": false}\r\n"), ProgressReport{});
}

TEST(ProgressReport, OtherKeysAreIgnored) {
  const auto read = report(R"({"step": 1, "progress": 0.5, "eta_seconds": "soon", "from_the_future": {"a": [1]},
    "checkpoint": {"uri": "s3://b/1", "shards": 8, "save_seconds": -1}})");
  ASSERT_TRUE(read) << message(read);
  EXPECT_EQ(read->step, 1);
  EXPECT_EQ(read->checkpoint->uri, "s3://b/1");
}

TEST(ProgressReport, MetricsAsKubeflowWritesThem) {
  const auto read = report(R"({"metrics": [{"name": "loss", "value": "0.25"}, {"name": "acc", "value": 1e-3},
    {"name": "none", "value": null}]})");
  ASSERT_TRUE(read) << message(read);
  EXPECT_THAT(read->metrics, ElementsAre(Pair("acc", 0.001), Pair("loss", 0.25)));
}

TEST(ProgressReport, StepOfTheCheckpointIsTheReports) {
  EXPECT_EQ(report(R"({"checkpoint": {"uri": "/c"}, "step": 7})")->checkpoint->step, 7);
  EXPECT_EQ(report(R"({"checkpoint": {"uri": "/c", "step": null}, "step": 7})")->checkpoint->step, 7);
  EXPECT_EQ(report(R"({"checkpoint": {"uri": "/c"}})")->checkpoint->step, 0);
}

TEST(ProgressReport, DurableNowAtTheLatest) {
  const auto durable_at = [](std::string_view time) {
    const auto read = report(R"({"checkpoint": {"uri": "/c", "durable_at": )" + std::string(time) + "}}");
    return read ? read->checkpoint->durable_at : Instant{-1};
  };
  EXPECT_EQ(report(R"({"checkpoint": {"uri": "/c"}})")->checkpoint->durable_at, kNow);
  EXPECT_EQ(durable_at("null"), kNow);
  EXPECT_EQ(durable_at("\"2026-01-01T12:00:00.001Z\""), kNow);
  EXPECT_EQ(durable_at("\"2026-01-01T13:59:59.999+02:00\""), (Instant{kNow.ms - 1}));
}

TEST(ProgressReport, EachWrongFieldIsPointedTo) {
  const auto read = report(R"({"step": -1, "total_steps": 1.5, "metrics": {"a/b": "x"}, "completed": 1,
    "checkpoint": {"step": "1", "durable_at": "yesterday"}})");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::invalid);
  const std::string steps = "; write a whole number from 0 to 9007199254740992";
  EXPECT_THAT(
      read.error().fields,
      ElementsAre(
          FieldError{"/step", "-1 is out of range" + steps},
          FieldError{"/total_steps", "1.5 is not a whole number" + steps},
          FieldError{"/metrics/a~1b", "'x' is not a finite number; write for example 0.25"},
          FieldError{"/checkpoint/uri", "is missing; write the location of the checkpoint, a path or a URL"},
          FieldError{"/checkpoint/step", "must be a whole number, not text" + steps},
          FieldError{"/checkpoint/durable_at", "'yesterday' is not a time; write for example 2026-01-01T12:00:00Z"},
          FieldError{"/completed", "must be true or false, not a number"}));
}

TEST(ProgressReport, WhatIsNoObject) {
  EXPECT_EQ(message(report("")), "must be a map of keys and values, not nothing");
  EXPECT_EQ(message(report("[1]")), "must be a map of keys and values, not a list");
  EXPECT_EQ(message(report(R"({"checkpoint": "/c"})")), "/checkpoint: must be a map of keys and values, not text");
  EXPECT_EQ(message(report(R"({"step": 1} x)")), "unexpected text after the JSON value, at byte 12");
  EXPECT_EQ(message(report(R"({"step": 1, "step": 2})")), "/step: the key 'step' is given twice");
  EXPECT_EQ(message(report(R"({"metrics": 5})")),
            "/metrics: must be a map of names and numbers, such as {\"loss\": 0.25}");
  EXPECT_EQ(message(report(R"({"metrics": [5, {"value": 1}]})")),
            "/metrics/0: must be a map of keys and values, not a number; and 1 more");
}

TEST(ProgressReport, OnlyFiniteNumbers) {
  EXPECT_THAT(message(report(R"({"metrics": {"loss": NaN}})")),
              HasSubstr("; NaN and Infinity are not JSON, leave such numbers out"));
  EXPECT_THAT(message(report("{")), testing::Not(HasSubstr("NaN")));
  EXPECT_EQ(message(report(R"({"metrics": {"loss": 1e999}})")),
            "/metrics/loss: '1e999' is not a finite number; write for example 0.25");
  for (const std::string_view word : {"\"nan\"", "\"inf\"", "\"-infinity\"", "\"\"", "\"1 \"", "true", "[]", "{}"})
    EXPECT_EQ(pointer(report(R"({"metrics": [{"name": "a", "value": )" + std::string(word) + "}]}")),
              "/metrics/0/value")
        << word;
  EXPECT_EQ(message(report(R"({"metrics": {"loss": []}})")), "/metrics/loss: must be a number, for example 0.25");
}

TEST(ProgressReport, Bounds) {
  EXPECT_TRUE(report(R"({"step": 9007199254740992})"));
  EXPECT_EQ(pointer(report(R"({"step": 9007199254740993})")), "/step");
  const auto uri = [](std::size_t length) {
    return report(R"({"checkpoint": {"uri": ")" + std::string(length, 'u') + "\"}}");
  };
  EXPECT_TRUE(uri(4096));
  EXPECT_EQ(message(uri(4097)),
            "/checkpoint/uri: is not a path or a URL; write 1 to 4096 bytes without control characters");
  EXPECT_EQ(pointer(uri(0)), "/checkpoint/uri");
  EXPECT_EQ(pointer(report(R"({"checkpoint": {"uri": "/a\n/b"}})")), "/checkpoint/uri");
  EXPECT_EQ(message(report(R"({"checkpoint": {"uri": "/a\u0000"}})")), "a text has a NUL character");
  const auto metrics = [](int count) {
    std::string text = "{\"metrics\": {\"m0\": 0";
    for (int i = 1; i < count; ++i) text += fmt::format(", \"m{}\": {}", i, i);
    return report(text + "}}");
  };
  EXPECT_EQ(metrics(64)->metrics.size(), 64U);
  EXPECT_EQ(message(metrics(65)), "/metrics: has 65 metrics; at most 64 are allowed");
  EXPECT_TRUE(report("{\"metrics\": {\"" + std::string(128, 'm') + "\": 1}}"));
  for (const auto& name : {std::string(129, 'm'), std::string(), std::string("a\\tb")})
    EXPECT_THAT(message(report("{\"metrics\": {\"" + name + "\": 1}}")), HasSubstr("cannot be the name of a metric"));
  const auto padded = [](std::size_t size) { return report("{}" + std::string(size - 2, ' ')); };
  EXPECT_TRUE(padded(kMaxProgressBytes));
  EXPECT_EQ(padded(kMaxProgressBytes + 1).error().code, ErrorCode::too_large);
  EXPECT_EQ(message(padded(kMaxProgressBytes + 1)), "the report has 16385 bytes; at most 16384 are allowed");
}

}  // namespace
}  // namespace ym::spec
