// Nothing of a manifest is left out in silence: what a kind has beside what is read, how often it is tried again, and
// the indices of pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr const char* kPod = "{spec: {containers: [{name: c, workingDir: /w, command: [a]}]}}";

std::string job(const std::string& spec, const std::string& pod_spec = "restartPolicy: Never") {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec:\n  " + spec +
         "\n  template: {spec: {containers: [{name: c, workingDir: /w, command: [a]}], " + pod_spec + "}}\n";
}

// Its one job is called w.
std::string jobset(const std::string& spec, const std::string& of_job, const std::string& pod = kPod) {
  return "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: s}\nspec:\n  " + spec +
         "\n  replicatedJobs: [{name: w, template: {spec: {" + of_job + ", template: " + pod + "}}}]\n";
}

std::string pytorchjob(const std::string& policy, const std::string& of_master, const std::string& of_worker) {
  const std::string pod = "template: {spec: {containers: [{name: pytorch, workingDir: /w, command: [a]}]}}";
  return "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: p}\nspec:\n  runPolicy: {" + policy +
         "}\n  pytorchReplicaSpecs:\n    Master: {" + of_master + pod + "}\n    Worker: {" + of_worker + pod + "}\n";
}

TEST(Restarts, OfAJobAreItsRetries) {
  const auto never = converted(job("backoffLimit: 2"));
  EXPECT_EQ(never.specs.at(0).retry.error_max, 2);
  EXPECT_THAT(never.warnings, IsEmpty());
  const auto counted = converted(job("backoffLimit: 2", "restartPolicy: OnFailure"));
  EXPECT_THAT(counted.warnings, IsEmpty());
  expect_remarks(counted.notes, {"/spec/template/spec/restartPolicy"});
  expect_remarks(converted(job("completions: 1", "restartPolicy: OnFailure")).warnings,
                 {"/spec/template/spec/restartPolicy"});
}

TEST(Restarts, OfEachPodGoBeforeThoseOfAll) {
  const auto both = converted(job("completions: 4\n  backoffLimit: 9\n  backoffLimitPerIndex: 1"));
  EXPECT_EQ(both.specs.at(0).retry.error_max, 1);
  expect_remarks(both.warnings, {"/spec/backoffLimit"});
  expect_remarks(converted(job("completions: 4\n  backoffLimit: 9")).notes, {"/spec", "/spec/backoffLimit"});
}

TEST(Restarts, OfAPyTorchJobAreThoseOfItsReplicas) {
  const auto never = converted(pytorchjob("backoffLimit: 3", "restartPolicy: Never, ", "restartPolicy: Never, "));
  EXPECT_EQ(never.specs.at(0).retry.error_max, 0);
  expect_remarks(never.warnings, {"/spec/pytorchReplicaSpecs/Master/restartPolicy"});
  const auto mixed = converted(pytorchjob("backoffLimit: 3", "restartPolicy: OnFailure, ", "restartPolicy: Never, "));
  EXPECT_EQ(mixed.specs.at(0).retry.error_max, 3);
  expect_remarks(mixed.warnings, {"/spec/pytorchReplicaSpecs/Worker/restartPolicy"});
  expect_remarks(mixed.notes, {"/spec/pytorchReplicaSpecs/Master/restartPolicy"});
  const auto codes = converted(pytorchjob("", "restartPolicy: ExitCode, ", "restartPolicy: Always, "));
  expect_remarks(codes.warnings,
                 {"/spec/pytorchReplicaSpecs/Master/restartPolicy", "/spec/pytorchReplicaSpecs/Worker/restartPolicy"});
}

TEST(Restarts, OfAJobSetAreOfTheWhole) {
  const auto whole = converted(jobset("failurePolicy: {maxRestarts: 3}", "backoffLimit: 2"));
  EXPECT_EQ(whole.specs.at(0).retry.error_max, 3);
  expect_remarks(whole.warnings, {"/spec/replicatedJobs/0/template/spec/backoffLimit"});
  EXPECT_THAT(converted(jobset("failurePolicy: {maxRestarts: 3}", "backoffLimit: 0")).warnings, IsEmpty());
  const auto of_job = converted(jobset("suspend: false", "backoffLimit: 2"));
  EXPECT_EQ(of_job.specs.at(0).retry.error_max, 2);
  EXPECT_THAT(of_job.warnings, IsEmpty());
}

