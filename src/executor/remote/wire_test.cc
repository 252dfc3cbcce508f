#include "executor/remote/wire.h"

#include <gtest/gtest.h>

#include <random>

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
                    .gate = TaskOrders::Gate::go,
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

std::string error_of(std::string_view text) {
  const auto report = decode_report(text);
  return report ? "none" : report.error().message;
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
  EXPECT_EQ(back->gate, before.gate);
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
  EXPECT_EQ(error_of("[]"), "the message is not a JSON object");
  EXPECT_EQ(error_of("{\"v\":1"), "the message is not a JSON object");
  EXPECT_EQ(error_of("{}"), "/v: is not a version that this build understands");
  EXPECT_EQ(error_of(changed("\"v\":1", "\"v\":2")), "/v: is not a version that this build understands");
  EXPECT_EQ(error_of("{\"v\":1}"), "/token: is not present");
  EXPECT_EQ(error_of(changed("\"ended\"", "\"resting\"")), "/state: is not one of the known names");
  EXPECT_EQ(error_of(changed("\"port\":29500", "\"port\":-1")), "/claim/port: is not a port");
  EXPECT_EQ(error_of(changed("\"port\":29500", "\"port\":99999999999")), "/claim/port: is not a 32-bit whole number");
  EXPECT_EQ(error_of(changed("\"number\":9", "\"number\":3")), "/progress/1/number: does not grow");
  EXPECT_EQ(error_of(changed("\"log_bytes\"", "\"log_bites\"")), "/log_bites: is not a known field");
  EXPECT_EQ(error_of(changed("\"log_bytes\":10", "\"log_bytes\":-1")), "/log_bytes: is negative");
  EXPECT_EQ(error_of(changed("\"nonce\":\"nonce\"", "\"nonce\":\"\"")), "/nonce: is empty");
}

TEST(Wire, AnExitBelongsToAnEndAndToNothingElse) {
  EXPECT_EQ(error_of(changed("\"ended\"", "\"running\"")), "/exit: must be set exactly if the task has ended");
  auto report = waits("n");
  report.state = TaskReport::State::ended;
  EXPECT_EQ(error_of(encode(report)), "/exit: must be set exactly if the task has ended");
}

TEST(Wire, WhatIsTooLongIsRefused) {
  auto report = full_report();
  report.exit->message = std::string(kMaxMessage + 1, 'x');
  EXPECT_EQ(error_of(encode(report)), "/exit/message: is longer than 16384 bytes");
  report = full_report();
  report.nonce = report.claim.nonce = std::string(kMaxNonce + 1, 'x');
  EXPECT_EQ(error_of(encode(report)), "/nonce: is longer than 128 bytes");
  report = full_report();
  report.progress.front().text = std::string(kMaxProgressText + 1, 'x');
  EXPECT_EQ(error_of(encode(report)), "/progress/0/text: is longer than 16385 bytes");
  report = full_report();
  report.progress.assign(kMostProgress + 1, {.number = 1, .at = {}, .text = {}});
  EXPECT_EQ(error_of(encode(report)), "/progress: has too many entries");
  EXPECT_EQ(error_of(std::string(kMaxReportBytes + 1, ' ')), "the message has more than 1048576 bytes");
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
  const auto error = [](const TaskLaunch& launch) {
    const auto orders = decode_orders(encode(TaskOrders{.version = 1, .launch = launch}));
    return orders ? "none" : orders.error().message;
  };
  auto launch = *full_orders().launch;
  launch.argv = {};
  EXPECT_EQ(error(launch), "/launch/argv: names no program");
  launch.argv = {std::string("a\0b", 3)};
  EXPECT_EQ(error(launch), "/launch/argv: has a NUL");
  launch.argv = {"a"};
  launch.env["x=y"] = "1";
  EXPECT_EQ(error(launch), "/launch/env: has a name or a value that no environment can hold");
}

TEST(Wire, NestingIsBounded) {
  std::string deep(100'000, '[');
  EXPECT_EQ(error_of("{\"v\":1,\"progress\":" + deep), "the message is not a JSON object");
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
