#include "model/lifecycle.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "model/event.h"

namespace ym {
namespace {

constexpr auto kJobStates = values_of<JobState>();
constexpr auto kAttemptStates = values_of<AttemptState>();

TEST(States, NamesReadBack) {
  for (const auto state : kJobStates) EXPECT_EQ(parse_enum<JobState>(to_string(state)), state);
  for (const auto state : kAttemptStates) EXPECT_EQ(parse_enum<AttemptState>(to_string(state)), state);
  for (const auto state : values_of<TaskState>()) EXPECT_EQ(parse_enum<TaskState>(to_string(state)), state);
  for (const auto by : values_of<EndedBy>()) EXPECT_EQ(parse_enum<EndedBy>(to_string(by)), by);
  for (const auto cause : values_of<StopCause>()) EXPECT_EQ(parse_enum<StopCause>(to_string(cause)), cause);
  for (const auto cause : values_of<RetryCause>()) EXPECT_EQ(parse_enum<RetryCause>(to_string(cause)), cause);
  for (const auto code : values_of<ReasonCode>()) EXPECT_EQ(parse_enum<ReasonCode>(to_string(code)), code);
  for (const auto cause : values_of<PreemptionCause>()) EXPECT_EQ(parse_enum<PreemptionCause>(to_string(cause)), cause);
  EXPECT_EQ(parse_enum<JobState>("queued"), std::nullopt);
  EXPECT_EQ(parse_enum<JobState>(""), std::nullopt);
  EXPECT_EQ(to_string(ReasonCode::exceeds_max_quota), "ExceedsMaxQuota");
  EXPECT_EQ(to_string(JobState::timed_out), "TIMED_OUT");
}

TEST(Lifecycle, TerminalStatesAreFinal) {
  for (const auto from : kJobStates)
    for (const auto to : kJobStates)
      if (is_terminal(from)) EXPECT_FALSE(may_follow(from, to)) << to_string(from) << " -> " << to_string(to);
  for (const auto to : kAttemptStates) EXPECT_FALSE(may_follow(AttemptState::ended, to));
}

TEST(Lifecycle, EveryLivingStateCanEnd) {
  for (const auto from : kJobStates)
    if (!is_terminal(from)) EXPECT_TRUE(may_follow(from, JobState::cancelled)) << to_string(from);
  for (const auto from : kAttemptStates)
    if (from != AttemptState::ended) EXPECT_TRUE(may_follow(from, AttemptState::ended)) << to_string(from);
}

TEST(Lifecycle, OnlyTheDocumentedShortcutsExist) {
  using enum JobState;
  EXPECT_TRUE(may_follow(queued, starting));
  EXPECT_FALSE(may_follow(queued, running)) << "user code runs only after admission";
  EXPECT_FALSE(may_follow(held, starting)) << "a held job is not admitted";
  EXPECT_FALSE(may_follow(queued, succeeded));
  EXPECT_FALSE(may_follow(stopping, running)) << "a stop is never taken back";
  EXPECT_FALSE(may_follow(running, held));
  EXPECT_TRUE(may_follow(stopping, queued)) << "preempted";
  EXPECT_TRUE(may_follow(unreachable, running)) << "contact is back";
  EXPECT_FALSE(may_follow(AttemptState::running, AttemptState::starting));
  EXPECT_FALSE(may_follow(AttemptState::stopping, AttemptState::running));
}

TEST(Lifecycle, ActiveStatesAreThoseWithAnAttempt) {
  std::set<std::string_view> active;
  for (const auto state : kJobStates)
    if (is_active(state)) active.insert(to_string(state));
  EXPECT_EQ(active, (std::set<std::string_view>{"STARTING", "RUNNING", "STOPPING", "UNREACHABLE"}));
}

TEST(Events, TypeNamesAreUnique) {
  std::set<std::string_view> names;
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (names.insert(type_name(EventPayload(std::in_place_index<I>))), ...);
  }(std::make_index_sequence<std::variant_size_v<EventVariant>>());
  EXPECT_EQ(names.size(), std::variant_size_v<EventVariant>);
  EXPECT_EQ(type_name(JobSubmitted{}), "job.submitted");
  EXPECT_EQ(type_name(AttemptEnded{}), "attempt.ended");
  EXPECT_EQ(type_name(QueueRemoved{}), "queue.removed");
}

TEST(Events, KnowWhatTheyAreAbout) {
  const AttemptKey key{JobId{5}, 2};
  EXPECT_EQ(job_of(JobSubmitted{Job{.id = JobId{5}}}), JobId{5});
  EXPECT_EQ(job_of(JobFinished{.job = JobId{5}}), JobId{5});
  EXPECT_EQ(job_of(AttemptAdmitted{Attempt{.job = JobId{5}, .number = 2}}), JobId{5});
  EXPECT_EQ(job_of(TaskStarted{.attempt = key}), JobId{5});
  EXPECT_EQ(job_of(NodeSet{}), std::nullopt);
  EXPECT_EQ(attempt_of(AttemptAdmitted{Attempt{.job = JobId{5}, .number = 2}}), key);
  EXPECT_EQ(attempt_of(ContactLost{key}), key);
  EXPECT_EQ(attempt_of(JobHeld{JobId{5}}), std::nullopt);
}

}  // namespace
}  // namespace ym
