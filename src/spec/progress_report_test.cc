#include "spec/progress_report.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

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
  expect_refused(read, ErrorCode::invalid, "/step");
  std::vector<std::string> pointers;
  for (const FieldError& field : read.error().fields) {
    pointers.push_back(field.pointer);
    expect_sentence(field.message);
  }
  EXPECT_THAT(pointers, ElementsAre("/step", "/total_steps", "/metrics/a~1b", "/checkpoint/uri", "/checkpoint/step",
                                    "/checkpoint/durable_at", "/completed"));
}

TEST(ProgressReport, WhatIsNoObject) {
  expect_refused(report(""), ErrorCode::invalid);
  expect_refused(report("[1]"), ErrorCode::invalid);
  expect_refused(report(R"({"checkpoint": "/c"})"), ErrorCode::invalid, "/checkpoint");
  expect_refused(report(R"({"step": 1} x)"), ErrorCode::invalid);
  expect_refused(report(R"({"step": 1, "step": 2})"), ErrorCode::invalid, "/step");
  expect_refused(report(R"({"metrics": 5})"), ErrorCode::invalid, "/metrics");
  expect_refused(report(R"({"metrics": [5, {"value": 1}]})"), ErrorCode::invalid, "/metrics/0");
}

TEST(ProgressReport, OnlyFiniteNumbers) {
  expect_refused(report(R"({"metrics": {"loss": NaN}})"), ErrorCode::invalid);
  EXPECT_THAT(message(report("{")), ::testing::Not(HasSubstr("NaN")));
  expect_refused(report(R"({"metrics": {"loss": 1e999}})"), ErrorCode::invalid, "/metrics/loss");
  for (const std::string_view word : {"\"nan\"", "\"inf\"", "\"-infinity\"", "\"\"", "\"1 \"", "true", "[]", "{}"})
    EXPECT_EQ(pointer(report(R"({"metrics": [{"name": "a", "value": )" + std::string(word) + "}]}")),
              "/metrics/0/value")
        << word;
  expect_refused(report(R"({"metrics": {"loss": []}})"), ErrorCode::invalid, "/metrics/loss");
}

TEST(ProgressReport, Bounds) {
  EXPECT_TRUE(report(R"({"step": 9007199254740992})"));
  EXPECT_EQ(pointer(report(R"({"step": 9007199254740993})")), "/step");
  const auto uri = [](std::size_t length) {
    return report(R"({"checkpoint": {"uri": ")" + std::string(length, 'u') + "\"}}");
  };
  EXPECT_TRUE(uri(4096));
  expect_refused(uri(4097), ErrorCode::invalid, "/checkpoint/uri");
  EXPECT_EQ(pointer(uri(0)), "/checkpoint/uri");
  EXPECT_EQ(pointer(report(R"({"checkpoint": {"uri": "/a\n/b"}})")), "/checkpoint/uri");
  expect_refused(report(R"({"checkpoint": {"uri": "/a\u0000"}})"), ErrorCode::invalid);
  const auto metrics = [](int count) {
    std::string text = "{\"metrics\": {\"m0\": 0";
    for (int i = 1; i < count; ++i) text += fmt::format(", \"m{}\": {}", i, i);
    return report(text + "}}");
  };
  EXPECT_EQ(metrics(64)->metrics.size(), 64U);
  expect_refused(metrics(65), ErrorCode::invalid, "/metrics");
  EXPECT_TRUE(report("{\"metrics\": {\"" + std::string(128, 'm') + "\": 1}}"));
  const std::pair<std::string, std::string> wrong[] = {
      {std::string(129, 'm'), "/metrics/" + std::string(64, 'm')}, {"", "/metrics/"}, {"a\\tb", "/metrics/a?b"}};
  for (const auto& [name, at] : wrong)
    expect_refused(report("{\"metrics\": {\"" + name + "\": 1}}"), ErrorCode::invalid, at);
  const auto padded = [](std::size_t size) { return report("{}" + std::string(size - 2, ' ')); };
  EXPECT_TRUE(padded(kMaxProgressBytes));
  expect_refused(padded(kMaxProgressBytes + 1), ErrorCode::too_large);
}

}  // namespace
}  // namespace ym::spec
