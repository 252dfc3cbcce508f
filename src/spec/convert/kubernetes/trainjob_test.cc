// A TrainJob over its runtime, and how many processes a node has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// With a runtime whose trainer asks for 4 GPUs, 8 CPUs and 64 GiB.
std::string over_runtime(const std::string& trainer, const std::string& policy = "torch: {numProcPerNode: auto}",
                         const std::string& beside = "") {
  return "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: ClusterTrainingRuntime\nmetadata: {name: r}\nspec:\n"
         "  mlPolicy: {numNodes: 2, " +
         policy +
         "}\n"
         "  template: {spec: {replicatedJobs: [" +
         beside +
         "{name: node, template: {spec: {template: {spec: {containers: [\n"
         "    {name: node, image: team/a, workingDir: /w, resources: {limits: {nvidia.com/gpu: 4, cpu: 8, memory: "
         "64Gi}}}"
         "]}}}}}]}}\n---\n"
         "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: t}\nspec:\n"
         "  runtimeRef: {name: r}\n  trainer: {command: [torchrun, t.py], " +
         trainer + "}\n";
}

TEST(TrainJob, WhatItDoesNotNameOfResourcesIsItsRuntimes) {
  const auto made = converted(over_runtime("resourcesPerNode: {limits: {memory: 128Gi}}"));
  ASSERT_EQ(made.specs.size(), 1u);
  EXPECT_EQ(made.specs[0].resources.gpus, 4 * kMilli);
  EXPECT_EQ(made.specs[0].resources.cpus, 8 * kMilli);
  EXPECT_EQ(made.specs[0].resources.memory_bytes, std::int64_t{128} << 30);
  EXPECT_THAT(made.warnings, IsEmpty());
  expect_remarks(made.notes, {"/1/spec/trainer/resourcesPerNode"});
}

TEST(TrainJob, WhatItNamesOfResourcesGoesOverItsRuntimes) {
  const auto gpus = converted(over_runtime("resourcesPerNode: {requests: {cpu: 2}, limits: {nvidia.com/gpu: 1}}"));
  EXPECT_EQ(gpus.specs.at(0).resources.gpus, kMilli);
  EXPECT_EQ(gpus.specs.at(0).resources.cpus, 2 * kMilli);
  EXPECT_EQ(gpus.specs.at(0).resources.memory_bytes, std::int64_t{64} << 30);
  const auto none = converted(over_runtime("resourcesPerNode: {limits: {nvidia.com/gpu: 0}}"));
  EXPECT_EQ(none.specs.at(0).resources.gpus, 0);
  const auto slices = converted(over_runtime("resourcesPerNode: {limits: {nvidia.com/mig-1g.10gb: 1}}"));
  EXPECT_EQ(slices.specs.at(0).resources.profile, "1g.10gb");
  EXPECT_EQ(slices.specs.at(0).resources.slices, 1);
  const auto flat = converted(over_runtime("resourcesPerNode: {gpu: 2}"));
  EXPECT_EQ(flat.specs.at(0).resources.gpus, 2 * kMilli);
  EXPECT_EQ(flat.specs.at(0).resources.cpus, 8 * kMilli);
  EXPECT_THAT(converted(over_runtime("resourcesPerNode: {}")).notes, IsEmpty());
}

TEST(TrainJob, NothingOfItsRuntimeIsDroppedInSilence) {
  const auto made = converted(over_runtime("numNodes: 2", "torch: {numProcPerNode: auto, elasticPolicy: {minNodes: 1}}",
                                           "{name: dataset-initializer, template: {spec: {}}}, "));
  EXPECT_EQ(made.specs.at(0).nodes, 2);
  expect_remarks(made.warnings, {"/0/spec/mlPolicy/torch/elasticPolicy", "/0/spec/template/spec/replicatedJobs/0"});
}

TEST(ProcessesOfANode, AreThoseOfTorchrunWhereItStartsTheProgram) {
  const auto made = converted(over_runtime("numProcPerNode: 2"));
  EXPECT_EQ(made.specs.at(0).env.at("PET_NPROC_PER_NODE"), "2");
  EXPECT_THAT(made.warnings, IsEmpty());
  // It goes by its command line, if that says it too.
  auto both = over_runtime("numProcPerNode: 2");
  both.replace(both.find("torchrun, t.py"), 14, "torchrun, --nproc-per-node=4, t.py");
  EXPECT_THAT(converted(both).specs.at(0).env, IsEmpty());
}

std::string pytorchjob(const std::string& spec, const std::string& command) {
  return "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: p}\nspec:\n  " + spec +
         "\n  pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, workingDir: "
         "/w, "
         "command: " +
         command + ", resources: {limits: {nvidia.com/gpu: 4}}}]}}}}\n";
}

TEST(ProcessesOfANode, AreWhatIsSaidOfAProgramThatIsNotTorchrun) {
  const auto made = converted(pytorchjob("nprocPerNode: '4'", "[python, t.py]"));
  EXPECT_EQ(made.specs.at(0).launcher, Launcher::torchrun);
  EXPECT_THAT(made.specs.at(0).env, IsEmpty()) << "one for each GPU";
  expect_remarks(made.warnings, {"/spec/nprocPerNode"});
  const auto fewer = converted(pytorchjob("elasticPolicy: {nProcPerNode: 2}", "[python, t.py]"));
  EXPECT_EQ(fewer.specs.at(0).env.at("PET_NPROC_PER_NODE"), "2");
  expect_remarks(fewer.warnings, {"/spec/elasticPolicy/nProcPerNode"});
  const auto automatic = converted(pytorchjob("nprocPerNode: auto", "[python, t.py]"));
  EXPECT_EQ(automatic.specs.at(0).env.at("PET_NPROC_PER_NODE"), "1");
  EXPECT_THAT(automatic.warnings, IsEmpty());
  expect_remarks(automatic.notes, {"/spec/nprocPerNode"});
}

TEST(ProcessesOfANode, AreHandedToAScriptThatStartsTorchrun) {
  const auto made = converted(pytorchjob("nprocPerNode: '2'", "[bash, -c, 'cd /a && torchrun t.py']"));
  EXPECT_EQ(made.specs.at(0).launcher, Launcher::none);
  EXPECT_THAT(made.specs.at(0).env, ElementsAre(Pair("PET_NPROC_PER_NODE", "2")));
  const auto module =
      converted(pytorchjob("nprocPerNode: '2'", "[bash, -c, 'cd /a && python -m torch.distributed.run t.py']"));
  EXPECT_EQ(module.specs.at(0).launcher, Launcher::none);
}

TEST(ProcessesOfANode, AreSaidWhereNothingStartsThem) {
  auto text = over_runtime("numProcPerNode: 4", "mpi: {mpiImplementation: OpenMPI}");
  text.replace(text.find("[torchrun, t.py]"), 16, "[mpirun, t]");
  const auto made = converted(text);
  EXPECT_EQ(made.specs.at(0).launcher, Launcher::none);
  expect_remarks(made.warnings, {"/0/spec/mlPolicy/mpi", "/1/spec/trainer/numProcPerNode"});
}

}  // namespace
}  // namespace ym::convert
