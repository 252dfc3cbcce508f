#include "spec/text/suggest.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Suggest, TheNearestWordOfAClosedSet) {
  const std::vector<std::string> known{"local", "slurm", "kubernetes", "time_limit", "time_zone"};
  EXPECT_EQ(nearest("locl", known), "local");
  EXPECT_EQ(nearest("LOCAL", known), "local");
  EXPECT_EQ(nearest("time-limit", known), "time_limit");
  EXPECT_EQ(nearest("kube", known), "kubernetes") << "alone begins so";
  EXPECT_EQ(nearest("time", known), std::nullopt) << "two begin so";
  EXPECT_EQ(nearest("c", {"a", "b"}), std::nullopt) << "all of it would be another";
  for (const auto word : {"", "ku", "mainframe"}) EXPECT_EQ(nearest(word, known), std::nullopt) << word;
}

TEST(Suggest, WhatAComplaintOffersIsSuggested) {
  const auto guess = [](std::string_view word, std::string_view rest) {
    return guess_among_offered(word, "'" + std::string(word) + "'" + std::string(rest));
  };
  expect_sentence(guess("locl", " is none; write local, slurm or simulated"));
  expect_sentence(guess("SIGTRM", " cannot be used; write one of SIGTERM, SIGINT"));
  expect_sentence(guess("hld", " is none of none, hold and hold-and-drain"));
  expect_sentence(guess("stp", " is neither stop nor try-next"));
  expect_sentence(guess("our", " is none; write ours (we name the nodes, by hand) or delegated"));
  EXPECT_EQ(guess("90x", " is not a duration; write for example 90s, 15m or 2d"), "");
  EXPECT_EQ(guess("mainframe", " is none; write local or slurm"), "");
  EXPECT_EQ(guess_among_offered("locl", "is none; write local or slurm"), "") << "that is about something else";
}

TEST(Suggest, ClosedSetsOfJobFilesAndConfigurations) {
  const auto configured = [](std::string_view yaml) { return parse_configuration(yaml); };
  expect_refused(configured("clusters: [{name: a, executor: locl}]"), ErrorCode::invalid, "/clusters/0/executor");
  expect_refused(configured("queues: [{name: a, policy: {order: fiffo}}]"), ErrorCode::invalid,
                 "/queues/0/policy/order");
  expect_refused(configured("queues: [{name: a, policy: {preempt: lower_priority}}]"), ErrorCode::invalid,
                 "/queues/0/policy/preempt");
  expect_refused(configured("queues: [{name: a, policy: {stop: hold-and-drian}}]"), ErrorCode::invalid,
                 "/queues/0/policy/stop");
  expect_refused(configured("scheduling: {placement: best_fit}"), ErrorCode::invalid, "/scheduling/placement");
  expect_refused(configured("queues: [{name: a, policy: {strict: yes}}]"), ErrorCode::invalid,
                 "/queues/0/policy/strict");
  expect_refused(with("launcher: torchrn"), ErrorCode::invalid, "/launcher");
  EXPECT_THAT(message(with("launcher: mpirun")), Not(HasSubstr("did you mean")));
  expect_refused(with("preemption: {signal: SIGUSR}"), ErrorCode::invalid, "/preemption/signal");
}

TEST(Suggest, ADurationThatIsTooLongIsNoMistakeOfForm) {
  for (const auto text : {"99999d", "3651d", "366d", "999999999999999999999s", "9999d23h"})
    expect_refused(with("time_limit: " + std::string(text)), ErrorCode::invalid, "/time_limit");
  expect_refused(with("time_limit: 2H"), ErrorCode::invalid, "/time_limit");
  expect_refused(with("time_limit: 2 hours"), ErrorCode::invalid, "/time_limit");
  for (const auto text : {"'2:00:00'", "1-00:00:00", "soon", "2 x", "1.5h"})
    expect_refused(with("time_limit: " + std::string(text)), ErrorCode::invalid, "/time_limit");
}

// `run` is asked for twice where it is missing.
TEST(Suggest, AKnownKeyIsListedOnce) {
  const auto fields = job("colour: red\n").error().fields;
  ASSERT_EQ(fields.size(), 2u) << "run is missing, colour is not known";
  const auto& said = fields.back().message;
  const auto first = said.find(" run,");
  ASSERT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find(" run", first + 1), std::string::npos) << said;
}

}  // namespace
}  // namespace ym::spec
