// The executor behind a TaskServer; see task_server.h.
#pragma once

#include <memory>

#include "executor/forwarding_executor.h"
#include "executor/remote/testing/task_server.h"

namespace ym::remote::testing {

class FrontedExecutor final : public ForwardingExecutor {
 public:
  FrontedExecutor(TaskServer& server, std::unique_ptr<Executor> executor)
      : ForwardingExecutor(std::move(executor)), server_(server) {}
  ~FrontedExecutor() override { server_.serve(nullptr); }

  // Before start() it does not know the live attempts, and would end all agents.
  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    auto started = behind().start(std::move(sink), live);
    if (started) server_.serve(task_link());
    return started;
  }

 private:
  TaskServer& server_;
};

}  // namespace ym::remote::testing
