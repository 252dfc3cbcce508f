#include "executor/kubernetes/testing/lab_fixture.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "executor/kubernetes/pods/names.h"

namespace ym::kubernetes::testing {

Instant SystemClock::now() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
}

ObservationSink Recorder::sink() {
  return [this](Observation observation) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(observation));
  };
}

bool Recorder::wait(const std::function<bool(const std::vector<Observation>&)>& test, Duration most) {
  return eventually([&] { return test(all()); }, most);
}

std::vector<Observation> Recorder::all() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

bool eventually(const std::function<bool()>& test, Duration most) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(most.ms);
  while (std::chrono::steady_clock::now() < until) {
    if (test()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return test();
}

bool make_namespace(const KubeLab& lab, const std::string& name) {
  lab.kubectl("create namespace " + name);
  const auto account = "get serviceaccount default -o name -n " + name;
  return eventually([&] { return lab.kubectl(account) == "serviceaccount/default"; });
}

void LabTest::SetUp() {
  std::string why;
  lab = KubeLab::find({}, why);
  if (!lab) GTEST_SKIP() << why;
  static int number = 0;
  name_space = fmt::format("ym-{}-{}", ::getpid(), ++number);
  ASSERT_TRUE(make_namespace(*lab, name_space));
}

void LabTest::TearDown() {
  executor.reset();
  if (lab) lab->kubectl("delete namespace --wait=false " + name_space);
}

KubernetesOptions LabTest::options() const {
  KubernetesOptions options{.cluster = "lab", .kubeconfig = lab->kubeconfig(), .context = {}, .name_space = name_space};
  options.pod.wrapper_image = "kube-lab.test/wrapper:1";
  options.pod.image = "kube-lab.test/base:1";
  options.pod.tolerations = {{.key = "kube-lab.test/kubelet", .value = {}, .effect = {}}};
  options.node_contact = seconds(20);
  options.registry.settle = seconds(1);
  options.registry.silence = seconds(2);
  return options;
}

void LabTest::make(KubernetesOptions options, const std::vector<LiveAttempt>& live, std::uint64_t epoch) {
  auto made = make_kubernetes_executor(std::move(options), clock);
  ASSERT_TRUE(made) << made.error().message;
  executor = std::move(*made);
  executor->begin_epoch(epoch);
  ASSERT_TRUE(executor->start(seen.sink(), live));
}

std::string LabTest::kubeconfig_of(const std::string& account) const {
  const auto file = ::testing::TempDir() + name_space + ".yaml";
  const auto token = lab->kubectl("create token " + account + " -n " + name_space);
  std::ofstream(file) << fmt::format(
      R"({{"apiVersion": "v1", "kind": "Config", "current-context": "c",
 "contexts": [{{"name": "c", "context": {{"cluster": "c", "user": "u", "namespace": "{}"}}}}],
 "clusters": [{{"name": "c", "cluster": {{"server": "{}", "certificate-authority": "{}/etc/ca.crt"}}}}],
 "users": [{{"name": "u", "user": {{"token": "{}"}}}}]}})",
      name_space, lab->server(), lab->dir().string(), token);
  return file;
}

LaunchRequest LabTest::request(std::vector<std::string> nodes, std::int64_t gpus) {
  auto spec = std::make_shared<JobSpec>();
  spec->name = "train";
  spec->run = {.form = Program::Form::argv, .words = {"true"}};
  spec->nodes = static_cast<std::int32_t>(nodes.size());
  spec->resources = {.gpus = gpus * kMilli, .cpus = 100, .memory_bytes = std::int64_t{64} << 20};
  spec->stop.grace = seconds(2);
  LaunchRequest out{.token = {JobId{next_job++}, 1, 1}, .spec = spec, .job_name = "train", .owner = "ann"};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    out.placement.push_back({.task = static_cast<std::int32_t>(i), .node = nodes[i], .devices = {}});
    out.nodes.push_back(Node{.name = nodes[i], .cluster = "lab", .gpu_type = "h100"});
  }
  out.contact = JobContact{.progress_url = "http://127.0.0.1:1/api/v1/jobs/1/attempts/1/progress",
                           .notice_url = "http://127.0.0.1:1/api/v1/jobs/1/attempts/1/notice",
                           .token = Secret("task-token")};
  return out;
}

std::string LabTest::pod_of(const Token& token, std::int32_t task) const { return pod_name({token, task}); }

std::string LabTest::phase_of(const Token& token, std::int32_t task) const {
  return lab->kubectl(fmt::format("get pod -n {} {} -o jsonpath={{.status.phase}} --ignore-not-found", name_space,
                                  pod_of(token, task)));
}

Result<remote::TaskOrders> LabTest::report(const Token& token, std::int32_t task, remote::TaskReport::State state,
                                           std::optional<TaskExit> exit) {
  remote::TaskReport report{.token = token, .nonce = fmt::format("nonce-{}", task), .state = state};
  report.claim = {.nonce = report.nonce, .address = "127.0.0.1", .port = 0, .node = "n1"};
  report.exit = std::move(exit);
  const auto orders = executor->task_link()->report({token.key(), task}, encode(report));
  if (!orders) return std::unexpected(orders.error());
  return remote::decode_orders(*orders);
}

void LabTest::claim_and_open(const LaunchRequest& request) {
  for (const auto& placed : request.placement)
    ASSERT_TRUE(report(request.token, placed.task, remote::TaskReport::State::waiting));
  ASSERT_TRUE(seen.wait_for<GangIsWaiting>(request.token));
  executor->open_barrier(request.token, seen.of<GangIsWaiting>(request.token).back().claims);
}

}  // namespace ym::kubernetes::testing
