#include "spec/convert/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <fstream>
#include <sstream>

#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(Convert, AJobSetThatRunsTorchrun) {
  const auto made = converted_file("jobset.yaml");
  ASSERT_EQ(made.specs.size(), 1u);
  const auto& spec = made.specs[0];
  EXPECT_EQ(spec.name, "pytorch-resnet");
  EXPECT_EQ(spec.queue, "team-a");
  EXPECT_EQ(spec.nodes, 4);
  EXPECT_EQ(spec.launcher, Launcher::torchrun);
  EXPECT_EQ(spec.image, "registry.example/team/pytorch-resnet:2.4");
  EXPECT_EQ(spec.workdir, "/workspace");
  EXPECT_THAT(spec.run.words, ElementsAre("resnet.py", "--backend=nccl", "--epochs", "90"));
  EXPECT_THAT(spec.env, ElementsAre(Pair("PYTHONUNBUFFERED", "0")));
  EXPECT_EQ(spec.resources.gpus, 8 * kMilli);
  EXPECT_EQ(spec.resources.cpus, 96 * kMilli);
  EXPECT_EQ(spec.resources.memory_bytes, std::int64_t{1000} << 30);
  EXPECT_EQ(spec.resources.shm_bytes, std::int64_t{64} << 30);
  EXPECT_EQ(spec.retry.error_max, 3);
  EXPECT_EQ(spec.stop.grace, minutes(2));
  EXPECT_EQ(spec.placement->required_level, "cloud.provider.com/topology-block");
  EXPECT_THAT(spec.placement->select, ElementsAre(Pair("cloud.google.com/gke-accelerator", "nvidia-h100-80gb")));
  EXPECT_THAT(made.warnings, IsEmpty());
  expect_remarks(made.notes,
                 {"/spec/replicatedJobs/0/template/spec/template", "/spec/replicatedJobs/0/template/spec/template",
                  "/spec/replicatedJobs/0/template/spec/template/spec/containers/0/ports",
                  "/spec/replicatedJobs/0/template/spec/template/spec/containers/0/env/2/valueFrom"});
}

TEST(Convert, AJobSetOfSeveralJobsIsOneOfGroups) {
  const auto made = converted_file("groups.yaml");
  ASSERT_EQ(made.specs.size(), 1u);
  const auto& spec = made.specs[0];
  EXPECT_EQ(spec.nodes, 8);
  ASSERT_EQ(spec.groups.size(), 2u);
  EXPECT_EQ(spec.groups[0].name, "learners");
  EXPECT_EQ(spec.groups[0].nodes, 2);
  EXPECT_THAT(spec.groups[0].run.words, ElementsAre("python", "/opt/rl/learn.py", "--lr", "1e-4", "--steps=1000"));
  EXPECT_EQ(spec.groups[0].env.at("LR"), "1e-4");
  EXPECT_EQ(spec.groups[0].resources.gpus, 8 * kMilli);
  EXPECT_EQ(spec.groups[1].nodes, 6);
  EXPECT_EQ(spec.groups[1].resources.cpus, 2 * kMilli);
  EXPECT_EQ(spec.groups[1].resources.memory_bytes, std::int64_t{4} << 30);
  EXPECT_THAT(spec.groups[1].env, IsEmpty());
  expect_remarks(made.warnings, {"/spec/startupPolicy/startupPolicyOrder",
                                 "/spec/replicatedJobs/0/template/spec/template/spec/priorityClassName",
                                 "/spec/replicatedJobs/0/template/spec/template/spec/serviceAccountName",
                                 "/spec/replicatedJobs/0/template/spec/template/spec/containers/0/env/1/valueFrom",
                                 "/spec/replicatedJobs/0/template/spec/template/spec/volumes/0",
                                 "/spec/replicatedJobs/0/template/spec/template/spec/tolerations",
                                 "/spec/replicatedJobs/1/template/spec/template/spec/initContainers"});
  EXPECT_TRUE(spec.workdir_left_out) << "as it was in the containers";
  expect_remarks(made.notes, {"/metadata/namespace", "/spec/replicatedJobs/0/template/spec/template",
                              "/spec/replicatedJobs/1/template/spec/template",
                              "/spec/replicatedJobs/1/template/spec/template/spec/containers/0/resources"});
}

