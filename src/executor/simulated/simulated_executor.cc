#include "executor/simulated/simulated_executor.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "executor/simulated/behaviour.h"
#include "executor/simulated/pace.h"

namespace ym {
namespace {

using Steady = std::chrono::steady_clock;

std::chrono::milliseconds ms(Duration duration) { return std::chrono::milliseconds(duration.ms); }

// An attempt, from its launch or the stop before it until its release.
struct Run {
  std::size_t tasks = 0;  // 0: it was stopped before it was launched
  Behaviour behaviour;
  std::uint64_t ending = 0;  // the one that counts: a stop replaces it
  Steady::time_point ends_at;
  bool over = false;
};

class SimulatedExecutor final : public Executor {
 public:
  SimulatedExecutor(SimulatedOptions options, const Clock& clock)
      : nodes_(std::move(options.nodes)), clock_(clock), pace_(options.calls_per_second) {}

  ~SimulatedExecutor() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> start(ObservationSink sink, std::span<const Token> live) override {
    sink_ = std::move(sink);
    for (const Token& token : live)
      later(Steady::now(), [token] { return std::vector{Observation{token, TokenIsUnknown{.nothing_lives = true}}}; });
    thread_ = std::thread([this] { work(); });
    return {};
  }

  Result<std::vector<Node>> inventory() override { return nodes_; }

  void launch(LaunchRequest request) override {
    const std::lock_guard lock(mutex_);
    const auto at = pace_.next(Steady::now());
    later(at, [this, request = std::move(request)] { return launched(request); });
    changed_.notify_all();
  }

  void stop(const Token& token, StopRequest request) override {
    const std::lock_guard lock(mutex_);
    const auto at = pace_.next(Steady::now());
    // In between it may be over and released.
    const bool known = runs_.contains(token);
    later(at, [this, token, known, request = std::move(request)] {
      return known && !runs_.contains(token) ? std::vector<Observation>() : stopped(token, request);
    });
    changed_.notify_all();
  }

  void deliver(const Token&, const Secret&) override {}

  Result<LogChunk> read_log(const LogQuery&) override {
    return fail(ErrorCode::not_found, "a simulated job writes no log");
  }

  void release(const Token& token) override {
    const std::lock_guard lock(mutex_);
    runs_.erase(token);
  }

  std::map<std::string, std::string> enforcement() const override {
    return {{"cpu limit", "simulated"}, {"memory limit", "simulated"}};
  }

 private:
  using Step = std::function<std::vector<Observation>()>;

  // Precondition: the mutex is held, or the thread has not begun.
  void later(Steady::time_point at, Step step) { due_.emplace(std::pair(at, ++steps_), std::move(step)); }

  // What follows is called by the thread, which holds the mutex.
  std::vector<Observation> launched(const LaunchRequest& request) {
    const Token token = request.token;
    const auto [it, fresh] = runs_.try_emplace(token);
    Run& run = it->second;
    if (!fresh && run.tasks == 0) return {{token, LaunchRefused{.message = "it was stopped before it began"}}};
    if (!fresh) return {};
    run.tasks = request.placement.size();
    run.behaviour = behaviour_of(*request.spec);
    const auto limit = request.spec->time_limit;
    const bool too_long = limit && run.behaviour.run_time > *limit;
    TaskExit exit{.by = EndedBy::exit, .exit_code = run.behaviour.exit_code};
    if (too_long) exit = {.by = EndedBy::time_limit, .signal = 15};
    end_at(token, run, Steady::now() + ms(too_long ? *limit : run.behaviour.run_time), exit);
    std::vector<Observation> seen{{token, LaunchAccepted{}}, {token, LaunchPreparing{}}};
    for (std::size_t task = 0; task < run.tasks; ++task)
      seen.push_back({token, TaskIsRunning{static_cast<std::int32_t>(task)}});
    return seen;
  }

  std::vector<Observation> stopped(const Token& token, const StopRequest& request) {
    const auto [it, fresh] = runs_.try_emplace(token);
    Run& run = it->second;
    if (fresh) return {{token, LaunchRefused{.message = "it was stopped before it began"}}};
    if (run.over || run.tasks == 0) return {};
    const bool killed = run.behaviour.stop_time > request.grace;
    const auto at = Steady::now() + ms(killed ? request.grace : run.behaviour.stop_time);
    if (at < run.ends_at) end_at(token, run, at, {.by = EndedBy::signal, .signal = killed ? 9 : 15, .forced = killed});
    return {};
  }

  void end_at(const Token& token, Run& run, Steady::time_point at, const TaskExit& exit) {
    const std::uint64_t ending = ++run.ending;
    run.ends_at = at;
    later(at, [this, token, ending, exit] { return ended(token, ending, exit); });
  }

  std::vector<Observation> ended(const Token& token, std::uint64_t ending, TaskExit exit) {
    const auto it = runs_.find(token);
    if (it == runs_.end() || it->second.over || it->second.ending != ending) return {};
    it->second.over = true;
    exit.at = clock_.now();
    std::vector<Observation> seen;
    for (std::size_t task = 0; task < it->second.tasks; ++task)
      seen.push_back({token, TaskHasEnded{static_cast<std::int32_t>(task), exit}});
    return seen;
  }

  void work() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
      if (due_.empty()) {
        changed_.wait(lock);
        continue;
      }
      const auto first = due_.begin();
      if (first->first.first > Steady::now()) {
        changed_.wait_until(lock, first->first.first);
        continue;
      }
      const Step step = std::move(first->second);
      due_.erase(first);
      auto seen = step();
      lock.unlock();
      for (auto& observation : seen) sink_(std::move(observation));
      lock.lock();
    }
  }

  std::vector<Node> nodes_;
  const Clock& clock_;
  ObservationSink sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Pace pace_;                                                         // under mutex_, as is all that follows
  std::map<std::pair<Steady::time_point, std::uint64_t>, Step> due_;  // in order
  std::uint64_t steps_ = 0;
  std::map<Token, Run> runs_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Executor> make_simulated_executor(SimulatedOptions options, const Clock& clock) {
  return std::make_unique<SimulatedExecutor>(std::move(options), clock);
}

}  // namespace ym
