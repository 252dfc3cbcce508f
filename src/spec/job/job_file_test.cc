#include "spec/testing/support.h"

namespace ym::spec {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(JobFile, LeavesOutMostOfIt) {
  const auto spec = job("run: [python, train.py]");
  ASSERT_TRUE(spec) << message(spec);
  EXPECT_EQ(spec->name, "train");
  EXPECT_EQ(spec->queue, "") << "which it is depends on what queues there are";
  EXPECT_EQ(spec->project, "default");
  EXPECT_EQ(spec->workdir, "/home/ada");
  EXPECT_EQ(spec->run.form, Program::Form::argv);
  EXPECT_EQ(spec->nodes, 1);
  EXPECT_EQ(spec->priority, 50);
  EXPECT_EQ(spec->resources.cpus, 1000);
  EXPECT_EQ(spec->resources.gpus, 0);
  EXPECT_EQ(spec->resources.memory_bytes, 0);
  EXPECT_FALSE(spec->time_limit);
  EXPECT_FALSE(spec->array);
}

TEST(JobFile, NamesAContainerImage) {
  EXPECT_EQ(with("image: registry.example:5000/team/pytorch:2.4@sha256:0a").value().image,
            "registry.example:5000/team/pytorch:2.4@sha256:0a");
  for (const std::string_view image : {"''", "'a b'", "-v", "'a\nb'", "/x", "'$(id)'"})
    EXPECT_FALSE(with("image: " + std::string(image))) << image;
}

TEST(JobFile, ReadsARangeOfNodes) {
  const auto sizes = [](std::string_view nodes) {
    const auto spec = with("nodes: " + std::string(nodes));
    return spec ? std::pair(spec->min_nodes, spec->nodes) : std::pair(std::optional(-1), -1);
  };
  EXPECT_EQ(sizes("{min: 2, max: 4}"), std::pair(std::optional(2), 4));
  EXPECT_EQ(sizes("{min: 3, max: 3}"), std::pair(std::optional<std::int32_t>(), 3)) << "not elastic";
  EXPECT_EQ(sizes("3"), std::pair(std::optional<std::int32_t>(), 3));
  EXPECT_EQ(parse_job_json(R"({"run":["a"],"nodes":{"max":10000,"min":1}})", kHome)->smallest(), 1);
}

constexpr std::string_view kEveryKey = R"(
name: ddp
run: [torch.py, --lr, 1e-5, 010, true]
workdir: sub/dir
resources: {gpus: "H100:8", cpus: 96+, memory: 800GB+, shm: 64GiB}
nodes: 2
launcher: torchrun
env: {LR: 1e-5, FLAG: on, COUNT: 010, LD_PRELOAD: /x.so, EMPTY: ""}
queue: research
project: vision
priority: 80
time_limit: 24h
retry: {infra: {max: 10}, error: 2, preempted: unlimited, backoff: 20m}
placement: {select: {rack: r1, gen: 4}, exclude: ["n[1-2]", n7]}
preemption: {allow: false, signal: USR1, grace: 110s, min_runtime: 20m}
checkpoint: {dir: "s3://team/ckpt", every: 15m, expect_save: 60s}
array: 3
)";

TEST(JobFile, ReadsWhatToRun) {
  const auto spec = job(kEveryKey);

  ASSERT_TRUE(spec) << message(spec);
  EXPECT_THAT(spec->run.words, ElementsAre("torch.py", "--lr", "1e-5", "010", "true"));
  EXPECT_EQ(spec->workdir, "/home/ada/sub/dir");
  EXPECT_EQ(
      spec->resources,
      (TaskResources{
          .gpus = 8000, .gpu_type = "h100", .cpus = 96'000, .memory_bytes = 800'000'000'000, .shm_bytes = 64 * kGiB}));
  EXPECT_EQ(spec->nodes, 2);
  EXPECT_EQ(spec->launcher, Launcher::torchrun);
  EXPECT_THAT(spec->env, ElementsAre(Pair("COUNT", "010"), Pair("EMPTY", ""), Pair("FLAG", "on"),
                                     Pair("LD_PRELOAD", "/x.so"), Pair("LR", "1e-5")));
}