TEST(Convert, ATrainJobWithItsRuntime) {
  const auto made = converted_file("trainjob.yaml");
  ASSERT_EQ(made.specs.size(), 1u);
  const auto& spec = made.specs[0];
  EXPECT_EQ(spec.name, "llama-finetune");
  EXPECT_EQ(spec.queue, "research");
  EXPECT_EQ(spec.nodes, 2);
  EXPECT_EQ(spec.launcher, Launcher::torchrun);
  EXPECT_EQ(spec.image, "registry.example/team/llama:1");
  EXPECT_THAT(spec.run.words, ElementsAre("/workspace/finetune.py", "--epochs", "3", "--lr", "2e-5"));
  EXPECT_THAT(spec.env, ElementsAre(Pair("NCCL_DEBUG", "INFO")));
  EXPECT_EQ(spec.resources.gpus, 4 * kMilli);
  EXPECT_THAT(made.warnings, IsEmpty());
}

TEST(Convert, ATrainJobWithoutItsRuntime) {
  const std::string head = "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: t}\n";
  const auto made = converted(head +
                              "spec:\n  runtimeRef: {name: torch-x}\n  trainer: {numNodes: 2, numProcPerNode: 2, "
                              "command: [python, /a/t.py], resourcesPerNode: {gpu: 1}}\n");
  ASSERT_EQ(made.specs.size(), 1u);
  EXPECT_EQ(made.specs[0].launcher, Launcher::torchrun);
  EXPECT_THAT(made.specs[0].run.words, ElementsAre("python", "/a/t.py"));
  EXPECT_EQ(made.specs[0].env.at("PET_NPROC_PER_NODE"), "2");
  EXPECT_EQ(made.specs[0].resources.gpus, kMilli);
  expect_remarks(made.warnings, {"/spec/runtimeRef", "/spec/trainer/numProcPerNode"});
  expect_refused(convert_to_jobs(head + "spec: {runtimeRef: {name: torch-x}, trainer: {numNodes: 2}}\n"),
                 ErrorCode::invalid, "/spec/trainer");
}

TEST(Convert, MasterAndWorkersOfAPyTorchJobAreNodesOfTorchrun) {
  const auto made = converted_file("pytorchjob.yaml");
  ASSERT_EQ(made.specs.size(), 1u);
  const auto& spec = made.specs[0];
  EXPECT_EQ(spec.nodes, 4);
  EXPECT_EQ(spec.launcher, Launcher::torchrun);
  EXPECT_THAT(spec.run.words, ElementsAre("python3", "/opt/mnist/train.py", "--epochs=1"));
  EXPECT_EQ(spec.time_limit, hours(2));
  EXPECT_EQ(spec.retry.error_max, 2);
  EXPECT_THAT(spec.env, IsEmpty());
  EXPECT_THAT(made.warnings, IsEmpty());
}

TEST(Convert, PodsThatDoNotKnowEachOtherAreAnArray) {
  const auto made = converted_file("job.yaml");
  ASSERT_EQ(made.specs.size(), 1u);
  const auto& spec = made.specs[0];
  EXPECT_EQ(spec.array, 20);
  EXPECT_EQ(spec.array_parallel, std::nullopt);
  EXPECT_EQ(spec.nodes, 1);
  EXPECT_EQ(spec.resources.profile, "1g.10gb");
  EXPECT_EQ(spec.resources.slices, 1);
  EXPECT_EQ(spec.resources.cpus, 500);
  EXPECT_EQ(spec.time_limit, minutes(90));
  EXPECT_EQ(spec.retry.error_max, 1);
  EXPECT_THAT(spec.run.words, ElementsAre("sh", "-c",
                                          "# The index of an Indexed Job's pod counts from 0, as YM_ARRAY_INDEX does.\n"
                                          "export JOB_COMPLETION_INDEX=\"$YM_ARRAY_INDEX\"\n"
                                          "set -e\npython trial.py --seed $JOB_COMPLETION_INDEX\n"));
  expect_remarks(made.warnings, {"/spec/template/spec/containers/0/resources/limits/ephemeral-storage"});
}

TEST(Convert, PodsThatKnowEachOtherAreAGang) {
  const auto made = converted(job_with("parallelism: 3, completions: 3", "command: [torchrun, /a/t.py]"));
  ASSERT_EQ(made.specs.size(), 1u);
  EXPECT_EQ(made.specs[0].nodes, 3);
  EXPECT_EQ(made.specs[0].array, std::nullopt);
}

