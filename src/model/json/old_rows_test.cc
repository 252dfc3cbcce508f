// The format of stored rows, and rows from before a field existed.
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "model/json/codec.h"
#include "model/json/fields.h"

namespace ym::json {
namespace {

namespace bj = boost::json;

TEST(OldRows, TheWrittenFormIsStable) {
  Attempt attempt{.job = JobId{7}, .number = 2, .epoch = 3, .state = AttemptState::ended};
  attempt.placement = {{0, "n1", {"0", "1"}}};
  attempt.tasks = {{TaskState::ended, TaskExit{.by = EndedBy::signal, .signal = 9, .message = "killed", .at = {1500}}}};
  attempt.admitted_at = {1000};
  attempt.ended_by = EndedBy::signal;
  EXPECT_EQ(encode(attempt),
            R"({"job":7,"number":2,"epoch":3,"state":"ENDED","cluster":"","queue":"","flavor":"",)"
            R"("placement":[{"task":0,"node":"n1","devices":["0","1"]}],)"
            R"("tasks":[{"state":"ENDED","exit":{"by":"signal","signal":9,"message":"killed","at":1500}}],)"
            R"("admitted_at":1000,"ended_by":"signal"})");
  Queue queue{.name = "a", .parent = "org"};
  queue.quota.emplace()["t4"][2] = Quota{.nominal = 8000, .borrowing_limit = 4000};
  EXPECT_EQ(encode(queue),
            R"({"name":"a",)"
            R"("quota":[{"flavor":"t4","kinds":{"gpus":{"nominal":8000,"borrowing_limit":4000}}}],)"
            R"("order":"fifo","reservations":1,"weight_milli":1000,"when_can_preempt":"try-next",)"
            R"("preempt":"lower-priority","reclaim":"any","min_runtime":{"priority_ms":0,"reclaim_ms":0},)"
            R"("fence":false,"parent":"org","accepts_jobs":true,"managed_by":"file"})");
}

TEST(OldRows, SpecsWithoutRulesOfPreemptionAndCheckpointsReadAsTheDefaults) {
  const JobSpec spec{.name = "train", .run = {.words = {"true"}}, .workdir = "/"};
  auto row = bj::parse(encode(spec)).as_object();
  EXPECT_FALSE(row.contains("checkpoint"));
  row.at("stop").as_object().erase("preemptible");
  row.at("stop").as_object().erase("min_runtime_ms");
  const auto read = decode_spec(row);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, spec);
}

TEST(OldRows, SpecsThatDoNotSayWhetherTheFolderWasGivenReadAsIfItWas) {
  JobSpec spec{.name = "train", .run = {.words = {"true"}}, .workdir = "/home/a"};
  EXPECT_FALSE(bj::parse(encode(spec)).as_object().contains("workdir_left_out"));
  EXPECT_FALSE(decode_spec(bj::parse(encode(spec)).as_object()).value().workdir_left_out);
  spec.workdir_left_out = true;
  EXPECT_EQ(decode_spec(bj::parse(encode(spec)).as_object()).value(), spec);
}

// A queue with every field that older rows do not have.
Queue ruled_queue() {
  return {.name = "a",
          .preempt = PreemptRule::any,
          .reclaim = PreemptRule::never,
          .preempt_to_borrow = 30,
          .min_runtime = {.priority = minutes(5), .reclaim = minutes(6)},
          .fence = true,
          .weight_milli = 2500,
          .when_can_borrow = FlavorSearch::try_next,
          .when_can_preempt = FlavorSearch::stop,
          .order = JobOrder::shortest_first,
          .service_levels = {hours(1)},
          .age_boost = {.every = hours(1), .most = 3},
          .fair_users = true,
          .strict = true,
          .stop = StopPolicy::hold,
          .reservations = 2,
          .run_limit = {.jobs = 4, .gpus_milli = {}},
          .user_run_limit = {.jobs = {}, .gpus_milli = 2000},
          .budgets = {{.unit = BudgetUnit::money, .amount = 5, .per = BudgetWindow::day}},
          .shrink_after = minutes(1),
          .shrunk_at = Instant{7},
          .wait_promises = {{.priority = 50, .within = hours(1)}},
          .default_for = {.users = {"ann"}, .projects = {"vision"}},
          .applied = true};
}

TEST(OldRows, QueuesWithoutRulesOfPreemptionReadAsTheDefault) {
  const Queue ruled = ruled_queue();
  auto row = bj::parse(encode(ruled)).as_object();
  EXPECT_EQ(decode_row<Queue>(row).value(), ruled);
  for (const char* key : {"preempt",
                          "reclaim",
                          "preempt_to_borrow",
                          "min_runtime",
                          "fence",
                          "weight_milli",
                          "order",
                          "service_levels_ms",
                          "fair_users",
                          "when_can_borrow",
                          "when_can_preempt",
                          "strict",
                          "stop",
                          "age_boost",
                          "reservations",
                          "run_limit",
                          "user_run_limit",
                          "budgets",
                          "shrink_after_ms",
                          "shrunk_at",
                          "wait_promises",
                          "default_for",
                          "applied"})
    row.erase(key);
  const auto read = decode_row<Queue>(row);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, Queue{.name = "a"});
}

