#include "executor/kubernetes/pods/pod_state.h"

#include <gtest/gtest.h>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/objects.h"

namespace ym::kubernetes {
namespace {

using testing::ended;
using testing::pod_of;
using testing::running;
using ym::testing::expect_sentence;

const PodKey kKey{{JobId{42}, 1, 7}, 0};

// "alive", "gone exit 3", "not-started", "out-of-sight".
std::string report(const remote::ClusterReport& cluster_report) {
  if (std::holds_alternative<remote::NotStarted>(cluster_report)) return "not-started";
  if (std::holds_alternative<remote::Alive>(cluster_report)) return "alive";
  if (std::holds_alternative<remote::OutOfSight>(cluster_report)) return "out-of-sight";
  const auto& gone = std::get<remote::Gone>(cluster_report);
  if (!gone.exit) return "gone";
  auto text = "gone " + std::string(to_string(gone.exit->by));
  if (gone.exit->exit_code) text += " " + std::to_string(*gone.exit->exit_code);
  if (gone.exit->signal) text += " " + std::to_string(*gone.exit->signal);
  return text;
}

// What waits says for what.
void expect_report(const remote::ClusterReport& cluster_report, const std::string& expected,
                   const std::string& status) {
  EXPECT_EQ(report(cluster_report), expected) << status;
  if (const auto* waits = std::get_if<remote::NotStarted>(&cluster_report)) expect_sentence(waits->message);
}

struct Case {
  std::string node, status;
  NodeContact contact;
  std::string expected;
};

void expect(std::span<const Case> cases) {
  for (const auto& each : cases)
    expect_report(judge_pod(pod_of(kKey, each.node, each.status), each.contact).report, each.expected, each.status);
}

TEST(PodState, IsSaidOnlyAsFarAsItIsProven) {
  const auto good = NodeContact::good, lost = NodeContact::lost, unknown = NodeContact::unknown;
  const std::string killed = R"({"exitCode":137,"reason":"Error"})", oom = R"({"exitCode":137,"reason":"OOMKilled"})";
  const Case cases[] = {
      {"", R"({"phase":"Pending"})", good, "not-started"},
      {"", R"({"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","message":"no room"}]})", good,
       "not-started"},
      {"n", R"({"phase":"Pending"})", good, "not-started"},
      {"n", R"({"phase":"Pending"})", lost, "out-of-sight"},
      {"n", running(), good, "alive"},
      {"n", running(), lost, "out-of-sight"},
      {"n", running(), unknown, "out-of-sight"},
      {"n", R"({"phase":"Unknown"})", good, "out-of-sight"},
      {"n", R"({})", good, "out-of-sight"},
      {"n", ended("Succeeded", R"({"exitCode":0})"), good, "gone exit 0"},
      {"n", ended("Failed", R"({"exitCode":3})"), good, "gone exit 3"},
      {"n", ended("Failed", killed), good, "gone lost"},
      {"n", ended("Failed", R"({"exitCode":255})"), good, "gone exit 255"},
      {"n", ended("Failed", R"({"exitCode":143,"signal":15})"), good, "gone signal 15"},
      {"n", ended("Failed", oom), good, "gone oom 137"},
      {"n", ended("Failed", killed, R"("reason":"DeadlineExceeded",)"), good, "gone time_limit 137"},
      {"n", ended("Failed", R"({"exitCode":"abc"})"), good, "gone lost"},
      {"n", ended("Failed", R"({"exitCode":999})"), good, "gone lost"},
      {"n", ended("Failed", R"({"exitCode":137,"reason":"ContainerStatusUnknown"})"), good, "gone lost"},
      // The last report of a node that is away counts if it was final,
      {"n", ended("Succeeded", R"({"exitCode":0})"), lost, "gone exit 0"},
      {"n", ended("Running", R"({"exitCode":4})"), good, "gone exit 4"},
      // and reports of other programs in its name do not.
      {"n",
       R"({"phase":"Failed","conditions":[{"type":"DisruptionTarget","status":"True","reason":"DeletionByPodGC"}]})",
       lost, "out-of-sight"},
      {"n", R"({"phase":"Failed","reason":"NodeLost"})", lost, "out-of-sight"},
      {"n", R"({"phase":"Failed","containerStatuses":[{"name":"task","state":{"running":{}}}]})", good, "alive"},
      {"n", R"({"phase":"Failed","containerStatuses":[{"name":"task","state":{"running":{}}}]})", lost, "out-of-sight"},
  };
  expect(cases);
}

// A kubelet that evicts, or that refuses pods after its restart, may leave out the container: it may have run, and it
// is unknown how it ended.
TEST(PodState, APodWithoutNewsOfItsContainerMayHaveRun) {
  const auto good = NodeContact::good;
  const Case cases[] = {
      {"n", R"({"phase":"Failed","reason":"OutOfcpu","message":"no room"})", good, "gone"},
      {"n", R"({"phase":"Failed","reason":"Evicted"})", good, "gone"},
      {"n", R"({"phase":"Failed","containerStatuses":[{"name":"task","state":{}}]})", good, "gone"},
      {"n", R"({"phase":"Failed","containerStatuses":[{"name":"task","state":{"waiting":{}}}]})", good,
       "gone start_failed"},
      {"", R"({"phase":"Failed","reason":"Evicted"})", good, "gone start_failed"},
  };
  expect(cases);
}

TEST(PodState, APodThatDoesNotSayHowManyTasksThereAreHadAnOldAgent) {
  auto pod = pod_of(kKey, "n1", ended("Succeeded", R"({"exitCode":0})"));
  EXPECT_TRUE(std::get<remote::Gone>(judge_pod(pod, NodeContact::good).report).of_old_agent);
  pod.says_tasks = true;
  EXPECT_FALSE(std::get<remote::Gone>(judge_pod(pod, NodeContact::good).report).of_old_agent);
}

TEST(PodState, APodThatCannotStartIsGivenUpForGoodOrForNow) {
  const auto cannot_start = [](const std::string& reason, const std::string& list) {
    const auto status = R"({"phase":"Pending",")" + list + R"(":[{"name":"x","state":{"waiting":{"reason":")" + reason +
                        R"(","message":"m"}}}]})";
    const auto verdict = judge_pod(pod_of(kKey, "n", status), NodeContact::good);
    expect_report(verdict.report, "not-started", status);
    if (!verdict.cannot_start) return std::string("no");
    return std::string(verdict.cannot_start->permanent ? "for good" : "for now");
  };
  EXPECT_EQ(cannot_start("ImagePullBackOff", "containerStatuses"), "for now");
  EXPECT_EQ(cannot_start("ErrImagePull", "initContainerStatuses"), "for now");
  EXPECT_EQ(cannot_start("CreateContainerConfigError", "containerStatuses"), "for now");
  EXPECT_EQ(cannot_start("InvalidImageName", "containerStatuses"), "for good");
  EXPECT_EQ(cannot_start("PodInitializing", "containerStatuses"), "no");
}