TEST(Convert, EachFileIsWrittenAsJsonToo) {
  for (const auto* name :
       {"jobset.yaml", "groups.yaml", "trainjob.yaml", "pytorchjob.yaml", "job.yaml", "train.sbatch"}) {
    const auto made = convert_to_jobs(file_text(name));
    ASSERT_TRUE(made) << name << ": " << made.error().message;
    const auto array = boost::json::parse(to_json(made->jobs)).as_array();
    const auto from_yaml = parse_job_yaml(to_yaml(made->jobs), {.workdir = "/w"});
    ASSERT_TRUE(from_yaml) << name << ": " << from_yaml.error().message;
    ASSERT_EQ(array.size(), from_yaml->size());
    for (std::size_t i = 0; i < array.size(); ++i) {
      const auto from_json = parse_job_json(boost::json::serialize(array[i]), {.workdir = "/w"});
      ASSERT_TRUE(from_json) << name << ": " << from_json.error().message;
      EXPECT_TRUE(*from_json == from_yaml->at(i)) << name;
    }
  }
}

TEST(Convert, AListAndSeveralDocuments) {
  const auto one = job_with("parallelism: 1", "command: [a]");
  EXPECT_EQ(converted(one + "---\n" + one).specs.size(), 2u);
  const auto list = converted(
      "{apiVersion: v1, kind: List, items: [{apiVersion: batch/v1, kind: Job, metadata: {name: x}, spec: {template: "
      "{spec: {containers: [{name: c, command: [a], securityContext: {privileged: true}}]}}}}]}\n");
  EXPECT_EQ(list.specs.size(), 1u);
  expect_remarks(list.warnings, {"/items/0/spec/template/spec/containers/0/securityContext"});
  const auto beside = converted("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n---\n" + one);
  expect_remarks(beside.warnings, {"/0"});
}

TEST(Convert, WhatIsWrongIsNamedWithItsLine) {
  expect_refused(convert_to_jobs("a: [\n"), ErrorCode::invalid);
  expect_refused(convert_to_jobs("run: [a]\n"), ErrorCode::invalid);
  expect_refused(convert_to_jobs("a: 1\n"), ErrorCode::invalid);
  expect_refused(convert_to_jobs("apiVersion: v1\nkind: Service\n"), ErrorCode::invalid);
  expect_refused(convert_to_jobs(job_with("parallelism: many", "command: [a]")), ErrorCode::invalid,
                 "/spec/parallelism");
  expect_refused(convert_to_jobs(job_with("parallelism: 1", "args: [a]")), ErrorCode::invalid, "/spec/template");
  expect_refused(convert_to_jobs(job_with("parallelism: 1", "command: [a], resources: {limits: {memory: lots}}")),
                 ErrorCode::invalid, "/spec/template/spec/containers/0/resources/limits/memory");
  expect_refused(convert_to_jobs(job_with("parallelism: 1", "command: [a], image: 'a b'")), ErrorCode::invalid,
                 "/spec/template/spec/containers/0/image");
}

TEST(Convert, NothingIsDroppedInSilence) {
  const auto made = converted(job_with("parallelism: 1", "command: [a], comand: [b], lifecycle: {preStop: {}}"));
  expect_remarks(made.warnings,
                 {"/spec/template/spec/containers/0/lifecycle", "/spec/template/spec/containers/0/comand"});
  expect_remarks(converted(job_with("suspend: true", "command: [a]")).warnings, {"/spec/suspend"});
}

TEST(Convert, TheOutputIsForReaders) {
  const auto made = convert_to_jobs(file_text("jobset.yaml"));
  ASSERT_TRUE(made);
  EXPECT_EQ(to_yaml(made->jobs),
            R"(name: pytorch-resnet
queue: team-a
image: registry.example/team/pytorch-resnet:2.4
workdir: /workspace
nodes: 4
launcher: torchrun
resources: {gpus: 8, cpus: 96, memory: 1000GiB, shm: 64GiB}
retry: {error: 3}
placement:
  select: {cloud.google.com/gke-accelerator: nvidia-h100-80gb}
  topology: {required: cloud.provider.com/topology-block}
preemption: {grace: 2m}
env: {PYTHONUNBUFFERED: 0}
run: [resnet.py, --backend=nccl, --epochs, 90]
)");
}

}  // namespace
}  // namespace ym::convert
