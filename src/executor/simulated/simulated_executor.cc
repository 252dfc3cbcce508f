#include "executor/simulated/simulated_executor.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "executor/simulated/pace.h"
#include "executor/simulated/simulated_capacity.h"
#include "executor/simulated/simulated_runs.h"

namespace ym {
namespace {

using Steady = std::chrono::steady_clock;

class SimulatedExecutor final : public SimulatedCluster {
 public:
  SimulatedExecutor(SimulatedOptions options, const Clock& clock)
      : clock_(clock), capacity_(std::move(options.nodes)), pace_(options.calls_per_second) {}

  ~SimulatedExecutor() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    sink_ = std::move(sink);
    for (const auto& attempt : live)
      later([token = attempt.token()](Seen& seen) { seen.push_back({token, TokenIsUnknown{.nothing_lives = true}}); },
            Steady::now());
    thread_ = std::thread([this] { work(); });
    return {};
  }

  Result<std::vector<Node>> inventory() override {
    const std::lock_guard lock(mutex_);
    return capacity_.nodes();
  }

  void launch(LaunchRequest request) override {
    const std::lock_guard lock(mutex_);
    places_[request.token] = request.placement;
    later([this, request = std::move(request)](Seen& seen) { runs_.launch(request, clock_.now(), seen); },
          pace_.next(Steady::now()));
    changed_.notify_all();
  }

  void stop(const Token& token, StopRequest request) override {
    const std::lock_guard lock(mutex_);
    // It may be over and released before this call runs.
    const bool known = runs_.knows(token);
    later(
        [this, token, known, request = std::move(request)](Seen& seen) {
          if (!known || runs_.knows(token)) runs_.stop(token, request, clock_.now(), seen);
        },
        pace_.next(Steady::now()));
    changed_.notify_all();
  }

  void deliver(const Token&, const Secret&) override {}

  Result<LogChunk> read_log(const LogQuery&) override {
    return fail(ErrorCode::not_found, "a simulated job writes no log");
  }

  void release(const Token& token) override {
    const std::lock_guard lock(mutex_);
    runs_.release(token);
    places_.erase(token);
  }

  void provision(const Flavor& flavor) override {
    const std::lock_guard lock(mutex_);
    cluster_ = flavor.cluster;
    capacity_.provision(flavor, clock_.now());
    changed_.notify_all();
  }

  void set_nodes(std::vector<Node> nodes) override {
    const std::lock_guard lock(mutex_);
    capacity_.set_nodes(std::move(nodes));
    changed_.notify_all();
  }

  std::map<std::string, std::string> enforcement() const override {
    return {{"cpu limit", "simulated"}, {"memory limit", "simulated"}};
  }

 private:
  using Seen = SimulatedRuns::Seen;
  using Call = std::function<void(Seen&)>;

  // Precondition: the mutex is held, or the thread has not started.
  void later(Call call, Steady::time_point at) { calls_.emplace(std::pair(at, ++numbers_), std::move(call)); }

  // The next time with work to do. Precondition: the mutex is held.
  Steady::time_point idle_until() const {
    constexpr Duration kLongestWait = minutes(1);  // so that a clock that jumps is noticed
    Duration wait = kLongestWait;
    for (const auto& next : {runs_.next(), capacity_.next()})
      if (next) wait = std::min(wait, std::clamp(*next - clock_.now(), Duration{}, kLongestWait));
    const auto until = Steady::now() + std::chrono::milliseconds(wait.ms);
    return calls_.empty() ? until : std::min(until, calls_.begin()->first.first);
  }

  Seen look() {
    Seen seen;
    runs_.pass(clock_.now(), seen);
    if (auto nodes = capacity_.pass(clock_.now(), [this](const std::string& node) { return is_used(node); }))
      seen.push_back({.token = {}, .what = NodesAreSeen{.cluster = cluster_, .nodes = std::move(*nodes)}});
    while (!calls_.empty() && calls_.begin()->first.first <= Steady::now()) {
      const auto node = calls_.extract(calls_.begin());
      node.mapped()(seen);
    }
    return seen;
  }

  bool is_used(const std::string& node) const {
    return std::ranges::any_of(places_, [&](const auto& place) {
      return std::ranges::find(place.second, node, &TaskPlacement::node) != place.second.end();
    });
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      auto seen = look();
      if (seen.empty()) {
        changed_.wait_until(lock, idle_until());
        continue;
      }
      lock.unlock();
      for (auto& observation : seen) sink_(std::move(observation));
      lock.lock();
    }
  }

  const Clock& clock_;
  ObservationSink sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  SimulatedCapacity capacity_;                          // under mutex_, as all members below
  std::string cluster_;                                 // cluster of the new nodes
  std::map<Token, std::vector<TaskPlacement>> places_;  // launched and not released
  Pace pace_;
  std::map<std::pair<Steady::time_point, std::uint64_t>, Call> calls_;  // in order
  std::uint64_t numbers_ = 0;
  SimulatedRuns runs_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<SimulatedCluster> make_simulated_executor(SimulatedOptions options, const Clock& clock) {
  return std::make_unique<SimulatedExecutor>(std::move(options), clock);
}

}  // namespace ym