TEST(JobFile, ReadsWhenWhereAndHowOften) {
  const auto spec = job(kEveryKey);
  ASSERT_TRUE(spec) << message(spec);
  EXPECT_EQ(spec->queue, "research");
  EXPECT_EQ(spec->project, "vision");
  EXPECT_EQ(spec->priority, 80);
  EXPECT_EQ(spec->time_limit, hours(24));
  EXPECT_EQ(spec->retry, (RetryPolicy{.infra_max = 10,
                                      .error_max = 2,
                                      .preempted_max = RetryPolicy::kUnlimited,
                                      .backoff = minutes(20),
                                      .backoff_max = minutes(20)}));
  EXPECT_THAT(spec->placement->select, ElementsAre(Pair("gen", "4"), Pair("rack", "r1")));
  EXPECT_THAT(spec->placement->exclude, ElementsAre("n1", "n2", "n7"));
  EXPECT_EQ(spec->stop,
            (StopRules{.signal = "SIGUSR1", .grace = seconds(110), .preemptible = false, .min_runtime = minutes(20)}));
  EXPECT_EQ(*spec->checkpoint,
            (CheckpointRules{.dir = "s3://team/ckpt", .every = minutes(15), .expect_save = seconds(60)}));
  EXPECT_EQ(spec->array, 3);
}

TEST(JobFile, MeansTheSameInJson) {
  const auto yaml = job("{name: a, run: [x, '1'], resources: {gpus: 't4:2'}, env: {A: 1e-5}, time_limit: 90}");
  const auto json = parse_job_json(
      R"({"name":"a","run":["x","1"],"resources":{"gpus":"t4:2"},"env":{"A":1e-5},"time_limit":90})", kHome);
  ASSERT_TRUE(yaml) << message(yaml);
  ASSERT_TRUE(json) << message(json);
  EXPECT_EQ(*yaml, *json);
  EXPECT_EQ(json->env.at("A"), "1e-5");
  EXPECT_EQ(json->time_limit, seconds(90));
}

TEST(JobFile, AStringIsForTheShellAsItIs) {
  const auto spec = job("run: |\n  echo $(x) `y`\n  exec python train.py\n");
  ASSERT_TRUE(spec) << message(spec);
  EXPECT_EQ(spec->run.form, Program::Form::shell);
  EXPECT_THAT(spec->run.words, ElementsAre("echo $(x) `y`\nexec python train.py\n"));
}

TEST(JobFile, TakesItsNameFromTheProgram) {
  const auto name = [](std::string_view run) { return job("run: " + std::string(run)).value().name; };
  EXPECT_EQ(name("[/opt/bin/sim]"), "sim");
  EXPECT_EQ(name("[python3.11, /data/train.py, --lr]"), "train");
  EXPECT_EQ(name("[python, -m, http.server]"), "python");
  EXPECT_EQ(name("python eval.py --x 1"), "eval");
  EXPECT_EQ(name("./run.sh; true"), "run");
  EXPECT_EQ(name("['...']"), "job");
  EXPECT_EQ(name("['-x']"), "x");
  EXPECT_EQ(name("['a b/.. c']"), "c");
}

TEST(JobFile, CountsACpuForEachGpuUnlessToldOtherwise) {
  EXPECT_EQ(with("resources: {gpus: 4}")->resources.cpus, 4000);
  EXPECT_EQ(with("resources: {gpus: 4, cpus: 0.5}")->resources.cpus, 500);
  EXPECT_EQ(with("resources: {cpus: 500m}")->resources.cpus, 500);
  EXPECT_EQ(with("resources: {gpus: 0}")->resources.cpus, 1000);
}

TEST(JobFile, HoldsSeveralJobs) {
  const auto jobs = parse_job_yaml("run: [a]\n---\n# nothing here\n---\nrun: [b]\n---\n", kHome);
  ASSERT_TRUE(jobs) << message(jobs);
  ASSERT_EQ(jobs->size(), 2u);
  EXPECT_EQ(jobs->at(1).name, "b");
}

TEST(JobFile, CollectsEveryErrorWithItsDocument) {
  const auto jobs = parse_job_yaml("run: [a]\n---\nrun: [b]\npriority: 200\ngpu: 1\n", kHome);
  ASSERT_FALSE(jobs);
  expect_refused(jobs, ErrorCode::invalid, "/1/priority");
  ASSERT_EQ(jobs.error().fields.size(), 2u);
  EXPECT_EQ(jobs.error().fields[1].pointer, "/1/gpu");
  for (const FieldError& field : jobs.error().fields) expect_sentence(field.message);
}

TEST(JobFile, RulesOfPreemptionHaveDefaults) {
  EXPECT_EQ(job("run: [a]")->stop, with("preemption: {allow: true, min_runtime: 0}")->stop);
  EXPECT_EQ(*job("run: [a]")->checkpoint, CheckpointRules{});
  expect_refused(with("preemption: {allow: 1}"), ErrorCode::invalid, "/preemption/allow");
  expect_refused(with("checkpoint: {every: 0}"), ErrorCode::invalid, "/checkpoint/every");
  expect_refused(with("checkpoint: {dir: ''}"), ErrorCode::invalid, "/checkpoint/dir");
}

