#include "spec/text/suggest.h"

#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

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
  EXPECT_EQ(guess("locl", " is none; write local, slurm or simulated"), "; did you mean local?");
  EXPECT_EQ(guess("SIGTRM", " cannot be used; write one of SIGTERM, SIGINT"), "; did you mean SIGTERM?");
  EXPECT_EQ(guess("hld", " is none of none, hold and hold-and-drain"), "; did you mean hold?");
  EXPECT_EQ(guess("stp", " is neither stop nor try-next"), "; did you mean stop?");
  EXPECT_EQ(guess("our", " is none; write ours (we name the nodes, by hand) or delegated"), "; did you mean ours?");
  EXPECT_EQ(guess("90x", " is not a duration; write for example 90s, 15m or 2d"), "");
  EXPECT_EQ(guess("mainframe", " is none; write local or slurm"), "");
  EXPECT_EQ(guess_among_offered("locl", "is none; write local or slurm"), "") << "that is about something else";
}

TEST(Suggest, ClosedSetsOfJobFilesAndConfigurations) {
  const auto configured = [](std::string_view yaml) { return message(parse_configuration(yaml)); };
  EXPECT_THAT(configured("clusters: [{name: a, executor: locl}]"), HasSubstr("did you mean local?"));
  EXPECT_THAT(configured("queues: [{name: a, policy: {order: fiffo}}]"), HasSubstr("did you mean fifo?"));
  EXPECT_THAT(configured("queues: [{name: a, policy: {preempt: lower_priority}}]"),
              HasSubstr("did you mean lower-priority?"));
  EXPECT_THAT(configured("queues: [{name: a, policy: {stop: hold-and-drian}}]"),
              HasSubstr("did you mean hold-and-drain?"));
  EXPECT_THAT(configured("scheduling: {placement: best_fit}"), HasSubstr("did you mean best-fit?"));
  EXPECT_THAT(configured("queues: [{name: a, policy: {strict: yes}}]"), HasSubstr("did you mean true?"));
  EXPECT_THAT(message(with("launcher: torchrn")), HasSubstr("did you mean torchrun?"));
  EXPECT_THAT(message(with("launcher: mpirun")), Not(HasSubstr("did you mean")));
  EXPECT_THAT(message(with("preemption: {signal: SIGUSR}")), HasSubstr("did you mean SIGUSR1?"));
}

TEST(Suggest, ADurationThatIsTooLongIsNoMistakeOfForm) {
  for (const auto text : {"99999d", "3651d", "366d", "999999999999999999999s", "9999d23h"})
    EXPECT_THAT(message(with("time_limit: " + std::string(text))), HasSubstr("write 1ms to 365d")) << text;
  EXPECT_THAT(message(with("time_limit: 2H")), HasSubstr("did you mean 2h?"));
  EXPECT_THAT(message(with("time_limit: 2 hours")), HasSubstr("did you mean 2h?"));
  for (const auto text : {"'2:00:00'", "1-00:00:00", "soon", "2 x", "1.5h"})
    EXPECT_THAT(message(with("time_limit: " + std::string(text))), EndsWith("1h30m or 2d (line 2)")) << text;
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
