// For tests: an executor with a scripted API server (api.h) and a clock that stands still.
#pragma once

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "executor/kubernetes/executor_impl.h"
#include "executor/kubernetes/testing/api.h"
#include "executor/kubernetes/testing/lab_fixture.h"

namespace ym::kubernetes::testing {

class StillClock final : public Clock {
 public:
  Instant now() const override { return {ms_}; }
  void advance(Duration time) { ms_ += time.ms; }

 private:
  std::atomic<std::int64_t> ms_ = 1'700'000'000'000;
};

class ExecutorTest : public ::testing::Test {
 protected:
  ExecutorTest() {
    options.name_space = options.pod.name_space = "ml";
    options.pod.wrapper_image = "wrapper";
    options.pod.image = "image";
    options.count_foreign_pods = false;
    options.log_dir = std::filesystem::path(::testing::TempDir()) / ("executor-" + std::to_string(::getpid()));
    std::filesystem::remove_all(options.log_dir);
  }
  void TearDown() override {
    executor.reset();
    std::filesystem::remove_all(options.log_dir);
  }
  void start() {
    executor = std::make_unique<ExecutorImpl>(options, std::move(http), clock);
    executor->begin_epoch(7);
    ASSERT_TRUE(executor->start(seen.sink(), live));
  }
  static LaunchRequest launch_of(std::uint64_t job, std::vector<std::string> nodes) {
    auto request = request_of(job, std::move(nodes));
    auto spec = std::make_shared<JobSpec>(*request.spec);
    spec->run = {Program::Form::argv, {"train"}};
    request.spec = std::move(spec);
    request.contact = JobContact{"http://s/v1/jobs/1/progress", "http://s/notice", Secret{"first"}};
    return request;
  }
  // Each call makes a newer version.
  void put(const PodKey& key, const std::string& node, const std::string& phase, const std::string& reason = {}) {
    json::object labels;
    for (const auto& [name, value] : pod_labels(key, options.pod.instance)) labels[name] = value;
    const json::object meta{{"name", pod_name(key)},
                            {"uid", "u-" + pod_name(key)},
                            {"resourceVersion", std::to_string(++version)},
                            {"labels", labels}};
    api->put(pod_name(key), json::object{{"metadata", meta},
                                         {"spec", json::object{{"nodeName", node}}},
                                         {"status", json::object{{"phase", phase}, {"reason", reason}}}});
  }
  // A pod of an attempt that an earlier server launched: on n2, which is good.
  PodKey put_live(std::uint64_t job) {
    const TaskClaim claim{.nonce = "a", .address = {}, .port = 0, .node = "n2"};
    live.push_back({.request = launch_of(job, {"n2"}), .tasks = {{.state = TaskState::running, .claim = claim}}});
    const PodKey key{live.back().token(), 0};
    api->put_node("n2");
    put(key, "n2", "Running");
    return key;
  }
  // Ended pods of unknown launches.
  void put_finished(std::uint64_t first_job, std::uint64_t count, const std::string& node) {
    for (std::uint64_t i = 0; i < count; ++i) put({{JobId{first_job + i}, 1, 7}, 0}, node, "Succeeded");
  }

  KubernetesOptions options;
  std::vector<LiveAttempt> live;
  int version = 0;
  StillClock clock;
  Recorder seen;
  std::unique_ptr<FakeApi> http = std::make_unique<FakeApi>();
  FakeApi* api = http.get();
  std::unique_ptr<KubernetesExecutor> executor;
};

}  // namespace ym::kubernetes::testing
