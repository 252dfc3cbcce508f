// How progress, checkpoints, stops and nominated placements are shown.
#include <cmath>

#include "api/json/render.h"
#include "api/testing/fixture.h"

namespace ym::api {
namespace {

using ym::testing::parse_json;
using ym::testing::text_at;

template <class Write>
boost::json::value rendered(Write write) {
  JsonWriter json;
  write(json);
  return parse_json(std::move(json).take());
}

// A job that was preempted once, resumed, and is being preempted again.
class RenderTraining : public ::testing::Test {
 protected:
  RenderTraining() {
    job.checkpoints = {{.uri = "/ck/12", .step = 12, .durable_at = Instant{12'000}, .attempt = 2},
                       {.uri = "/ck/9", .step = 9, .durable_at = Instant{9'000}, .attempt = 2},
                       {.uri = "s3://b/5", .step = 5, .durable_at = Instant{5'000}, .attempt = 1}};
    Attempt first = ym::testing::running_attempt(job.id);
    first.state = AttemptState::ended;
    first.ended_by = EndedBy::preempted;
    first.stop_cause = StopCause::preemption;
    first.yields_to = JobId{34};
    first.estimated_lost_gpu_ms = 61'500;
    Attempt second = ym::testing::running_attempt(job.id, 2);
    second.started_at = Instant{6'000};
    second.resumes_from = job.checkpoints[2];
    second.progress = Progress{.step = 13, .metrics = {{"loss", 0.5}, {"odd", std::nan("")}}, .at = Instant{13'000}};
    attempts = {first, second};
  }
  boost::json::value shown(Instant now = Instant{14'000}) const {
    return rendered([&](JsonWriter& json) {
      write_job(json, job, std::vector<Shared<Attempt>>(attempts.begin(), attempts.end()), now);
    });
  }
  Job job{.id = JobId{33}, .spec = std::make_shared<const JobSpec>(two_gpus()), .state = JobState::running};
  std::vector<Attempt> attempts;

 private:
  static JobSpec two_gpus() {
    JobSpec spec = ym::testing::simple_spec();
    spec.resources.gpus = 2 * kMilli;
    return spec;
  }
};

TEST_F(RenderTraining, ShowsHowFarItIs) {
  const auto value = shown();
  EXPECT_EQ(text_at(value, "/attempts/1/progress"),
            R"({"step":13,"total_steps":null,"metrics":{"loss":5E-1,"odd":null},"completed":false,)"
            R"("at":"1970-01-01T00:00:13.000Z"})");
  EXPECT_EQ(text_at(value, "/attempts/0/progress"), "null");
  EXPECT_EQ(text_at(value, "/checkpoints/0"),
            R"({"uri":"/ck/12","step":12,"durable_at":"1970-01-01T00:00:12.000Z","attempt":2})");
  EXPECT_EQ(value.at("checkpoints").as_array().size(), 3u);
  EXPECT_EQ(text_at(value, "/attempts/1/checkpoint_step"), "12");
  EXPECT_EQ(text_at(value, "/attempts/1/resumes_from/uri"), "s3://b/5");
}

TEST_F(RenderTraining, AnAttemptsCheckpointIsKnownFromThoseThatBeganWithIt) {
  job.checkpoints.pop_back();
  EXPECT_EQ(text_at(shown(), "/attempts/0/checkpoint_step"), "5");
  attempts[1].resumes_from.reset();
  EXPECT_EQ(text_at(shown(), "/attempts/0/checkpoint_step"), "null");
}

TEST_F(RenderTraining, ShowsWhatAStopWouldLose) {
  EXPECT_EQ(text_at(shown(), "/work_at_risk_gpu_seconds"), "4") << "two GPUs, two seconds since the save";
  EXPECT_EQ(text_at(shown(Instant{12'250}), "/work_at_risk_gpu_seconds"), "5E-1");
  EXPECT_EQ(text_at(shown(Instant{1'000}), "/work_at_risk_gpu_seconds"), "0") << "a clock behind is no gain";
  job.state = JobState::queued;
  EXPECT_EQ(text_at(shown(), "/work_at_risk_gpu_seconds"), "null");
}

TEST_F(RenderTraining, ShowsWhatPreemptionsDid) {
  EXPECT_EQ(text_at(shown(), "/preemptions"), "1");
  EXPECT_EQ(text_at(shown(), "/attempts/0/stop_cause"), "preemption");
  EXPECT_EQ(text_at(shown(), "/attempts/0/yields_to"), "00000012");
  attempts[1].state = AttemptState::stopping;
  attempts[1].stop_cause = StopCause::cancel;
  attempts[1].stop_by = Instant{44'000};
  EXPECT_EQ(text_at(shown(), "/attempts/1/stop_by"), "1970-01-01T00:00:44.000Z");
  EXPECT_EQ(text_at(shown(), "/attempts/1/yields_to"), "null");
}

TEST_F(RenderTraining, ShowsWhatWasEstimatedAndWhatWasLostInTheEnd) {
  const auto shows = [&](int attempt, const std::string& lost, const std::string& estimated) {
    const auto value = shown();
    const auto path = "/attempts/" + std::to_string(attempt);
    EXPECT_EQ(text_at(value, path + "/lost_gpu_seconds"), lost);
    EXPECT_EQ(text_at(value, path + "/estimated_lost_gpu_seconds"), estimated);
  };
  shows(0, "6.15E1", "6.15E1");  // an attempt that has not ended, or ended before this was computed
  shows(1, "null", "null");
  attempts[0].lost_gpu_ms = 2'500;
  shows(0, "2.5E0", "6.15E1");
  attempts[0].lost_gpu_ms = 0;
  shows(0, "0", "6.15E1");
  attempts[1].stop_cause = StopCause::cancel;
  shows(1, "null", "null");  // there was no estimate
  attempts[1].stop_cause.reset();
  attempts[1].state = AttemptState::ended;
  attempts[1].lost_gpu_ms = 4'000;
  shows(1, "4", "null");  // an attempt that failed and is retried
}

TEST_F(RenderTraining, ShowsThePlaceThatIsKeptForIt) {
  EXPECT_EQ(text_at(shown(), "/hold"), "null");
  job.nomination = NominatedPlacement{.cluster = "lab",
                                      .flavor = "t4",
                                      .placement = {{.task = 0, .node = "n1", .devices = {"1"}}},
                                      .preempted_jobs = {JobId{1}, JobId{2}},
                                      .expires_at = Instant{150'000}};
  EXPECT_EQ(text_at(shown(), "/hold"),
            R"({"cluster":"lab","flavor":"t4","placement":[{"task":0,"node":"n1","devices":["1"]}],)"
            R"("victims":["00000001","00000002"],"expires_at":"1970-01-01T00:02:30.000Z"})");
}

boost::json::value data_of(EventPayload payload) {
  const Event event{.seq = 7, .time = Instant{0}, .actor = "scheduler", .payload = std::move(payload)};
  return rendered([&](JsonWriter& json) { write_event(json, event); }).at("data");
}

TEST(RenderEvent, ShowsPlainFieldsAsTheyAreStored) {
  EXPECT_EQ(text_at(data_of(JobHeld{JobId{33}}), ""), "{}");
  EXPECT_EQ(text_at(data_of(AttemptSubmitted{{JobId{33}, 2}}), ""), "{}");
  EXPECT_EQ(text_at(data_of(NodesWanted{.flavor = "t4", .nodes = 3}), ""), R"({"flavor":"t4","nodes":3})");
  EXPECT_EQ(text_at(data_of(QueueRemoved{"ml"}), ""), R"({"name":"ml"})");
  EXPECT_EQ(text_at(data_of(JobRequeued{JobId{33}, RetryCause::infra, std::nullopt}), ""),
            R"({"cause":"infra","not_before":null})");
  EXPECT_EQ(text_at(data_of(JobRequeued{JobId{33}, RetryCause::infra, Instant{1'000}}), "/not_before"),
            "1970-01-01T00:00:01.000Z");
}

TEST(RenderEvent, DoesNotShowTheSecretsOfClaims) {
  EXPECT_EQ(text_at(data_of(BarrierOpened{{JobId{33}, 2}, {TaskClaim{.nonce = "secret"}}}), ""), "{}");
}

TEST(RenderEvent, SaysAllThatIsReported) {
  ProgressReport report{.step = 12, .metrics = {{"loss", 2.0}}};
  EXPECT_EQ(text_at(data_of(AttemptProgressed{{JobId{33}, 2}, report}), ""),
            R"({"step":12,"total_steps":null,"metrics":{"loss":2},"checkpoint":null,"completed":false})");
  report.checkpoint = Checkpoint{.uri = "/ck/12", .step = 12, .durable_at = Instant{1'000}, .attempt = 2};
  report.completed = true;
  const auto data = data_of(AttemptProgressed{{JobId{33}, 2}, report});
  constexpr auto kCheckpoint = R"({"uri":"/ck/12","step":12,"durable_at":"1970-01-01T00:00:01.000Z","attempt":2})";
  EXPECT_EQ(text_at(data, "/checkpoint"), kCheckpoint);
  EXPECT_EQ(text_at(data, "/completed"), "true");
  EXPECT_EQ(text_at(data_of(CheckpointSkipped{JobId{33}, *report.checkpoint}), "/checkpoint"), kCheckpoint);
}

TEST(RenderEvent, NamesThePreemptingJobAndTheLoss) {
  const AttemptStopping preempted{.attempt = {JobId{33}, 2},
                                  .cause = StopCause::preemption,
                                  .preemption = PreemptionCause::consolidation,
                                  .yields_to = JobId{34},
                                  .estimated_lost_gpu_ms = 1'500,
                                  .stop_by = Instant{30'000}};
  EXPECT_EQ(text_at(data_of(preempted), ""),
            R"({"cause":"preemption","stop_by":"1970-01-01T00:00:30.000Z","yields_to":"00000012",)"
            R"("lost_gpu_seconds":1.5E0,"estimated_lost_gpu_seconds":1.5E0,)"
            R"("preemption":"consolidation","moves":true,"borrowed":false,"resizes_to":null})");
  EXPECT_EQ(text_at(data_of(AttemptStopping{.attempt = {JobId{33}, 2}, .cause = StopCause::cancel}), ""),
            R"({"cause":"cancel","stop_by":null,"yields_to":null,"lost_gpu_seconds":null,)"
            R"("estimated_lost_gpu_seconds":null,"preemption":null,"moves":false,"borrowed":false,"resizes_to":null})");
}

TEST(RenderEvent, SaysWhatWasLostInTheEnd) {
  AttemptEnded ended{.attempt = {JobId{33}, 2}, .by = EndedBy::preempted, .exit_code = 143, .message = "preempted"};
  EXPECT_EQ(text_at(data_of(ended), "/lost_gpu_seconds"), "null");
  ended.lost_gpu_ms = 2'500;
  EXPECT_EQ(text_at(data_of(ended), "/lost_gpu_seconds"), "2.5E0");
  const Checkpoint gone{.uri = "/ck/12", .step = 12, .durable_at = Instant{1'000}, .attempt = 1};
  EXPECT_EQ(text_at(data_of(CheckpointSkipped{JobId{33}, gone}), "/further_losses"), "[]");
  EXPECT_EQ(text_at(data_of(CheckpointSkipped{JobId{33}, gone, {{1, 1'500}, {2, 500}}}), "/further_losses"),
            R"([{"attempt":1,"lost_gpu_seconds":1.5E0},{"attempt":2,"lost_gpu_seconds":5E-1}])");
}

TEST(RenderEvent, ShowsTheNominatedPlacement) {
  const NominatedPlacement nomination{
      .cluster = "lab", .flavor = "t4", .preempted_jobs = {JobId{1}}, .expires_at = Instant{1'000}};
  EXPECT_EQ(text_at(data_of(PlacementNominated{JobId{33}, nomination}), "/hold"),
            R"({"cluster":"lab","flavor":"t4","placement":[],"victims":["00000001"],)"
            R"("expires_at":"1970-01-01T00:00:01.000Z"})");
  EXPECT_EQ(text_at(data_of(NominationEnded{JobId{33}}), ""), "{}");
}

TEST(RenderNotice, IsWhatTheNoticeFileSays) {
  const Notice notice{StopCause::cancel, Instant{30'000}, Duration{30'000}};
  EXPECT_EQ(text_at(rendered([&](JsonWriter& json) { write_notice(json, notice); }), ""),
            R"({"reason":"cancel","deadline":"1970-01-01T00:00:30.000Z","grace_seconds":30})");
}

}  // namespace
}  // namespace ym::api
