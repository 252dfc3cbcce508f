// An executor that only records its requests. The test sets the results.
#pragma once

#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

#include "executor/executor.h"

namespace ym::testing {

class RecordingExecutor : public Executor {
 public:
  struct Stopped {
    Token token;
    StopRequest request;
  };

  void begin_epoch(std::uint64_t epoch) override {
    const std::lock_guard lock(mutex_);
    epochs_.push_back(epoch);
  }
  void know_lost(IsLost is_lost) override {
    const std::lock_guard lock(mutex_);
    is_lost_ = std::move(is_lost);
  }
  Result<std::vector<LostLaunch>> lost_launches() override {
    const std::lock_guard lock(mutex_);
    return lost_;
  }
  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    // Threads that may act before this returns get the time to.
    if (!reported_at_start_.empty()) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (const auto& observation : reported_at_start_) sink(observation);
    const std::lock_guard lock(mutex_);
    sink_ = std::move(sink);
    attempts_at_start_.assign(live.begin(), live.end());
    live_at_start_.clear();
    for (const auto& attempt : live) live_at_start_.push_back(attempt.token());
    return {};
  }
  Result<std::vector<Node>> inventory() override { return std::vector<Node>{}; }
  void launch(LaunchRequest request) override {
    const std::lock_guard lock(mutex_);
    launched_.push_back(std::move(request));
  }
  void open_barrier(const Token& token, std::span<const TaskClaim> claims) override {
    const std::lock_guard lock(mutex_);
    barriers_.emplace_back(token, std::vector(claims.begin(), claims.end()));
  }
  void stop(const Token& token, StopRequest request) override {
    const std::lock_guard lock(mutex_);
    stopped_.push_back({token, std::move(request)});
  }
  void deliver(const Token& token, const Secret& job_token) override {
    const std::lock_guard lock(mutex_);
    delivered_.emplace_back(token, job_token);
  }
  Result<LogChunk> read_log(const LogQuery&) override { return fail(ErrorCode::not_found, "no log"); }
  void release(const Token& token) override {
    const std::lock_guard lock(mutex_);
    released_.push_back(token);
  }
  void provision(const Flavor& flavor) override {
    const std::lock_guard lock(mutex_);
    provisioned_.push_back(flavor);
  }
  std::map<std::string, std::string> enforcement() const override { return {}; }

  // --- for the test
  // What the next start() reports, a moment after the call.
  void report_at_start(std::vector<Observation> observations) { reported_at_start_ = std::move(observations); }
  void set_lost(Result<std::vector<LostLaunch>> lost) {
    const std::lock_guard lock(mutex_);
    lost_ = std::move(lost);
  }
  bool is_lost(const Token& token) const { return is_lost_(token); }
  void report(const Observation& observation) { sink_(observation); }
  std::vector<Flavor> provisioned() const { return copy(provisioned_); }
  std::vector<LaunchRequest> launched() const { return copy(launched_); }
  std::vector<Stopped> stopped() const { return copy(stopped_); }
  std::vector<Token> released() const { return copy(released_); }
  std::vector<std::pair<Token, Secret>> delivered() const { return copy(delivered_); }
  std::vector<std::pair<Token, std::vector<TaskClaim>>> barriers() const { return copy(barriers_); }
  std::vector<LiveAttempt> attempts_at_start() const { return copy(attempts_at_start_); }
  std::vector<std::uint64_t> epochs() const { return copy(epochs_); }
  std::vector<Token> live_at_start() const { return copy(live_at_start_); }

 private:
  template <class T>
  std::vector<T> copy(const std::vector<T>& list) const {
    const std::lock_guard lock(mutex_);
    return list;
  }

  mutable std::mutex mutex_;
  ObservationSink sink_;
  std::vector<Observation> reported_at_start_;
  IsLost is_lost_;
  Result<std::vector<LostLaunch>> lost_ = std::vector<LostLaunch>{};
  std::vector<std::uint64_t> epochs_;
  std::vector<LaunchRequest> launched_;
  std::vector<Flavor> provisioned_;
  std::vector<Stopped> stopped_;
  std::vector<Token> released_;
  std::vector<std::pair<Token, Secret>> delivered_;
  std::vector<Token> live_at_start_;
  std::vector<LiveAttempt> attempts_at_start_;
  std::vector<std::pair<Token, std::vector<TaskClaim>>> barriers_;
};

// A clock that the test moves.
class ManualClock : public Clock {
 public:
  Instant now() const override {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  void advance(Duration d) {
    const std::lock_guard lock(mutex_);
    now_ = now_ + d;
  }
  void set(Instant t) {
    const std::lock_guard lock(mutex_);
    now_ = t;
  }

 private:
  mutable std::mutex mutex_;
  Instant now_{1'790'000'000'000};
};

}  // namespace ym::testing