TEST(OldRows, QuotaWasAnObjectByFlavor) {
  const auto read = decode_row<Queue>(bj::parse(R"({"name":"a","parent":"","accepts_jobs":true,"managed_by":"file",
      "quota":{"a100":{},"t4":{"gpus":{"nominal":8000}}}})"));
  ASSERT_TRUE(read) << read.error().message;
  FlavorQuota gpus;
  gpus[2] = Quota{.nominal = 8000};
  EXPECT_EQ(read->quota, (QuotaList{{"a100", {}}, {"t4", gpus}}));
}

TEST(OldRows, QuotaIsAListNow) {
  const auto read = decode_row<Queue>(bj::parse(R"({"name":"a","parent":"","accepts_jobs":true,"managed_by":"api",
      "quota":[{"flavor":"t4","kinds":{"tpus":{"nominal":1}}}]})"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().fields.at(0).pointer, "/quota/0/kinds/tpus");
}

TEST(OldRows, JobsHaveWaitedSinceTheyWereSubmitted) {
  Job job{.spec = std::make_shared<const JobSpec>(), .submitted_at = {1000}, .waits_since = {5000}};
  auto row = bj::parse(encode(job)).as_object();
  EXPECT_EQ(decode_job(row, job.spec)->waits_since, Instant{5000});
  row.erase("waits_since");
  EXPECT_EQ(decode_job(row, job.spec)->waits_since, Instant{1000});
}

TEST(OldRows, JobsHaveArrivedWhenTheyBeganToWait) {
  Job job{.spec = std::make_shared<const JobSpec>(), .waits_since = {5000}, .arrived_at = {3000}};
  auto row = bj::parse(encode(job)).as_object();
  EXPECT_EQ(decode_job(row, job.spec)->arrived_at, Instant{3000});
  row.erase("arrived_at");
  EXPECT_EQ(decode_job(row, job.spec)->arrived_at, Instant{5000});
}

// A field that is left out while empty must have an empty default.
template <class T>
void expect_sparse_defaults_are_empty() {
  const auto check = [](const auto& f) {
    if (f.in_rows == InRows::unless_empty) EXPECT_TRUE(f.leaves_out(T{}.*f.member)) << f.name;
  };
  for_each_member(Fields<T>::list, check);
}

TEST(OldRows, DefaultsOfSparseFieldsAreEmpty) {
  expect_sparse_defaults_are_empty<Job>();
  expect_sparse_defaults_are_empty<JobSpec>();
  expect_sparse_defaults_are_empty<TaskResources>();
  expect_sparse_defaults_are_empty<PlacementRules>();
  expect_sparse_defaults_are_empty<Attempt>();
  expect_sparse_defaults_are_empty<TaskStatus>();
  expect_sparse_defaults_are_empty<TaskExit>();
}

