// VirtualExecutor: simulated attempts (executor/simulated) with the clock of a simulation. take() returns the
// observations; no call reports them by itself.
#pragma once

#include <vector>

#include "executor/simulated/simulated_runs.h"
#include "sim/site/virtual_clock.h"

namespace ym::sim {

class VirtualExecutor final : public Executor {
 public:
  // The clock must outlive it.
  VirtualExecutor(std::vector<Node> nodes, const VirtualClock& clock) : nodes_(std::move(nodes)), clock_(clock) {}

  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override;
  Result<std::vector<Node>> inventory() override { return nodes_; }
  void launch(LaunchRequest request) override { runs_.launch(request, clock_.now(), seen_); }
  void stop(const Token& token, StopRequest request) override { runs_.stop(token, request, clock_.now(), seen_); }
  void deliver(const Token&, const Secret&) override {}
  Result<LogChunk> read_log(const LogQuery&) override;
  void release(const Token& token) override { runs_.release(token); }
  std::map<std::string, std::string> enforcement() const override { return {}; }

  // When something happens next; nothing: never.
  std::optional<Instant> next() const;
  // The observations until now.
  std::vector<Observation> take();

 private:
  std::vector<Node> nodes_;
  const VirtualClock& clock_;
  SimulatedRuns runs_;
  std::vector<Observation> seen_;
};

}  // namespace ym::sim