TEST(PodState, ToolsThatCannotBeLaidOutAreNoEndOfUserCode) {
  const auto status =
      R"({"phase":"Failed","initContainerStatuses":[{"name":"ym-tools","state":{"terminated":{"exitCode":1,"message":"disk full"}}}],
          "containerStatuses":[{"name":"task","state":{"waiting":{"reason":"PodInitializing"}}}]})";
  const auto cluster_report = judge_pod(pod_of(kKey, "n", status), NodeContact::good).report;
  EXPECT_EQ(report(cluster_report), "gone start_failed");
  expect_sentence(std::get<remote::Gone>(cluster_report).exit->message);
}

TEST(RemovedPod, ProvesAnEndOnlyIfItsKubeletHadSaidSo) {
  const auto proof = [](const PodView& pod) {
    const auto gone = judge_removed(pod);
    return gone ? report(*gone) : "none";
  };
  EXPECT_EQ(proof(pod_of(kKey, "")), "gone start_failed");
  EXPECT_EQ(proof(pod_of(kKey, "n", R"({"phase":"Pending"})")), "none");
  EXPECT_EQ(proof(pod_of(kKey, "n", running())), "none");
  EXPECT_EQ(proof(pod_of(kKey, "n", ended("Failed", R"({"exitCode":143})"))), "gone signal 15");
  EXPECT_EQ(proof(pod_of(kKey, "n", ended("Running", R"({"exitCode":0})"))), "gone exit 0");
  EXPECT_EQ(proof(pod_of(kKey, "n", R"({"phase":"Failed","reason":"NodeLost"})")), "none");
  EXPECT_EQ(proof(pod_of(kKey, "n", R"({"phase":"Failed","reason":"Evicted"})")), "gone");
}

}  // namespace
}  // namespace ym::kubernetes
