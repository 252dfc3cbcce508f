// LabTest: a namespace of its own on a real API server with simulated nodes, an executor for it, and its observations.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "executor/kubernetes/kubernetes_executor.h"
#include "executor/kubernetes/testing/kube_lab.h"
#include "executor/remote/wire.h"

namespace ym::kubernetes::testing {

class SystemClock final : public Clock {
 public:
  Instant now() const override;
};

// Only a test that fails waits so long.
inline constexpr Duration kTimeout = seconds(180);

bool eventually(const std::function<bool()>& test, Duration most = kTimeout);

// Waits until pods can be created in it. False: they cannot.
bool make_namespace(const KubeLab& lab, const std::string& name);

class Recorder {
 public:
  ObservationSink sink();
  // Whether `test` becomes true of all observations within the time.
  bool wait(const std::function<bool(const std::vector<Observation>&)>& test, Duration most = kTimeout);
  std::vector<Observation> all() const;
  // Observations of a token, of one kind.
  template <class What>
  std::vector<What> of(const Token& token) const {
    std::vector<What> list;
    for (const auto& each : all())
      if (const auto* what = std::get_if<What>(&each.what); what && each.token == token) list.push_back(*what);
    return list;
  }
  template <class What>
  bool wait_for(const Token& token, std::size_t count = 1, Duration most = kTimeout) {
    return wait([&](const auto&) { return of<What>(token).size() >= count; }, most);
  }

 private:
  mutable std::mutex mutex_;
  std::vector<Observation> all_;
};

// A namespace of its own on the lab, and an executor for it.
class LabTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  KubernetesOptions options() const;
  void make(KubernetesOptions options, const std::vector<LiveAttempt>& live = {}, std::uint64_t epoch = 0);
  // For a service account of the test's namespace: a file in the test's folder.
  std::string kubeconfig_of(const std::string& account) const;
  LaunchRequest request(std::vector<std::string> nodes, std::int64_t gpus = 0);
  std::string pod_of(const Token& token, std::int32_t task = 0) const;
  std::string phase_of(const Token& token, std::int32_t task = 0) const;
  // As the agent of the task does.
  Result<remote::TaskOrders> report(const Token& token, std::int32_t task, remote::TaskReport::State state,
                                    std::optional<TaskExit> exit = {});
  void claim_and_open(const LaunchRequest& request);

  KubeLab* lab = nullptr;
  SystemClock clock;
  std::string name_space;
  Recorder seen;
  std::unique_ptr<KubernetesExecutor> executor;
  std::uint64_t next_job = 1;
};

}  // namespace ym::kubernetes::testing