TEST(OldRows, WhatIsEmptyWasWrittenToo) {
  const auto read = decode_attempt(bj::parse(
      R"({"job":7,"number":2,"epoch":3,"state":"ENDED","cluster":"lab","queue":"a","flavor":"t4","placement":[)"
      R"({"task":0,"node":"n1","devices":[]}],"tasks":[{"state":"ENDED","exit":{"by":"exit","exit_code":0,"message":"",)"
      R"("permanent":false,"forced":false,"at":1500},"ended_seq":0}],"admitted_at":1000,"lost_gpu_ms":0,"message":""})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(encode(*read),
            R"({"job":7,"number":2,"epoch":3,"state":"ENDED","cluster":"lab","queue":"a","flavor":"t4","placement":[)"
            R"({"task":0,"node":"n1","devices":[]}],"tasks":[{"state":"ENDED","exit":{"by":"exit","exit_code":0,)"
            R"("at":1500}}],"admitted_at":1000})");
}

TEST(OldRows, WhatAnAttemptLostWasOnlyEstimated) {
  auto row = bj::parse(encode(Attempt{.job = JobId{7}, .number = 2})).as_object();
  row["lost_gpu_ms"] = 61'500;
  const auto attempt = decode_attempt(row);
  ASSERT_TRUE(attempt) << attempt.error().message;
  EXPECT_EQ(attempt->estimated_lost_gpu_ms, 61'500);
  EXPECT_EQ(attempt->lost_gpu_ms, std::nullopt);
  const auto decoded = [](std::string_view type, const char* text) {
    return decode_event(type, bj::parse(text), nullptr).value();
  };
  EXPECT_EQ(decoded("attempt.stopping",
                    R"({"attempt":{"job":7,"number":2},"cause":"preemption","yields_to":8,"lost_gpu_ms":61500})"),
            EventPayload(AttemptStopping{.attempt = {JobId{7}, 2},
                                         .cause = StopCause::preemption,
                                         .preemption = PreemptionCause::priority,
                                         .yields_to = JobId{8},
                                         .estimated_lost_gpu_ms = 61'500}));
  EXPECT_EQ(decoded("attempt.ended", R"({"attempt":{"job":7,"number":2},"by":"preempted","message":""})"),
            EventPayload(AttemptEnded{.attempt = {JobId{7}, 2}, .by = EndedBy::preempted, .message = {}}));
  EXPECT_EQ(
      decoded("checkpoint.skipped", R"({"job":7,"checkpoint":{"uri":"/ck","step":3,"durable_at":1000,"attempt":1}})"),
      EventPayload(CheckpointSkipped{JobId{7}, {.uri = "/ck", .step = 3, .durable_at = {1000}, .attempt = 1}}));
}

// Events of servers that stored flags of the cause.
TEST(OldRows, TheCauseOfAPreemptionFollowsFromFlags) {
  const auto cause_of = [](const std::string& rest) {
    const auto event = decode_event(
        "attempt.stopping",
        bj::parse(R"({"attempt":{"job":7,"number":2},"cause":"preemption","lost_gpu_ms":5)" + rest + "}"), nullptr);
    EXPECT_TRUE(event) << event.error().message;
    return event ? std::get<AttemptStopping>(*event).preemption : std::nullopt;
  };
  EXPECT_EQ(cause_of(R"(,"yields_to":8,"moves":true)"), PreemptionCause::consolidation);
  EXPECT_EQ(cause_of(R"(,"yields_to":8,"borrowed":true)"), PreemptionCause::borrow);
  EXPECT_EQ(cause_of(R"(,"yields_to":8,"moves":false,"borrowed":false)"), PreemptionCause::priority);
  EXPECT_EQ(cause_of(R"(,"yields_to":8,"resizes_to":2)"), PreemptionCause::priority);
  EXPECT_EQ(cause_of(R"(,"resizes_to":4)"), PreemptionCause::resize);
  EXPECT_EQ(cause_of(""), PreemptionCause::drain);
  const auto cancelled =
      decode_event("attempt.stopping", bj::parse(R"({"attempt":{"job":7,"number":2},"cause":"cancel"})"), nullptr);
  EXPECT_EQ(std::get<AttemptStopping>(*cancelled).preemption, std::nullopt);
}

TEST(OldRows, AttemptsThatWerePreemptedHadNoCause) {
  auto row = bj::parse(encode(Attempt{.job = JobId{7}, .number = 2, .stop_cause = StopCause::preemption})).as_object();
  EXPECT_EQ(decode_attempt(row)->preemption, PreemptionCause::drain);
  row["yields_to"] = 8;
  EXPECT_EQ(decode_attempt(row)->preemption, PreemptionCause::priority);
  row["preemption"] = "reclaim";
  EXPECT_EQ(decode_attempt(row)->preemption, PreemptionCause::reclaim);
  row["stop_cause"] = "cancel";
  row.erase("preemption");
  EXPECT_EQ(decode_attempt(row)->preemption, std::nullopt);
}

TEST(OldRows, AttemptsHadNoPrice) {
  auto row = bj::parse(encode(Attempt{.job = JobId{7}, .flavor = "a+b", .prices_micros = {3, 4}})).as_object();
  EXPECT_EQ(decode_attempt(row)->prices_micros, (std::vector<std::int64_t>{3, 4}));
  row["prices_micros"].as_array().pop_back();
  EXPECT_EQ(decode_attempt(row).error().fields.at(0).pointer, "/prices_micros");
  row.erase("prices_micros");
  EXPECT_EQ(decode_attempt(row)->prices_micros, std::vector<std::int64_t>());
}

TEST(OldRows, JobsHadAUserOfTheOperatingSystem) {
  const Job job{.spec = std::make_shared<const JobSpec>(), .owner = "ann"};
  auto row = bj::parse(encode(job)).as_object();
  EXPECT_FALSE(row.contains("run_as"));
  row["run_as"] = "nobody";
  const auto read = decode_job(row, job.spec);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, job);
  row["run_by"] = "nobody";
  EXPECT_EQ(decode_job(row, job.spec).error().fields.at(0).pointer, "/run_by");
}

TEST(OldRows, NodesSaidOnlyByTheirMessageThatTheyLeave) {
  const auto read = [](const Node& node) { return decode_row<Node>(bj::parse(encode(node))).value(); };
  const Node drained{.name = "n1", .schedulable = false, .message = "drained by ann: fan"};
  EXPECT_EQ(read(drained), drained);
  Node leaves = drained;
  leaves.message = "is not there any more; leaves when nothing runs on it";
  EXPECT_TRUE(read(leaves).leaving);
  leaves.message = "other words of a later version";
  EXPECT_FALSE(read(leaves).leaving);
  leaves.leaving = true;
  EXPECT_EQ(read(leaves), leaves);
}

TEST(OldRows, FlavorsHadNoRank) {
  auto row = bj::parse(encode(Flavor{.name = "t4", .rank = 3})).as_object();
  row.erase("rank");
  const auto read = decode_row<Flavor>(row);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->rank, 0);
}

}  // namespace
}  // namespace ym::json