TEST(Restarts, OfARuntimeAreThoseOfItsTrainJobs) {
  const std::string runtime =
      "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainingRuntime\nmetadata: {name: r}\nspec:\n"
      "  podGroupPolicy: {coscheduling: {scheduleTimeoutSeconds: 60}}\n"
      "  template: {metadata: {labels: {team: a}}, spec: {failurePolicy: {maxRestarts: 2}, replicatedJobs: [{name: "
      "node, template: {spec: {backoffLimit: 1, template: {spec: {restartPolicy: OnFailure, containers: [{name: node, "
      "workingDir: /w, command: [a]}]}}}}}]}}\n---\n"
      "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nmetadata: {name: t}\nspec:\n"
      "  runtimeRef: {name: r, apiGroup: trainer.kubeflow.org, kind: TrainingRuntime}\n";
  const auto made = converted(runtime);
  EXPECT_EQ(made.specs.at(0).retry.error_max, 2);
  expect_remarks(made.warnings, {"/0/spec/template/spec/replicatedJobs/0/template/spec/backoffLimit"});
  expect_remarks(made.notes, {"/0/spec/podGroupPolicy", "/0/spec/template/metadata/labels",
                              "/0/spec/template/spec/replicatedJobs/0/template/spec/template/spec/restartPolicy"});
}

TEST(LeftOut, IsWhatACleanedUpPodWas) {
  const auto made = converted(pytorchjob(
      "cleanPodPolicy: All, schedulingPolicy: {minAvailable: 2, scheduleTimeoutSeconds: 60}, managedBy: x", "", ""));
  expect_remarks(made.notes, {"/spec/runPolicy/schedulingPolicy/minAvailable",
                              "/spec/runPolicy/schedulingPolicy/scheduleTimeoutSeconds",
                              "/spec/runPolicy/cleanPodPolicy", "/spec/runPolicy/managedBy"});
  const auto queues = converted(
      "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: p, labels: "
      "{kueue.x-k8s.io/queue-name: a}}\nspec:\n  runPolicy: {schedulingPolicy: {queue: b}}\n"
      "  elasticPolicy: {rdzvBackend: c10d, maxReplicas: 2}\n"
      "  pytorchReplicaSpecs: {Worker: {template: " +
      std::string(kPod) + "}}\n");
  EXPECT_EQ(queues.specs.at(0).queue, "a");
  expect_remarks(queues.warnings, {"/spec/runPolicy/schedulingPolicy/queue"});
  expect_remarks(queues.notes, {"/spec/elasticPolicy/rdzvBackend"});
}

TEST(LeftOut, IsEveryFieldOfAPod) {
  const auto made = converted(job("completions: 1",
                                  "dnsPolicy: None, shareProcessNamespace: true, os: {name: linux}, "
                                  "enableServiceLinks: false, preemptionPolicy: Never, "
                                  "automountServiceAccountToken: true, schedulingGates: [{name: a}], "
                                  "serviceAccount: x, schedulerName: volcano, hostUsers: true"));
  expect_remarks(made.notes, {"/spec/template/spec/dnsPolicy", "/spec/template/spec/enableServiceLinks",
                              "/spec/template/spec/shareProcessNamespace", "/spec/template/spec/preemptionPolicy",
                              "/spec/template/spec/os", "/spec/template/spec/schedulerName"});
  expect_remarks(made.warnings,
                 {"/spec/template/spec/automountServiceAccountToken", "/spec/template/spec/schedulingGates",
                  "/spec/template/spec/serviceAccount", "/spec/template/spec/hostUsers"});
  const auto container = converted(job_with(
      "podReplacementPolicy: Failed", "command: [a], tty: true, ports: [{containerPort: 1}], imagePullPolicy: Always"));
  expect_remarks(container.notes,
                 {"/spec/podReplacementPolicy", "/spec/template/spec/containers/0/ports",
                  "/spec/template/spec/containers/0/imagePullPolicy", "/spec/template/spec/containers/0/tty"});
}

