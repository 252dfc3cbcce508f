#include "executor/kubernetes/pods/pod.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "base/testing/sentences.h"
#include "executor/kubernetes/testing/objects.h"

namespace ym::kubernetes {
namespace {

using testing::request_of;
using ym::testing::expect_refused;

PodOptions plain() {
  PodOptions options;
  options.wrapper_image = "ym/wrapper:1";
  options.image = "pytorch:2";
  return options;
}

JobSpec with_resources(TaskResources resources) {
  JobSpec spec;
  spec.resources = std::move(resources);
  return spec;
}

LaunchRequest with_spec(JobSpec spec) {
  auto request = request_of(42, {"n1"});
  request.spec = std::make_shared<const JobSpec>(std::move(spec));
  return request;
}

json::value rendered(const LaunchRequest& request, const PodOptions& options, std::int32_t task = 0) {
  const auto pod = render_pod(request, task, {.url = "https://ym/api/v1/tasks", .token = Secret("tok")}, options);
  EXPECT_TRUE(pod) << pod.error().message;
  return pod ? *pod : json::value();
}

std::string env_of(const json::value& pod, const std::string& name) {
  for (const auto& each : list_at(pod, "/spec/containers/0/env"))
    if (text_at(each, "/name") == name) {
      const auto field = text_at(each, "/valueFrom/fieldRef/fieldPath");
      return field.empty() ? text_at(each, "/value") : "field " + field;
    }
  return "none";
}

TEST(PodName, IsMadeOfTokenAndTaskAlone) {
  const PodKey key{{JobId{42}, 3, 9}, 12};
  const auto name = pod_name(key);
  EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string::npos) << name;
  EXPECT_TRUE(name.starts_with("ym-"));
  EXPECT_TRUE(name.ends_with("-3-9-12"));
  EXPECT_EQ(owner_of(name, pod_labels(key, "me"), "me"), key);
  EXPECT_FALSE(owner_of(name, pod_labels(key, "me"), "other"));
  EXPECT_FALSE(owner_of(name + "0", pod_labels(key, "me"), "me"));
  EXPECT_FALSE(owner_of(name, {}, "me"));
}

TEST(PodName, IsTheLongestThatANameMayBe) {
  const PodKey key{{JobId{(std::uint64_t{1} << 40U) - 1}, std::numeric_limits<std::int32_t>::max(),
                    std::numeric_limits<std::uint64_t>::max()},
                   std::numeric_limits<std::int32_t>::max()};
  EXPECT_LE(pod_name(key).size(), 63U);
  EXPECT_EQ(owner_of(pod_name(key), pod_labels(key, "me"), "me"), key);
}

TEST(PodName, LabelsThatMakeNoSenseBelongToNoLaunch) {
  const PodKey key{{JobId{42}, 3, 9}, 0};
  for (const auto& [label, value] : std::map<std::string, std::string>{{std::string(kTokenLabel), "x"},
                                                                       {std::string(kTaskLabel), "-1"},
                                                                       {std::string(kTaskLabel), "9999999999"},
                                                                       {std::string(kAttemptLabel), "4"}}) {
    auto labels = pod_labels(key, "me");
    labels[label] = value;
    EXPECT_FALSE(owner_of(pod_name(key), labels, "me")) << label;
  }
}

TEST(LabelValue, IsMadeHarmless) {
  EXPECT_EQ(label_value("--Ann O'Neil <x>.. "), "Ann_O_Neil__x");
  EXPECT_EQ(label_value(std::string(100, 'a')).size(), 63U);
  EXPECT_EQ(label_value("\n"), "");
}

TEST(Pod, HasWhatItsTaskNeedsAndRunsTheAgent) {
  auto spec = with_resources({.gpus = 4 * kMilli, .cpus = 2500, .memory_bytes = 1000, .shm_bytes = 500});
  spec.time_limit = hours(1);
  spec.stop.grace = seconds(40);
  auto request = with_spec(spec);
  request.nodes = {Node{.name = "n1", .cluster = "k", .gpu_type = "h100"}};
  const auto pod = rendered(request, plain());
  EXPECT_EQ(text_at(pod, "/spec/containers/0/resources/limits/nvidia.com~1gpu"), "4");
  EXPECT_EQ(text_at(pod, "/spec/containers/0/resources/requests/cpu"), "2500m");
  EXPECT_EQ(text_at(pod, "/spec/containers/0/resources/limits/memory"), "1500");
  EXPECT_EQ(text_at(pod, "/spec/containers/0/command/3"), "/ym/ym-task");
  EXPECT_EQ(text_at(pod, "/spec/restartPolicy"), "Never");
  EXPECT_EQ(number_at(pod, "/spec/terminationGracePeriodSeconds"), 60);
  EXPECT_EQ(number_at(pod, "/spec/activeDeadlineSeconds"), 3600 + 60 + 1800);
  EXPECT_EQ(env_of(pod, "YM_TASK_URL"), "https://ym/api/v1/tasks");
  EXPECT_EQ(env_of(pod, "YM_TASK_TOKEN"), "tok");
  EXPECT_EQ(env_of(pod, "YM_LAUNCH_TOKEN"), to_string(request.token));
  EXPECT_EQ(env_of(pod, "YM_TASK_RANK"), "0");
  EXPECT_EQ(env_of(pod, "YM_TASK_GRACE"), "60s");
  EXPECT_EQ(env_of(pod, "YM_TASK_ADDRESS"), "field status.podIP");
  EXPECT_EQ(env_of(pod, "YM_TASK_NODE"), "field spec.nodeName");
  EXPECT_EQ(text_at(pod, "/spec/volumes/2/emptyDir/medium"), "Memory");
  EXPECT_EQ(text_at(pod, "/spec/containers/0/volumeMounts/2/mountPath"), "/dev/shm");
}

TEST(Pod, MayRunOnItsNodeOnlyUnlessTheClusterChooses) {
  auto options = plain();
  const auto request = request_of(42, {"n1", "n2"});
  const auto path =
      "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms/0/matchFields/0";
  EXPECT_EQ(text_at(rendered(request, options, 1), std::string(path) + "/values/0"), "n2");
  EXPECT_EQ(text_at(rendered(request, options, 1), std::string(path) + "/key"), "metadata.name");
  options.node_choice = NodeChoice::direct;
  EXPECT_EQ(text_at(rendered(request, options, 1), "/spec/nodeName"), "n2") << "the scheduler has no part in it";
  EXPECT_EQ(find(rendered(request, options, 1), "/spec/affinity"), nullptr);
  options.node_choice = NodeChoice::delegated;
  options.scheduler_name = "kueue";
  options.kueue_queue = "team";
  const auto pod = rendered(request, options, 1);
  EXPECT_EQ(find(pod, "/spec/affinity"), nullptr);
  EXPECT_EQ(find(pod, "/spec/nodeSelector"), nullptr);
  options.node_selector = {{"team", "ml"}};
  EXPECT_EQ(text_at(rendered(request, options, 1), "/spec/nodeSelector/team"), "ml") << "no other node is known";
  EXPECT_EQ(text_at(pod, "/spec/schedulerName"), "kueue");
  EXPECT_EQ(text_at(pod, "/metadata/labels/kueue.x-k8s.io~1queue-name"), "team");
  EXPECT_EQ(text_at(pod, "/metadata/annotations/yardmaster.dev~1tasks"), "2");
  EXPECT_EQ(text_at(pod, "/metadata/annotations/kueue.x-k8s.io~1pod-group-total-count"), "2");
  EXPECT_EQ(text_at(pod, "/metadata/annotations/kueue.x-k8s.io~1retriable-in-group"), "false");
  EXPECT_EQ(text_at(pod, "/metadata/labels/kueue.x-k8s.io~1pod-group-name"),
            text_at(rendered(request, options, 0), "/metadata/labels/kueue.x-k8s.io~1pod-group-name"));
}

// One pod is not a group: Kueue would wait for more.
TEST(Pod, AloneIsNoGroupForKueue) {
  auto options = plain();
  options.node_choice = NodeChoice::delegated;
  options.kueue_queue = "team";
  const auto pod = rendered(request_of(42, {"n1"}), options);
  EXPECT_EQ(text_at(pod, "/metadata/labels/kueue.x-k8s.io~1queue-name"), "team");
  EXPECT_EQ(find(pod, "/metadata/labels/kueue.x-k8s.io~1pod-group-name"), nullptr);
  options.kueue_queue.clear();
  EXPECT_EQ(find(rendered(request_of(42, {"n1"}), options), "/metadata/labels/kueue.x-k8s.io~1queue-name"), nullptr);
}

TEST(Pod, HasWhatTheAdministratorSaysOfAll) {
  auto options = plain();
  options.priority_class = "batch";
  options.runtime_class = "nvidia";
  options.service_account = "jobs";
  options.pull_secrets = {"registry"};
  options.tolerations = {{.key = "gpu", .value = {}, .effect = {}}};
  options.volumes = {{.mount_path = "/ym-ca", .read_only = true, .config_map = "ym-ca"}};
  options.agent_env = {{"YM_TASK_CA_FILE", "/ym-ca/ca.crt"}};
  const auto pod = rendered(request_of(42, {"n1"}), options);
  EXPECT_EQ(text_at(pod, "/spec/priorityClassName"), "batch");
  EXPECT_EQ(text_at(pod, "/spec/runtimeClassName"), "nvidia");
  EXPECT_EQ(text_at(pod, "/spec/serviceAccountName"), "jobs");
  EXPECT_EQ(text_at(pod, "/spec/imagePullSecrets/0/name"), "registry");
  EXPECT_EQ(text_at(pod, "/spec/tolerations/0/key"), "gpu");
  EXPECT_EQ(text_at(pod, "/spec/tolerations/0/operator"), "Exists");
  EXPECT_EQ(text_at(pod, "/spec/volumes/2/configMap/name"), "ym-ca");
  EXPECT_EQ(env_of(pod, "YM_TASK_CA_FILE"), "/ym-ca/ca.crt");
}

TEST(Pod, IsOfTheJobsImageOrTheClusters) {
  EXPECT_EQ(text_at(rendered(request_of(42, {"n1"}), plain()), "/spec/containers/0/image"), "pytorch:2");
  JobSpec spec;
  spec.image = "team/own:1";
  auto options = plain();
  options.image.clear();
  const auto pod = rendered(with_spec(spec), options);
  EXPECT_EQ(text_at(pod, "/spec/containers/0/image"), "team/own:1");
  EXPECT_EQ(text_at(pod, "/spec/initContainers/0/image"), "ym/wrapper:1");
  expect_refused(render_pod(request_of(1, {"n"}), 0, {.url = "http://ym", .token = {}}, options), ErrorCode::invalid);
}

// Whatever a user writes, the pod requests nothing more of the node than any other, and the program is not in it.
TEST(Pod, NothingOfTheUsersReachesItButAmountsAndHarmlessNames) {
  auto spec = with_resources({.gpus = 0, .cpus = 1000, .memory_bytes = 1});
  spec.run = {.form = Program::Form::shell, .words = {"evil-words"}};
  spec.env = {{"LD_PRELOAD", "evil-env"}, {"YM_TASK_URL", "evil-url"}};
  spec.workdir = "/evil-dir";
  spec.name = "evil-name";
  auto request = with_spec(spec);
  request.job_name = "a\"},\"hostNetwork\":true,{\"";
  request.owner = "own\ner";
  auto options = plain();
  options.volumes = {{.claim = "data", .host_path = {}, .mount_path = "/data", .read_only = true}};
  const auto pod = rendered(request, options);
  const auto text = json::serialize(pod);
  for (const auto* word : {"evil", "hostNetwork\"", "hostPID", "hostPath", "\"privileged\":true"})
    EXPECT_EQ(text.find(word), std::string::npos) << word;
  std::set<std::string> fields;
  for (const auto& [name, value] : find(pod, "/spec")->get_object()) fields.insert(name);
  EXPECT_EQ(fields, (std::set<std::string>{"affinity", "automountServiceAccountToken", "containers",
                                           "enableServiceLinks", "initContainers", "restartPolicy", "securityContext",
                                           "terminationGracePeriodSeconds", "tolerations", "volumes"}));
  EXPECT_EQ(find(pod, "/spec/automountServiceAccountToken")->get_bool(), false);
  for (const auto* container : {"/spec/containers/0", "/spec/initContainers/0"}) {
    const std::string at = std::string(container) + "/securityContext";
    EXPECT_EQ(find(pod, at + "/allowPrivilegeEscalation")->get_bool(), false);
    EXPECT_EQ(text_at(pod, at + "/capabilities/drop/0"), "ALL");
    EXPECT_EQ(text_at(pod, at + "/seccompProfile/type"), "RuntimeDefault");
  }
  EXPECT_TRUE(true_at(pod, "/spec/containers/0/volumeMounts/2/readOnly"));
}

TEST(Pod, WhatCannotBeHadIsRefused) {
  const TaskAddress address;
  const auto share = with_spec(with_resources({.gpus = 500}));
  expect_refused(render_pod(share, 0, address, plain()), ErrorCode::invalid);
  EXPECT_FALSE(render_pod(request_of(1, {"n"}), 0, address, PodOptions{}));
  expect_refused(render_pod(request_of(1, {"n"}), 0, address, plain()), ErrorCode::invalid);
}

TEST(Pod, SlicesAndTypesHaveResourcesOfTheirOwn) {
  auto options = plain();
  options.gpu_resources = {{"mi300", "amd.com/gpu"}};
  EXPECT_EQ(gpu_resource(options, "mi300", ""), "amd.com/gpu");
  EXPECT_EQ(gpu_resource(options, "h100", ""), "nvidia.com/gpu");
  EXPECT_EQ(gpu_resource(options, "h100", "1g.10gb"), "nvidia.com/mig-1g.10gb");
}

}  // namespace
}  // namespace ym::kubernetes
