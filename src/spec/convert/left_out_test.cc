// Nothing of a manifest is left out in silence: what a kind has beside what is read, how often it is tried again, and
// the indices of pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

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
  EXPECT_THAT(counted.notes, Contains(HasSubstr("/restartPolicy: 'OnFailure' is left out")));
  EXPECT_THAT(converted(job("completions: 1", "restartPolicy: OnFailure")).warnings,
              ElementsAre(AllOf(HasSubstr("/restartPolicy: 'OnFailure' is left out"), HasSubstr("retry: {error: 3}"))));
}

TEST(Restarts, OfEachPodGoBeforeThoseOfAll) {
  const auto both = converted(job("completions: 4\n  backoffLimit: 9\n  backoffLimitPerIndex: 1"));
  EXPECT_EQ(both.specs.at(0).retry.error_max, 1);
  EXPECT_THAT(both.warnings, ElementsAre(HasSubstr("/spec/backoffLimit: is left out")));
  EXPECT_THAT(converted(job("completions: 4\n  backoffLimit: 9")).notes,
              Contains(HasSubstr("/spec/backoffLimit: counts all pods together")));
}

TEST(Restarts, OfAPyTorchJobAreThoseOfItsReplicas) {
  const auto never = converted(pytorchjob("backoffLimit: 3", "restartPolicy: Never, ", "restartPolicy: Never, "));
  EXPECT_EQ(never.specs.at(0).retry.error_max, 0);
  EXPECT_THAT(never.warnings, ElementsAre(HasSubstr("Never takes precedence over backoffLimit")));
  const auto mixed = converted(pytorchjob("backoffLimit: 3", "restartPolicy: OnFailure, ", "restartPolicy: Never, "));
  EXPECT_EQ(mixed.specs.at(0).retry.error_max, 3);
  EXPECT_THAT(mixed.warnings, ElementsAre(HasSubstr("/Worker/restartPolicy: Never is left out")));
  EXPECT_THAT(mixed.notes, Contains(HasSubstr("/Master/restartPolicy: 'OnFailure' is left out")));
  const auto codes = converted(pytorchjob("", "restartPolicy: ExitCode, ", "restartPolicy: Always, "));
  EXPECT_THAT(codes.warnings, ElementsAre(HasSubstr("/Master/restartPolicy: is left out; retry.error applies to all"),
                                          HasSubstr("/Worker/restartPolicy: 'Always' is left out")));
}

TEST(Restarts, OfAJobSetAreOfTheWhole) {
  const auto whole = converted(jobset("failurePolicy: {maxRestarts: 3}", "backoffLimit: 2"));
  EXPECT_EQ(whole.specs.at(0).retry.error_max, 3);
  EXPECT_THAT(whole.warnings, ElementsAre(AllOf(HasSubstr("/spec/backoffLimit: is left out"), HasSubstr("error: 3"))));
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
  EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("/backoffLimit: is left out")));
  for (const auto* path : {"/podGroupPolicy: ", "/template/metadata/labels: 'team'", "/restartPolicy: 'OnFailure'"})
    EXPECT_THAT(made.notes, Contains(HasSubstr(path))) << path;
}

TEST(LeftOut, IsWhatACleanedUpPodWas) {
  const auto made = converted(pytorchjob(
      "cleanPodPolicy: All, schedulingPolicy: {minAvailable: 2, scheduleTimeoutSeconds: 60}, managedBy: x", "", ""));
  for (const auto* path : {"/cleanPodPolicy: ", "/minAvailable: ", "/scheduleTimeoutSeconds: ", "/managedBy: "})
    EXPECT_THAT(made.notes, Contains(HasSubstr(path))) << path;
  const auto queues = converted(
      "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nmetadata: {name: p, labels: "
      "{kueue.x-k8s.io/queue-name: a}}\nspec:\n  runPolicy: {schedulingPolicy: {queue: b}}\n"
      "  elasticPolicy: {rdzvBackend: c10d, maxReplicas: 2}\n"
      "  pytorchReplicaSpecs: {Worker: {template: " +
      std::string(kPod) + "}}\n");
  EXPECT_EQ(queues.specs.at(0).queue, "a");
  EXPECT_THAT(queues.warnings, ElementsAre(HasSubstr("/schedulingPolicy/queue: is left out")));
  EXPECT_THAT(queues.notes, Contains(HasSubstr("/elasticPolicy/rdzvBackend: is left out")));
}

