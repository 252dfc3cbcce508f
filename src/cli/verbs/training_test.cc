// What people are shown of progress, saves, stops and places that are kept.
#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Runs since 07:59:30, saved at 07:59:40, resumed from an earlier attempt. It is 08:00.
constexpr const char* kRunning = R"(,"started_at":"2027-01-15T07:50:00.000Z","preemptions":1,
  "work_at_risk_gpu_seconds":40.25,"hold":null,
  "checkpoints":[{"uri":"/ck/1200","step":1200,"durable_at":"2027-01-15T07:59:40.000Z","attempt":2},
                 {"uri":"/ck/800","step":800,"durable_at":"2027-01-15T07:55:00.000Z","attempt":1}],
  "attempts":[
    {"number":1,"state":"ENDED","ended_by":"preempted","started_at":"2027-01-15T07:50:00.000Z",
     "ended_at":"2027-01-15T07:55:00.000Z","exit_code":0,"stop_cause":"preemption","yields_to":"0000000B",
     "lost_gpu_seconds":60,"estimated_lost_gpu_seconds":7200,"placement":[{"task":0,"node":"n1","devices":["0"]}]},
    {"number":2,"state":"RUNNING","started_at":"2027-01-15T07:59:30.000Z","placement":[{"node":"n1","devices":["0"]}],
     "progress":{"step":1250,"total_steps":5000,"metrics":{"loss":0.41,"lr":0.001},"completed":false,
                 "at":"2027-01-15T07:59:55.000Z"},
     "resumes_from":{"uri":"/ck/800","step":800,"durable_at":"2027-01-15T07:55:00.000Z","attempt":1}}])";

constexpr const char* kStopping = R"(,"started_at":"2027-01-15T07:50:00.000Z","work_at_risk_gpu_seconds":3,
  "attempts":[{"number":1,"state":"STOPPING","stop_cause":"preemption","yields_to":"0000000B","lost_gpu_seconds":340,
               "estimated_lost_gpu_seconds":340,
               "stop_by":"2027-01-15T08:00:23.000Z","placement":[{"node":"n1","devices":["0","1"]}]}])";

constexpr const char* kNomination = R"(,"reason":"PreemptionPending","hold":{"cluster":"lab","flavor":"t4",
  "placement":[{"task":0,"node":"n1","devices":["0","1"]}],"victims":["00000001","00000002","00000003"],
  "expires_at":"2027-01-15T08:02:23.000Z"})";

TEST(Training, PsWideShowsHowFarAndWhatIsAtRisk) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs?spec=summary&limit=1000",
                 list_json(job_json("00000002", "b", "QUEUED") + "," + job_json("00000001", "a", "RUNNING", kRunning)));
  EXPECT_EQ(fake.run({"ps", "-A", "-o", "wide"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("SUBMITTED            ATTEMPTS   PROGRESS  SAVED   AT RISK\n"));
  EXPECT_THAT(fake.out.str(), HasSubstr("2027-01-15 07:59:00         2  1250/5000    20s  40 GPU-s\n"));
  EXPECT_THAT(fake.out.str(), HasSubstr("2027-01-15 07:59:00         0\n"));
}

TEST(Training, GetSaysHowFarItIsAndWhatStopsCost) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "RUNNING", kRunning));
  EXPECT_EQ(fake.run({"get", "a"}), 0);
  expect_sentence(fake.out.str());
}

TEST(Training, GetSaysWhatOtherEndsHaveLost) {
  FakeSession fake;
  const auto attempt = [](int number, const std::string& rest) {
    return R"({"number":)" + std::to_string(number) + R"(,"state":"ENDED","started_at":"2027-01-15T07:50:00.000Z",)" +
           R"("ended_at":"2027-01-15T07:55:00.000Z","placement":[{"task":0,"node":"n1","devices":["0"]}],)" + rest +
           "}";
  };
  fake.server.on("GET /api/v1/jobs/a",
                 job_json("00000001", "a", "SUCCEEDED",
                          R"(,"preemptions":0,"attempts":[)" +
                              attempt(1, R"("ended_by":"exit","exit_code":1,"lost_gpu_seconds":90,)"
                                         R"("estimated_lost_gpu_seconds":null)") +
                              "," +
                              attempt(2, R"("ended_by":"lost","lost_gpu_seconds":0,)"
                                         R"("estimated_lost_gpu_seconds":null)") +
                              "," +
                              attempt(3, R"("ended_by":"exit","exit_code":0,"lost_gpu_seconds":0,)"
                                         R"("estimated_lost_gpu_seconds":340)") +
                              "]"));
  EXPECT_EQ(fake.run({"get", "a"}), 0);
  EXPECT_THAT(fake.out.str(), HasSubstr("exit code 1, lost 90 GPU-s  "));
  EXPECT_THAT(fake.out.str(), Not(HasSubstr("lost, lost"))) << "it had no GPUs";
  EXPECT_THAT(fake.out.str(), HasSubstr("exit code 0, lost 0 GPU-s (estimated 340 GPU-s)  n1:0"));
}

