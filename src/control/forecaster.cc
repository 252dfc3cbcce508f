#include "control/forecaster.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace ym {
namespace {

using SteadyClock = std::chrono::steady_clock;

// So many who were asked about, and so many of the first who wait.
constexpr std::size_t kMostAsked = 32, kFirstWaiting = 32;
// Jobs to look at in all trials; a job takes some twenty cycles, each of which looks at all that wait.
constexpr std::size_t kMostLooks = 10'000'000, kCyclesForOne = 20;

constexpr auto kShortestRest = std::chrono::milliseconds(250);
constexpr int kRestForWork = 2;

// It runs when nobody else would. Refused by the kernel it only costs that.
void give_way_to_all() {
  const sched_param none{};
  (void)sched_setscheduler(0, SCHED_IDLE, &none);
}

}  // namespace

Forecaster::Forecaster(std::function<void()> done)
    : done_(std::move(done)), latest_(std::make_shared<Outlook>()), thread_([this] { run(); }) {}

Forecaster::~Forecaster() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::optional<std::int64_t> Forecaster::rest_ms() const {
  const std::lock_guard lock(mutex_);
  if (busy_) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(rested_ - SteadyClock::now());
  return std::max<std::int64_t>(0, left.count());
}

void Forecaster::begin(const engine::State& state, const engine::Policy& policy, Instant now,
                       std::span<const JobId> waiting) {
  Task task{.state = state, .policy = policy, .now = now, .jobs = {}};
  {
    const std::lock_guard lock(mutex_);
    YM_ASSERT(!busy_);
    const std::size_t affordable = std::max<std::size_t>(1, kMostLooks / (kCyclesForOne * (waiting.size() + 1)));
    task.jobs.assign(asked_.begin(), asked_.end());
    const auto first = waiting.first(std::min(waiting.size(), kFirstWaiting));
    task.jobs.insert(task.jobs.end(), first.begin(), first.end());
    if (task.jobs.size() > affordable) task.jobs.resize(affordable);
    task_ = std::move(task);
    busy_ = true;
  }
  changed_.notify_all();
}

std::shared_ptr<const Outlook> Forecaster::latest() const {
  const std::lock_guard lock(mutex_);
  return latest_;
}

bool Forecaster::ask(JobId job) {
  const std::lock_guard lock(mutex_);
  std::erase(asked_, job);
  asked_.push_front(job);
  if (asked_.size() > kMostAsked) asked_.pop_back();
  return !latest_->sooner.contains(job);
}

Outlook Forecaster::look(Task task) const {
  const engine::ForecastBounds bounds{.go_on = [this] { return !stopping_; }};
  Outlook outlook{.forecast = engine::forecast(task.state, task.policy, task.now, bounds), .sooner = {}};
  engine::Sooner sooner(task.state, task.policy, task.now);
  for (const auto job : task.jobs)
    if (!stopping_ && !outlook.sooner.contains(job)) outlook.sooner.emplace(job, sooner.changes_for(job));
  return outlook;
}

void Forecaster::run() {
  give_way_to_all();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || task_; });
    if (stopping_) return;
    Task task = std::move(*std::exchange(task_, std::nullopt));
    lock.unlock();
    const auto before = SteadyClock::now();
    auto outlook = std::make_shared<const Outlook>(look(std::move(task)));
    const auto now = SteadyClock::now();
    lock.lock();
    latest_ = std::move(outlook);
    rested_ = now + std::max<SteadyClock::duration>(kShortestRest, (now - before) * kRestForWork);
    busy_ = false;
    lock.unlock();
    done_();
    lock.lock();
  }
}

}  // namespace ym
