#include "executor/remote/wire.h"

#include <gtest/gtest.h>

#include <random>

#include "base/testing/sentences.h"
#include "executor/remote/testing/registry.h"

namespace ym::remote {
namespace {

TaskReport full_report() {
  auto report = has_ended("nonce", {.by = EndedBy::signal,
                                    .signal = 9,
                                    .message = "killed \"hard\"\n",
                                    .permanent = true,
                                    .forced = true,
                                    .at = {1234}});
  report.progress = {{.number = 3, .at = {5}, .text = "{\"step\": 1}"}, {.number = 9, .at = {6}, .text = "\xff\x01\\"}};
  report.log_bytes = 10;
  report.log_dropped = 4;
  report.checkpoints_gone = {{.uri = "/c/1", .step = 7, .durable_at = {99}, .attempt = 2}};
  return report;
}

TaskOrders full_orders() {
  TaskOrders orders{.version = 1'700'000'000'000'001,
                    .barrier = TaskOrders::Barrier::go,
                    .cause = StopCause::preemption,
                    .job_token = "secret",
                    .progress_heard = 8,
                    .end_stored = true};
  orders.launch = TaskLaunch{.shell = true,
                             .argv = {"/bin/sh", "-c", "a \"b\""},
                             .env = {{"A", "1"}, {"B", node_value("HOME")}},
                             .workdir = "/w",
                             .stop_signal = "SIGUSR1",
                             .stop_grace = seconds(3),
                             .time_limit = minutes(9),
                             .start_timeout = minutes(5),
                             .log_cap = 1 << 20,
                             .memory_bytes = 1 << 30,
                             .port = 29'500,
                             .checkpoints = {{.uri = "s3://b/c", .step = 1, .durable_at = {2}, .attempt = 3}}};
  orders.stop = StopRequest{.cause = StopCause::cancel, .signal = "SIGINT", .grace = seconds(30)};
  return orders;
}

void expect_no_report(std::string_view text, std::string_view pointer = {},
                      std::source_location where = std::source_location::current()) {
  ym::testing::expect_refused(decode_report(text), ErrorCode::invalid, pointer, where);
}

// The text of a report with one piece of it replaced.
std::string changed(const std::string& what, const std::string& by) {
  auto text = encode(full_report());
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what << " is not in " << text;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(Wire, AReportComesBackAsItWas) {
  const auto back = decode_report(encode(full_report()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, full_report());
  const auto small = decode_report(encode(waits("n")));
  ASSERT_TRUE(small);
  EXPECT_EQ(*small, waits("n"));
}

TEST(Wire, OrdersComeBackAsTheyWere) {
  const auto back = decode_orders(encode(full_orders()));
  ASSERT_TRUE(back) << back.error().message;
  const auto before = full_orders();
  EXPECT_EQ(back->version, before.version);
  EXPECT_EQ(back->barrier, before.barrier);
  EXPECT_EQ(back->cause, before.cause);
  EXPECT_EQ(back->launch, before.launch);
  ASSERT_TRUE(back->stop);
  EXPECT_EQ(back->stop->cause, before.stop->cause);
  EXPECT_EQ(back->stop->signal, before.stop->signal);
  EXPECT_EQ(back->stop->grace, before.stop->grace);
  EXPECT_EQ(back->job_token, before.job_token);
  EXPECT_EQ(back->progress_heard, before.progress_heard);
  EXPECT_TRUE(back->end_stored);
}

TEST(Wire, AnErrorNamesItsField) {
  expect_no_report("[]");
  expect_no_report("{\"v\":1");
  expect_no_report("{}", "/v");
  expect_no_report(changed("\"v\":1", "\"v\":2"), "/v");
  expect_no_report("{\"v\":1}", "/token");
  expect_no_report(changed("\"ended\"", "\"resting\""), "/state");
  expect_no_report(changed("\"port\":29500", "\"port\":-1"), "/claim/port");
  expect_no_report(changed("\"port\":29500", "\"port\":99999999999"), "/claim/port");
  expect_no_report(changed("\"number\":9", "\"number\":3"), "/progress/1/number");
  expect_no_report(changed("\"log_bytes\"", "\"log_bites\""), "/log_bites");
  expect_no_report(changed("\"log_bytes\":10", "\"log_bytes\":-1"), "/log_bytes");
  expect_no_report(changed("\"nonce\":\"nonce\"", "\"nonce\":\"\""), "/nonce");
}

TEST(Wire, AnExitBelongsToAnEndAndToNothingElse) {
  expect_no_report(changed("\"ended\"", "\"running\""), "/exit");
  auto report = waits("n");
  report.state = TaskReport::State::ended;
  expect_no_report(encode(report), "/exit");
}

TEST(Wire, WhatIsTooLongIsRefused) {
  auto report = full_report();
  report.exit->message = std::string(kMaxMessage + 1, 'x');
  expect_no_report(encode(report), "/exit/message");
  report = full_report();
  report.nonce = report.claim.nonce = std::string(kMaxNonce + 1, 'x');
  expect_no_report(encode(report), "/nonce");
  report = full_report();
  report.progress.front().text = std::string(kMaxProgressText + 1, 'x');
  expect_no_report(encode(report), "/progress/0/text");
  report = full_report();
  report.progress.assign(kMostProgress + 1, {.number = 1, .at = {}, .text = {}});
  expect_no_report(encode(report), "/progress");
  expect_no_report(std::string(kMaxReportBytes + 1, ' '));
}

// The largest report that an agent may keep, in its longest JSON form.
TEST(Wire, TheLongestReportIsNotTooLong) {
  auto report = full_report();
  report.progress.clear();
  for (std::size_t n = 1; n <= kMostProgress; ++n)
    report.progress.push_back(
        {.number = static_cast<std::int64_t>(n), .at = {}, .text = std::string(kMaxProgressText, '\x01')});
  report.exit->message = std::string(kMaxMessage, '\x01');
  const auto back = decode_report(encode(report));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(*back, report);
}

TEST(Wire, OrdersThatNoProcessCouldFollowAreRefused) {
  const auto expect_none = [](const TaskLaunch& launch, std::string_view pointer) {
    ym::testing::expect_refused(decode_orders(encode(TaskOrders{.version = 1, .launch = launch})), ErrorCode::invalid,
                                pointer);
  };
  auto launch = *full_orders().launch;
  launch.argv = {};
  expect_none(launch, "/launch/argv");
  launch.argv = {std::string("a\0b", 3)};
  expect_none(launch, "/launch/argv");
  launch.argv = {"a"};
  launch.env["x=y"] = "1";
  expect_none(launch, "/launch/env");
}

TEST(Wire, NestingIsBounded) {
  std::string deep(100'000, '[');
  expect_no_report("{\"v\":1,\"progress\":" + deep);
}

// Neither crashes nor accepts what it would not write itself.
TEST(Wire, CutAndFlippedMessagesAreReadOrRefused) {
  std::mt19937 random(11);
  const auto report = encode(full_report()), orders = encode(full_orders());
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    auto text = round % 2 == 0 ? report : orders;
    if (random() % 3 == 0) text.resize(random() % text.size());
    for (auto flips = random() % 4; flips > 0 && !text.empty(); --flips)
      text[random() % text.size()] = static_cast<char>(random());
    if (round % 2 == 0) {
      const auto read = decode_report(text);
      refused += read ? 0 : 1;
      if (read) EXPECT_TRUE(decode_report(encode(*read))) << text;
    } else if (const auto read = decode_orders(text)) {
      EXPECT_TRUE(decode_orders(encode(*read))) << text;
    }
  }
  EXPECT_GT(refused, 1'000);
}

}  // namespace
}  // namespace ym::remote