TEST(JobFile, SaysWhatIsNotOfferedYet) { expect_refused(with("secrets: [HF_TOKEN]"), ErrorCode::invalid, "/secrets"); }

TEST(JobFile, ASwappedPairOfLettersIsOneMistake) {
  expect_refused(with("rnu: [b]"), ErrorCode::invalid, "/rnu");
  expect_refused(with("evn: {}"), ErrorCode::invalid, "/evn");
}

TEST(JobFile, RelativeFoldersNeedSomethingToStandOn) {
  EXPECT_EQ(parse_job_yaml("{run: [a], workdir: /x/../y}", {})->at(0).workdir, "/x/../y");
  expect_refused(parse_job_yaml("{run: [a], workdir: x}", {}), ErrorCode::invalid, "/workdir");
  expect_refused(parse_job_json(R"({"run":["a"]})", {}), ErrorCode::invalid, "/workdir");
  EXPECT_EQ(with("workdir: .")->workdir, "/home/ada");
  EXPECT_FALSE(with("workdir: .")->workdir_left_out);
  EXPECT_TRUE(with("name: x")->workdir_left_out);
  expect_refused(with("workdir: ~/x"), ErrorCode::invalid, "/workdir");
}

TEST(JobFile, AsksForLevelsOfTheTopology) {
  const auto jobs =
      parse_job_yaml("run: [a]\nplacement: {topology: {required: block, preferred: example.com/rack}}\n", kHome);
  ASSERT_TRUE(jobs) << message(jobs);
  EXPECT_EQ(jobs->at(0).placement->required_level, "block");
  EXPECT_EQ(jobs->at(0).placement->preferred_level, "example.com/rack");
  const auto wrong = parse_job_yaml("run: [a]\nplacement: {topology: {required: 'a rack'}}\n", kHome);
  expect_refused(wrong, ErrorCode::invalid, "/placement/topology/required");
}

TEST(JobFile, AsksForSlices) {
  const auto with = [](const std::string& nodes, const std::string& slice) {
    return parse_job_yaml("run: [a]\nnodes: " + nodes + "\nplacement: {topology: {slice: " + slice + "}}\n", kHome);
  };
  const auto jobs = with("{min: 4, max: 8}", "{level: rack, nodes: 4}");
  ASSERT_TRUE(jobs) << message(jobs);
  EXPECT_EQ(jobs->at(0).placement->slice, (SliceRule{.level = "rack", .nodes = 4}));
  expect_refused(with("6", "{level: rack, nodes: 4}"), ErrorCode::invalid, "/placement");
  expect_refused(with("{min: 2, max: 4}", "{level: rack, nodes: 4}"), ErrorCode::invalid, "/placement");
  expect_refused(with("4", "{level: rack}"), ErrorCode::invalid, "/placement/topology/slice/nodes");
  expect_refused(with("4", "{level: rack, nodes: 0}"), ErrorCode::invalid, "/placement/topology/slice/nodes");
}

TEST(JobFile, HasAnAnchor) {
  const auto with = [](const std::string& nodes, const std::string& placement) {
    return parse_job_yaml("run: [a]\nnodes: " + nodes + "\nplacement: {" + placement + "}\n", kHome);
  };
  const auto jobs = with("{min: 2, max: 8}", "anchor: 2");
  ASSERT_TRUE(jobs) << message(jobs);
  EXPECT_EQ(jobs->at(0).placement->anchor, 2);
  expect_refused(with("{min: 1, max: 8}", "anchor: 2"), ErrorCode::invalid, "/placement");
  expect_refused(with("4", "anchor: 1, topology: {slice: {level: rack, nodes: 2}}"), ErrorCode::invalid, "/placement");
  expect_refused(with("4", "anchor: -1"), ErrorCode::invalid, "/placement/anchor");
}

TEST(JobFile, HasADeadline) {
  const auto jobs = parse_job_yaml("run: [a]\ndeadline: 2026-01-01T12:00:00+01:00\n", kHome);
  ASSERT_TRUE(jobs) << message(jobs);
  EXPECT_EQ(jobs->at(0).deadline, parse_rfc3339("2026-01-01T11:00:00Z").value());
  expect_refused(parse_job_yaml("run: [a]\ndeadline: tomorrow\n", kHome), ErrorCode::invalid, "/deadline");
}

}  // namespace
}  // namespace ym::spec
