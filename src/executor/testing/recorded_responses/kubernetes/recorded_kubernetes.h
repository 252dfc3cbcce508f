// A KubernetesExecutor that talks to a recording.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "executor/kubernetes/kubernetes_executor.h"
#include "executor/testing/recorded_responses/fixture.h"
#include "executor/testing/recorded_responses/recorded_server.h"

namespace ym::recorded {

class RecordedKubernetes : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Plays tests/recorded_responses/kubernetes/NAME.txt, then starts the executor.
  void play(const std::string& name, const std::vector<LiveAttempt>& live = {});
  // Ends the recording; another one may be played.
  void again();
  void enter(const std::string& phase) { server_->enter(phase); }

  // --- as control and the task's agent do
  void launch(const Token& token = kToken) { executor->launch(one_task(token)); }
  // Launched, claimed, let in, and running.
  void run();
  PlayedAgent agent(const Token& token = kToken) const { return {executor->task_link(), token}; }

  // --- requests
  std::vector<Asked> asked(const std::string& pattern) const;
  std::size_t times(const std::string& pattern) const { return asked(pattern).size(); }
  // Enters the phase; returns when it is watched.
  void see(const std::string& phase);
  // The same for the phase `ended`; returns when the end has been concluded.
  void end();
  // Lets time pass until the executor has checked its timeouts.
  void pass(Duration time);

  // Nothing was concluded about the task: it has not ended, is not out of contact and not unknown.
  ::testing::AssertionResult nothing_concluded() const;
  const TaskExit& the_end() const;

  ForwardClock clock;
  Observed seen;
  KubernetesOptions options;
  std::unique_ptr<KubernetesExecutor> executor;
  std::unique_ptr<RecordedServer> server_;

 private:
  std::filesystem::path folder_;
  mutable std::vector<TaskHasEnded> ends_;
};

// Requests.
inline const std::string kList = "GET /api/v1/namespaces/lab/pods?limit=*";
inline const std::string kWatch = "GET /api/v1/namespaces/lab/pods?watch=1*";
inline const std::string kCreate = "POST /api/v1/namespaces/lab/pods";
inline const std::string kDelete = "DELETE *";

}  // namespace ym::recorded