TEST(Training, GetSaysUntilWhenAJobMayTakeToStopAndForWhichJob) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "STOPPING", kStopping));
  EXPECT_EQ(fake.run({"get", "a"}), 0);
  expect_sentence(row_of(fake.out.str(), "stopping"));
  EXPECT_THAT(fake.out.str(), Not(HasSubstr("at risk")));
}

TEST(Training, GetSaysHowLargeAJobGoesOnThatStopsForThat) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a", job_json("00000001", "a", "STOPPING",
                                                std::string(kStopping) + R"(,"hold":{"cluster":"lab","flavor":"t4",
      "placement":[{"task":0,"node":"n1","devices":["0"]},{"task":1,"node":"n2","devices":["0"]}],"victims":[],
      "expires_at":"2027-01-15T08:02:23.000Z"})"));
  EXPECT_EQ(fake.run({"get", "a"}), 0);
  for (const auto* label : {"stopping", "place kept"}) expect_sentence(row_of(fake.out.str(), label));
}

TEST(Training, AJobThatSaysNothingHasNoSuchLines) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/a",
                 job_json("00000001", "a", "RUNNING",
                          R"(,"checkpoints":[],"work_at_risk_gpu_seconds":null,"preemptions":0,"hold":null,
      "attempts":[{"number":1,"state":"RUNNING","progress":null,"resumes_from":null,"placement":[{"node":"n1"}]}])"));
  EXPECT_EQ(fake.run({"get", "a"}), 0);
  for (const auto* label : {"progress", "saved", "resumed", "at risk", "stopping", "preempted", "place kept"})
    EXPECT_THAT(fake.out.str(), Not(HasSubstr(label)));
}

TEST(Training, WhyNamesTheJobsThatAJobWaitsFor) {
  FakeSession fake;
  fake.server.on("GET /api/v1/jobs/urgent", job_json("0000000B", "urgent", "QUEUED", kNomination));
  fake.server.on("GET /api/v1/jobs/00000001", job_json("00000001", "a", "STOPPING", kStopping));
  fake.server.on("GET /api/v1/jobs/00000002", job_json("00000002", "b", "QUEUED"));
  fake.server.on("GET /api/v1/jobs/urgent/why",
                 R"({"dominant":{"code":"PreemptionPending","message":"2 GPUs are being made free","numbers":{}},
                    "also":[],"ahead":[],"ahead_total":0,"predicted_start":null,"sooner":[]})");
  EXPECT_EQ(fake.run({"why", "urgent"}), 0);
  expect_sentence(fake.out.str());
  fake.out.str("");
  EXPECT_EQ(fake.run({"get", "urgent"}), 0);
  expect_sentence(row_of(fake.out.str(), "place kept"));
}

std::string event_json(int seq, const std::string& type, const std::string& data) {
  return R"({"seq":)" + std::to_string(seq) + R"(,"type":")" + type +
         R"(","v":1,"time":"2027-01-15T08:00:00.000Z","actor":"x","reason":"","job":"00000001","attempt":1,"data":)" +
         data + "}";
}

TEST(Training, EventsSayItInALine) {
  FakeSession fake;
  const std::string checkpoint = R"("checkpoint":{"uri":"/ck/12","step":12,"durable_at":"x","attempt":1})";
  fake.server.on(
      "GET /api/v1/jobs/a/events?limit=1000",
      list_json(
          event_json(
              1, "attempt.progress",
              R"({"step":12,"total_steps":null,"metrics":{"loss":0.5},)" + checkpoint + R"(,"completed":false})") +
          "," + event_json(2, "attempt.progress", R"({"step":null,"metrics":{},"checkpoint":null,"completed":true})") +
          "," +
          event_json(3, "attempt.stopping",
                     R"({"cause":"preemption","stop_by":"T","yields_to":"0000000B","lost_gpu_seconds":1.5,)"
                     R"("estimated_lost_gpu_seconds":1.5,"moves":false,"borrowed":true})") +
          "," +
          event_json(4, "hold.placed",
                     R"({"hold":{"placement":[{"node":"n1","devices":["0"]}],"victims":["1","2"],"expires_at":"T"}})") +
          "," +
          event_json(5, "checkpoint.skipped",
                     "{" + checkpoint + R"(,"further_losses":[{"attempt":1,"lost_gpu_seconds":2.5}]})") +
          "," + event_json(6, "hold.ended", "{}") + "," +
          event_json(7, "attempt.ended", R"({"ended_by":"preempted","message":"","lost_gpu_seconds":60})")));
  EXPECT_EQ(fake.run({"events", "a"}), 0);
  for (const auto* line :
       {"x      step=12  loss=0.5  checkpoint=/ck/12  checkpoint_step=12\n", "x      completed=true\n",
        "x      cause=preemption  stop_by=T  yields_to=0000000B  estimated_lost_gpu_seconds=1.5  borrowed=true\n",
        "x      place=n1:0  stops=1,2  expires_at=T\n",
        "x      checkpoint=/ck/12  checkpoint_step=12  further_lost_gpu_seconds_of_attempt_1=2.5\n",
        "x      ended_by=preempted  lost_gpu_seconds=60\n", "x\n"})
    EXPECT_THAT(fake.out.str(), HasSubstr(line));
}

}  // namespace
}  // namespace ym::cli
