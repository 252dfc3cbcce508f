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

constexpr std::size_t kMostComparisons = 8;

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
  for (auto& left : comparisons_) left.reply(fail(ErrorCode::unavailable, "the server stops"));
}

void Forecaster::compare(const engine::State& state, const engine::Policy& policy, Instant now,
                         engine::PolicyChange change, CompareReply reply) {
  std::unique_lock lock(mutex_);
  if (comparisons_.size() == kMostComparisons) {
    lock.unlock();
    return reply(fail(ErrorCode::rate_limited, "too many comparisons are waited for; try again in a moment"));
  }
  comparisons_.push_back({state, policy, now, std::move(change), std::move(reply)});
  asked_first_ = true;
  lock.unlock();
  changed_.notify_all();
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

Outlook Forecaster::look(const Task& task) const {
  const auto go_on = [this] { return !stopping_ && !asked_first_; };
  engine::State state = task.state;
  Outlook outlook{.forecast = engine::forecast(state, task.policy, task.now, {.go_on = go_on}), .sooner = {}};
  engine::Sooner sooner(state, task.policy, task.now);
  for (const auto job : task.jobs)
    if (go_on() && !outlook.sooner.contains(job)) outlook.sooner.emplace(job, sooner.changes_for(job));
  return outlook;
}

void Forecaster::run() {
  give_way_to_all();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || task_ || !comparisons_.empty(); });
    if (stopping_) return;
    if (comparisons_.empty()) look_ahead(lock);
    else answer(lock);
  }
}

void Forecaster::answer(std::unique_lock<std::mutex>& lock) {
  Comparison one = std::move(comparisons_.front());
  comparisons_.pop_front();
  lock.unlock();
  auto diff = engine::compare(one.state, one.policy, one.now, one.change, {.go_on = [this] { return !stopping_; }});
  if (stopping_) one.reply(fail(ErrorCode::unavailable, "the server stops"));
  else one.reply(std::move(diff));
  lock.lock();
  asked_first_ = !comparisons_.empty();
}

// Where somebody asks for a comparison meanwhile it is begun again after that.
void Forecaster::look_ahead(std::unique_lock<std::mutex>& lock) {
  Task task = std::move(*std::exchange(task_, std::nullopt));
  lock.unlock();
  const auto before = SteadyClock::now();
  auto outlook = std::make_shared<const Outlook>(look(task));
  const auto now = SteadyClock::now();
  lock.lock();
  if (asked_first_) {
    task_ = std::move(task);
    return;
  }
  latest_ = std::move(outlook);
  rested_ = now + std::max<SteadyClock::duration>(kShortestRest, (now - before) * kRestForWork);
  busy_ = false;
  lock.unlock();
  done_();
  lock.lock();
}

}  // namespace ym
