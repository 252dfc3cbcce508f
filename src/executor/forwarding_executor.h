// ForwardingExecutor: forwards all calls to another executor. A subclass overrides the calls that it changes.
#pragma once

#include <memory>
#include <utility>

#include "executor/executor.h"

namespace ym {

class ForwardingExecutor : public Executor {
 public:
  // Precondition: not null.
  explicit ForwardingExecutor(std::unique_ptr<Executor> executor) : executor_(std::move(executor)) {}

  std::string identity() const override { return executor_->identity(); }
  void begin_epoch(std::uint64_t epoch) override { executor_->begin_epoch(epoch); }
  void know_lost(IsLost is_lost) override { executor_->know_lost(std::move(is_lost)); }
  Result<std::vector<LostLaunch>> lost_launches() override { return executor_->lost_launches(); }
  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    return executor_->start(std::move(sink), live);
  }
  Result<std::vector<Node>> inventory() override { return executor_->inventory(); }
  void launch(LaunchRequest request) override { executor_->launch(std::move(request)); }
  TaskLink* task_link() override { return executor_->task_link(); }
  void open_barrier(const Token& token, std::span<const TaskClaim> claims) override {
    executor_->open_barrier(token, claims);
  }
  void stop(const Token& token, StopRequest request) override { executor_->stop(token, std::move(request)); }
  void deliver(const Token& token, const Secret& job_token) override { executor_->deliver(token, job_token); }
  Result<LogChunk> read_log(const LogQuery& query) override { return executor_->read_log(query); }
  void provision(const Flavor& flavor) override { executor_->provision(flavor); }
  void release(const Token& token) override { executor_->release(token); }
  std::map<std::string, std::string> enforcement() const override { return executor_->enforcement(); }

 protected:
  Executor& behind() { return *executor_; }

 private:
  const std::unique_ptr<Executor> executor_;
};

}  // namespace ym