TEST(LeftOut, IsEveryFieldOfAPod) {
  const auto made = converted(job("completions: 1",
                                  "dnsPolicy: None, shareProcessNamespace: true, os: {name: linux}, "
                                  "enableServiceLinks: false, preemptionPolicy: Never, "
                                  "automountServiceAccountToken: true, schedulingGates: [{name: a}], "
                                  "serviceAccount: x, schedulerName: volcano, hostUsers: true"));
  for (const auto* key : {"dnsPolicy", "shareProcessNamespace", "os", "preemptionPolicy", "schedulerName"})
    EXPECT_THAT(made.notes, Contains(HasSubstr("/" + std::string(key) + ": is left out"))) << key;
  for (const auto* key : {"automountServiceAccountToken", "schedulingGates", "serviceAccount", "hostUsers"})
    EXPECT_THAT(made.warnings, Contains(HasSubstr("/" + std::string(key) + ": is left out"))) << key;
  const auto container = converted(job_with(
      "podReplacementPolicy: Failed", "command: [a], tty: true, ports: [{containerPort: 1}], imagePullPolicy: Always"));
  for (const auto* path : {"/tty: ", "/ports: ", "/imagePullPolicy: ", "/podReplacementPolicy: "})
    EXPECT_THAT(container.notes, Contains(HasSubstr(path))) << path;
}

TEST(LeftOut, IsAFalseThatMeansSomething) {
  const auto made = converted(job("completions: 1", "hostUsers: false, enableServiceLinks: false, hostPID: false"));
  EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("/hostUsers: is left out")));
  EXPECT_THAT(made.notes, ElementsAre(HasSubstr("/enableServiceLinks: is left out")));
}

TEST(LeftOut, IsAnAnnotationThatAnotherKindHas) {
  const std::string head = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, annotations: {";
  const auto made = converted(head +
                              "alpha.jobset.sigs.k8s.io/exclusive-topology: rack}}\nspec: {template: {metadata: "
                              "{labels: {kueue.x-k8s.io/queue-name: q}}, spec: {containers: [{name: c, "
                              "workingDir: /w, command: [a]}]}}}\n");
  EXPECT_THAT(made.notes, ElementsAre(HasSubstr("exclusive-topology' is left out"),
                                      HasSubstr("/template/metadata/labels: 'kueue.x-k8s.io/queue-name' is left")));
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
  EXPECT_EQ(made.specs.at(0).placement.required_level, "rack");
  for (const auto* path : {"/metadata/labels: 'app' is left out", "/metadata/annotations: 'b' is left out",
                           "/metadata/finalizers: is left out", "/managedBy: is left out"})
    EXPECT_THAT(made.notes, Contains(HasSubstr(path))) << path;
  EXPECT_THAT(made.warnings, ElementsAre(HasSubstr("/successPolicy/operator: "), HasSubstr("/startupPolicy/wait: ")));
}

TEST(ExclusiveTopology, IsCarriedOverOfOneGroupAndLeftOutOfSeveral) {
  const std::string level = "annotations: {alpha.jobset.sigs.k8s.io/exclusive-topology: rack}";
  const std::string head =
      "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: s, " + level + "}\nspec:\n";
  const std::string jobs = "replicas: 2, template: {spec: {parallelism: 2, template: " + std::string(kPod) + "}}}";
  const auto one = converted(head + "  replicatedJobs: [{name: a, " + jobs + "]\n");
  ASSERT_TRUE(one.specs.at(0).placement.slice);
  EXPECT_EQ(one.specs.at(0).placement.slice->level, "rack");
  EXPECT_EQ(one.specs.at(0).placement.slice->nodes, 2);
  EXPECT_THAT(one.warnings, ElementsAre(HasSubstr("becomes nearness")));
  const auto several = converted(head + "  replicatedJobs: [{name: a, " + jobs + ", {name: b, " + jobs + "]\n");
  EXPECT_EQ(several.specs.at(0).placement.required_level, "");
  EXPECT_FALSE(several.specs.at(0).placement.slice);
  EXPECT_THAT(several.warnings, ElementsAre(AllOf(HasSubstr("exclusive-topology: is left out"),
                                                  HasSubstr("to all groups together here"))));
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
  EXPECT_THAT(torchrun.notes, Contains(HasSubstr("JOB_COMPLETION_INDEX is not set")));
}

TEST(CompletionIndex, IsNamedWhereNobodyTellsIt) {
  EXPECT_THAT(converted(job_with("parallelism: 2", "command: [sh, -c, 'a $JOB_COMPLETION_INDEX']")).warnings,
              ElementsAre(HasSubstr("reads JOB_COMPLETION_INDEX, which is not set here")));
  const auto in_env =
      converted(job_with("parallelism: 2", "command: [a], env: [{name: B, value: 'b-$(JOB_COMPLETION_INDEX)'}]"));
  EXPECT_THAT(in_env.warnings, Contains(HasSubstr("reads JOB_COMPLETION_INDEX, which is not set here")));
}

}  // namespace
}  // namespace ym::convert
