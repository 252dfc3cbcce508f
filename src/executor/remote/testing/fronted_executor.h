// The executor behind a TaskServer; see task_server.h.
#pragma once

#include <memory>

#include "executor/remote/testing/task_server.h"

namespace ym::remote::testing {

class FrontedExecutor final : public Executor {
 public:
  FrontedExecutor(TaskServer& server, std::unique_ptr<Executor> executor)
      : server_(server), executor_(std::move(executor)) {}
  ~FrontedExecutor() override { server_.serve(nullptr); }

  // Before it knows what lives, it would send everybody home.
  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    auto started = executor_->start(std::move(sink), live);
    if (started) server_.serve(executor_->task_link());
    return started;
  }
  Result<std::vector<Node>> inventory() override { return executor_->inventory(); }
  void launch(LaunchRequest request) override { executor_->launch(std::move(request)); }
  TaskLink* task_link() override { return executor_->task_link(); }
  void open_gate(const Token& token, std::span<const TaskClaim> claims) override {
    executor_->open_gate(token, claims);
  }
  void stop(const Token& token, StopRequest request) override { executor_->stop(token, std::move(request)); }
  void deliver(const Token& token, const Secret& job_token) override { executor_->deliver(token, job_token); }
  Result<LogChunk> read_log(const LogQuery& query) override { return executor_->read_log(query); }
  void provision(const Flavor& flavor) override { executor_->provision(flavor); }
  void release(const Token& token) override { executor_->release(token); }
  std::map<std::string, std::string> enforcement() const override { return executor_->enforcement(); }

 private:
  TaskServer& server_;
  std::unique_ptr<Executor> executor_;
};

}  // namespace ym::remote::testing