TEST(LeftOut, IsAFalseThatMeansSomething) {
  const auto made = converted(job("completions: 1", "hostUsers: false, enableServiceLinks: false, hostPID: false"));
  expect_remarks(made.warnings, {"/spec/template/spec/hostUsers"});
  expect_remarks(made.notes, {"/spec/template/spec/enableServiceLinks"});
}

TEST(LeftOut, IsAnAnnotationThatAnotherKindHas) {
  const std::string head = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, annotations: {";
  const auto made = converted(head +
                              "alpha.jobset.sigs.k8s.io/exclusive-topology: rack}}\nspec: {template: {metadata: "
                              "{labels: {kueue.x-k8s.io/queue-name: q}}, spec: {containers: [{name: c, "
                              "workingDir: /w, command: [a]}]}}}\n");
  expect_remarks(made.notes, {"/metadata/annotations", "/spec/template/metadata/labels"});
}

TEST(LeftOut, IsNoDeadlineOfTwo) {
  const auto made = converted(job("activeDeadlineSeconds: 600", "activeDeadlineSeconds: 60"));
  EXPECT_EQ(made.specs.at(0).time_limit, minutes(1));
}

TEST(LeftOut, IsNotWhatKubernetesWritesItself) {
  const auto made = converted(job("completions: 1",
                                  "restartPolicy: Never, dnsPolicy: ClusterFirst, schedulerName: "
                                  "default-scheduler, securityContext: {}, "
                                  "terminationGracePeriodSeconds: 30"));
  EXPECT_THAT(made.warnings, IsEmpty());
  EXPECT_THAT(made.notes, IsEmpty());
}

TEST(LeftOut, IsWhatTemplatesAreCalled) {
  const auto made = converted(jobset(
      "successPolicy: {operator: Any}\n  startupPolicy: {startupPolicyOrder: AnyOrder, wait: 1}", "managedBy: x",
      "{metadata: {labels: {app: a}, annotations: {b: c, kueue.x-k8s.io/podset-required-topology: rack}, finalizers: "
      "[d]}, spec: {containers: [{name: c, workingDir: /w, command: [a]}]}}"));
  EXPECT_EQ(made.specs.at(0).placement->required_level, "rack");
  expect_remarks(made.notes, {"/spec/replicatedJobs/0/template/spec/template/metadata/labels",
                              "/spec/replicatedJobs/0/template/spec/template/metadata/annotations",
                              "/spec/replicatedJobs/0/template/spec/template/metadata/finalizers",
                              "/spec/replicatedJobs/0/template/spec/managedBy"});
  expect_remarks(made.warnings, {"/spec/successPolicy/operator", "/spec/startupPolicy/wait"});
}

TEST(ExclusiveTopology, IsCarriedOverOfOneGroupAndLeftOutOfSeveral) {
  const std::string level = "annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: rack}";
  const std::string head =
      "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: s, " + level + "}\nspec:\n";
  const std::string jobs = "replicas: 2, template: {spec: {parallelism: 2, template: " + std::string(kPod) + "}}}";
  const auto one = converted(head + "  replicatedJobs: [{name: a, " + jobs + "]\n");
  ASSERT_TRUE(one.specs.at(0).placement->slice);
  EXPECT_EQ(one.specs.at(0).placement->slice->level, "rack");
  EXPECT_EQ(one.specs.at(0).placement->slice->nodes, 2);
  expect_remarks(one.warnings, {"/metadata/annotations/alpha.jobset.sigs.k8s.io~1exclusive-topology"});
  const auto several = converted(head + "  replicatedJobs: [{name: a, " + jobs + ", {name: b, " + jobs + "]\n");
  EXPECT_EQ(several.specs.at(0).placement->required_level, "");
  EXPECT_FALSE(several.specs.at(0).placement->slice);
  expect_remarks(several.warnings, {"/metadata/annotations/alpha.jobset.sigs.k8s.io~1exclusive-topology"});
}

constexpr const char* kIndexed = "completionMode: Indexed, parallelism: 2, completions: 2";

TEST(CompletionIndex, IsTheIndexOfAnArray) {
  const auto program = converted(job_with(kIndexed, "command: [python, t.py]"));
  EXPECT_THAT(
      program.specs.at(0).run.words,
      ElementsAre("/bin/sh", "-c",
                  AllOf(HasSubstr("export JOB_COMPLETION_INDEX=\"$YM_ARRAY_INDEX\"\n"), HasSubstr("exec \"$@\"")), "sh",
                  "python", "t.py"));
  EXPECT_THAT(program.warnings, IsEmpty());
  const auto shell = converted(job_with(kIndexed, "command: [bash, -c, 'echo $(JOB_COMPLETION_INDEX)']"));
  EXPECT_THAT(shell.specs.at(0).run.words,
              ElementsAre("bash", "-c", AllOf(HasSubstr("export "), HasSubstr("\necho $JOB_COMPLETION_INDEX"))));
  EXPECT_THAT(shell.warnings, IsEmpty());
  const auto words = converted(job_with(kIndexed, "command: [python, \"it's\", '--seed=$(JOB_COMPLETION_INDEX)']"));
  EXPECT_THAT(
      words.specs.at(0).run.words,
      ElementsAre("/bin/sh", "-c", HasSubstr("exec 'python' 'it'\\''s' '--seed='\"$JOB_COMPLETION_INDEX\"''\n")));
  EXPECT_THAT(words.warnings, IsEmpty());
}

TEST(CompletionIndex, IsToldUnderOtherNamesToo) {
  const std::string env =
      "env: [{name: SHARD, valueFrom: {fieldRef: {fieldPath: \"metadata.annotations["
      "'batch.kubernetes.io/job-completion-index']\"}}}]";
  const auto made = converted(job_with(kIndexed, "command: [a], " + env));
  EXPECT_THAT(made.specs.at(0).run.words, Contains(HasSubstr("export SHARD=\"$YM_ARRAY_INDEX\"\n")));
  EXPECT_THAT(made.warnings, IsEmpty());
  const auto one = converted(job_with("completionMode: Indexed", "command: [a, $(SHARD)], " + env));
  EXPECT_THAT(one.specs.at(0).env, Contains(Pair("SHARD", "0")));
  EXPECT_THAT(one.specs.at(0).run.words, ElementsAre("a", "0"));
  EXPECT_THAT(one.warnings, IsEmpty());
}

TEST(CompletionIndex, IsThatOfANodeInAGang) {
  const auto gang = converted("apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {" + std::string(kIndexed) +
                              ", template: {spec: {subdomain: s, containers: [{name: c, command: [a]}]}}}\n");
  EXPECT_THAT(gang.specs.at(0).run.words, Contains(HasSubstr("export JOB_COMPLETION_INDEX=\"$YM_NODE_RANK\"\n")));
  const auto torchrun = converted(job_with(kIndexed, "command: [torchrun, t.py]"));
  EXPECT_THAT(torchrun.specs.at(0).run.words, ElementsAre("t.py"));
  expect_remarks(torchrun.notes, {"/spec/completionMode"});
}

TEST(CompletionIndex, IsNamedWhereNoVariableHasIt) {
  expect_remarks(converted(job_with("parallelism: 2", "command: [sh, -c, 'a $JOB_COMPLETION_INDEX']")).warnings,
                 {"/spec/template"});
  const auto in_env =
      converted(job_with("parallelism: 2", "command: [a], env: [{name: B, value: 'b-$(JOB_COMPLETION_INDEX)'}]"));
  expect_remarks(in_env.warnings, {"/spec/template", "/spec/template"});
}

}  // namespace
}  // namespace ym::convert
