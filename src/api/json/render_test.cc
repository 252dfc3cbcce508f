#include "api/json/render.h"

#include "api/testing/fixture.h"
#include "spec/documents.h"

namespace ym::api {
namespace {

using ym::testing::parse_json;
using ym::testing::text_at;

template <class Write>
boost::json::value rendered_json(Write write) {
  JsonWriter json;
  write(json);
  return parse_json(std::move(json).take());
}

std::vector<std::string> keys(const boost::json::value& value) {
  std::vector<std::string> names;
  for (const auto& [key, content] : value.get_object()) names.emplace_back(key);
  return names;
}

// The shown spec is a job file that gives an equal spec.
void expect_round_trip(const JobSpec& spec) {
  JsonWriter json;
  write_spec(json, spec);
  const std::string text = std::move(json).take();
  const auto again = parse_job_json(text, {});
  ASSERT_TRUE(again) << again.error().message << "\n" << text;
  EXPECT_EQ(*again, spec) << text;
}

TEST(RenderSpec, ReadsBackAsTheSameSpec) {
  const auto small = parse_job_yaml("run: echo $HOME\nworkdir: /x\n", {});
  ASSERT_TRUE(small) << small.error().message;
  expect_round_trip(small->front());
  const auto large = parse_job_yaml(R"(
name: ddp
run: [python, train.py, --lr, 1e-5, "a\"b\n"]
workdir: /data
project: vision
queue: research
priority: 80
nodes: 2
resources: {gpus: "t4:8", cpus: 1.5, memory: 1536MiB, shm: 1000001B}
launcher: torchrun
env: {A: "1", B: "x=y", C: ""}
time_limit: 1h30m
retry: {infra: {max: 10}, error: 2, preempted: 7, backoff: 20m, backoff_max: 1h}
placement: {select: {rack: r1}, exclude: [n7]}
preemption: {allow: false, signal: SIGUSR1, grace: 110s, min_runtime: 20m}
checkpoint: {dir: "s3://team/ckpt", every: 15m, expect_save: 0}
array: 3
)",
                                    {});
  ASSERT_TRUE(large) << large.error().message;
  expect_round_trip(large->front());
  const auto array = parse_job_json(R"({"run":["a"],"workdir":"/x","array":{"count":8,"parallel":2}})", {});
  ASSERT_TRUE(array) << array.error().message;
  expect_round_trip(*array);
  const auto elastic = parse_job_json(R"({"run":["a"],"workdir":"/x","nodes":{"min":2,"max":4}})", {});
  ASSERT_TRUE(elastic) << elastic.error().message;
  expect_round_trip(*elastic);
}

TEST(RenderJob, SaysWhatMayNotDoWhatIsMeant) {
  auto spec = ym::testing::simple_spec();
  const auto shown = [&](SpecDetail detail) {
    const Job job{.spec = std::make_shared<const JobSpec>(spec)};
    return keys(rendered_json([&](JsonWriter& json) { write_job(json, job, {}, Instant{}, detail); }));
  };
  EXPECT_THAT(shown(SpecDetail::full), ::testing::Not(::testing::Contains("warnings")));
  spec.launcher = Launcher::torchrun;
  spec.stop.grace = minutes(2);
  EXPECT_THAT(shown(SpecDetail::full), ::testing::Contains("warnings"));
  EXPECT_THAT(shown(SpecDetail::summary), ::testing::Not(::testing::Contains("warnings")));
}

TEST(RenderJob, HasTheKeysThatScriptsRelyOn) {
  const auto spec = std::make_shared<const JobSpec>(ym::testing::simple_spec());
  Job job{.id = JobId{33}, .spec = spec, .name = "train", .project = "p", .owner = "ada", .queue = "q"};
  job.pending = ReasonCode::waiting_for_quota;
  job.submitted_at = Instant{1'790'000'000'123};
  auto attempt = ym::testing::running_attempt(job.id);
  attempt.state = AttemptState::ended;
  attempt.ended_by = EndedBy::time_limit;
  attempt.signal = 9;
  const std::vector<Shared<Attempt>> attempts{attempt};
  const auto value = rendered_json([&](JsonWriter& json) { write_job(json, job, attempts, Instant{}); });
  EXPECT_THAT(keys(value), ::testing::IsSupersetOf({"id", "name", "user", "queue", "priority", "state", "reason",
                                                    "submitted_at", "started_at", "ended_at", "attempts", "spec"}));
  EXPECT_EQ(text_at(value, "/id"), "00000011");
  EXPECT_EQ(text_at(value, "/user"), "ada");
  EXPECT_EQ(text_at(value, "/state"), "QUEUED");
  EXPECT_EQ(text_at(value, "/reason"), "WaitingForQuota");
  EXPECT_EQ(text_at(value, "/submitted_at"), "2026-09-21T14:13:20.123Z");
  EXPECT_EQ(text_at(value, "/started_at"), "null");
  const auto& shown = value.at("attempts").at(0);
  EXPECT_THAT(keys(shown), ::testing::IsSupersetOf({"number", "state", "placement", "started_at", "ended_at",
                                                    "exit_code", "signal", "ended_by", "checkpoint_step",
                                                    "lost_gpu_seconds", "estimated_lost_gpu_seconds"}));
  EXPECT_EQ(text_at(shown, "/placement"), R"([{"task":0,"node":"n1","devices":["0","1"]}])");
  EXPECT_EQ(text_at(shown, "/ended_by"), "time_limit");
  EXPECT_EQ(text_at(shown, "/exit_code"), "null");
  EXPECT_EQ(text_at(shown, "/signal"), "9");
}

TEST(RenderAttempt, TheCulpritIsShownAsItsWorkerEnded) {
  Attempt attempt{.job = JobId{0x11}, .number = 1, .placement = {{0, "n1", {}}, {1, "n2", {}}}};
  attempt.tasks.resize(2);
  attempt.tasks[1].exit =
      TaskExit{.by = EndedBy::exit, .exit_code = 1, .worker = WorkerFailure{.rank = 5, .signal = 9}};
  EXPECT_EQ(text_at(rendered_json([&](JsonWriter& json) { write_attempt(json, attempt, nullptr); }), "/culprit"),
            "null");
  attempt.culprit = Culprit{.task = 1, .rank = 5, .sure = Certainty::likely};
  EXPECT_EQ(text_at(rendered_json([&](JsonWriter& json) { write_attempt(json, attempt, nullptr); }), "/culprit"),
            R"({"task":1,"node":"n2","rank":5,"certainty":"likely","ended_by":"signal","exit_code":null,"signal":9,)"
            R"("message":""})");
}

TEST(RenderSpec, AnElasticJobHasARangeOfNodes) {
  JobSpec spec = ym::testing::simple_spec();
  spec.nodes = 8;
  spec.min_nodes = 2;
  const auto whole = rendered_json([&](JsonWriter& json) { write_spec(json, spec); });
  EXPECT_EQ(text_at(whole, "/nodes"), R"({"min":2,"max":8})");
  const auto summary = rendered_json([&](JsonWriter& json) { write_spec_summary(json, spec); });
  EXPECT_EQ(text_at(summary, "/nodes"), R"({"min":2,"max":8})");
}

TEST(RenderJob, ReasonIsACodeOrNothing) {
  Job job{.id = JobId{1}, .spec = std::make_shared<const JobSpec>(), .state = JobState::failed};
  const auto reason = [&] {
    return text_at(rendered_json([&](JsonWriter& json) { write_job(json, job, {}, Instant{}); }), "/reason");
  };
  EXPECT_EQ(reason(), "null");
  job.message = "execve: no such file";
  EXPECT_EQ(reason(), "null") << "that is what `message` is for";
  job.pending = ReasonCode::held;
  EXPECT_EQ(reason(), "Held");
}

TEST(RenderExplanation, HasCodeMessageAndNumbers) {
  Explanation why;
  why.dominant = {engine::MoreThanMaxQuota{.queue = "c",
                                           .flavor = "t4",
                                           .of = {.kind = ResourceKind::gpus},
                                           .needed = {16'000, engine::Unit::thousandths},
                                           .max = {12'500, engine::Unit::thousandths}}};
  const auto value = rendered_json([&](JsonWriter& json) { write_explanation(json, why); });
  EXPECT_EQ(text_at(value, "/dominant/code"), "ExceedsMaxQuota");
  EXPECT_EQ(text_at(value, "/dominant/numbers"), R"({"needed":16,"max":1.25E1})");
  EXPECT_NE(text_at(value, "/dominant/message"), "");
  EXPECT_EQ(text_at(value, "/predicted_start"), "null");
  EXPECT_EQ(text_at(value, "/no_estimate"), "null");
  EXPECT_EQ(text_at(value, "/sooner"), "[]");
}

TEST(RenderExplanation, SaysWhyNoStartIsKnown) {
  Explanation why;
  why.no_estimate = engine::NoStart::no_time_limit;
  const auto value = rendered_json([&](JsonWriter& json) { write_explanation(json, why); });
  EXPECT_EQ(text_at(value, "/predicted_start"), "null");
  EXPECT_EQ(text_at(value, "/no_estimate"), "no-time-limit");
}

TEST(RenderEvent, SaysWhatItIsAbout) {
  const Event event{.seq = 7,
                    .time = Instant{0},
                    .actor = "scheduler",
                    .payload = AttemptEnded{.attempt = {JobId{33}, 2}, .by = EndedBy::exit, .exit_code = 3}};
  const auto value = rendered_json([&](JsonWriter& json) { write_event(json, event); });
  EXPECT_EQ(text_at(value, "/seq"), "7");
  EXPECT_EQ(text_at(value, "/type"), "attempt.ended");
  EXPECT_EQ(text_at(value, "/v"), "1");
  EXPECT_EQ(text_at(value, "/job"), "00000011");
  EXPECT_EQ(text_at(value, "/attempt"), "2");
  EXPECT_EQ(text_at(value, "/data/exit_code"), "3");
}

TEST(RenderQueue, ShowsQuotaInPeoplesUnits) {
  Queue queue{.name = "a", .parent = "org"};
  FlavorQuota quota;
  quota[2] = Quota{.nominal = 8000, .borrowing_limit = 4000};
  quota[1] = Quota{.nominal = 64 * kGiB};
  queue.quota = {{"t4", quota}};
  queue.default_for = {.users = {"ann"}, .projects = {}};
  const auto value = rendered_json([&](JsonWriter& json) { write_queue(json, {.queue = queue, .queued = 3}); });
  EXPECT_EQ(text_at(value, "/quota/t4/gpus"), R"({"nominal":8,"borrow":4,"lend":null})");
  EXPECT_EQ(text_at(value, "/quota/t4/memory/nominal"), "68719476736");
  EXPECT_EQ(text_at(value, "/parent"), "org");
  EXPECT_EQ(text_at(value, "/default_for"), R"({"users":["ann"],"projects":[]})");
  EXPECT_EQ(text_at(value, "/counts/queued"), "3");
}

TEST(RenderNode, ShowsTheJobThatHasADevice) {
  Node node{.name = "n1",
            .cluster = "lab",
            .gpu_type = "t4",
            .devices = {{.id = "0"}, {.id = "1", .healthy = false, .profile = "1g.5gb", .message = "worn"}}};
  node.devices[0].memory_bytes = 16 * kGiB;
  node.cpus = 1500;
  NodeView view{.node = node, .devices = {{"0", {{JobId{33}, 1}, {JobId{34}, 2}}}, {"1", {}}}};
  view.used[ResourceKind::gpus] = 1000;
  const auto value = rendered_json([&](JsonWriter& json) { write_node(json, view); });
  EXPECT_EQ(text_at(value, "/devices/0"),
            R"({"id":"0","healthy":true,"foreign":false,"message":null,"profile":null,"memory":17179869184,)"
            R"("job":"00000011","attempt":1,"jobs":["00000011","00000012"],"hidden_jobs":0})");
  EXPECT_EQ(
      text_at(value, "/devices/1"),
      R"({"id":"1","healthy":false,"foreign":false,"message":"worn","profile":"1g.5gb","memory":null,"job":null,"attempt":null,"jobs":[],"hidden_jobs":0})");
  EXPECT_EQ(value.at("cpus").as_double(), 1.5);
  EXPECT_EQ(text_at(value, "/used/gpus"), "1");
}

}  // namespace
}  // namespace ym::api
