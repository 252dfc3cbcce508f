#include "control/engine_host/forecaster.h"

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/assert.h"

namespace ym {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The most jobs from requests, and the most jobs at the head of the order, for which it looks for changes.
constexpr std::size_t kMostAsked = 32, kFirstWaiting = 32;
// The most deadlines that are judged. Each may take a cycle.
constexpr std::size_t kMostJudged = 100;
// The most looks at a job over all trials. Changes for one job take about twenty cycles, and each cycle looks at all
// waiting jobs.
constexpr std::size_t kMostLooks = 10'000'000, kCyclesForOne = 20;

constexpr std::size_t kMostComparisons = 8;

constexpr auto kShortestRest = std::chrono::milliseconds(250);
constexpr int kRestForWork = 2;

// The thread gets idle time of the cores, but never none: other threads wait for its lock, if only for a moment. If the
// kernel refuses this, only that advantage is lost.
void give_way_to_all() {
  const sched_param none{};
  (void)sched_setscheduler(0, SCHED_BATCH, &none);
  (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 19);
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
  for (auto& left : comparisons_) left->reply(fail(ErrorCode::unavailable, "the server stops"));
}

void Forecaster::compare(const engine::State& state, const engine::Policy& policy, Instant now,
                         engine::PolicyChange change, CompareReply reply) {
  auto one = std::make_unique<Comparison>(state, policy, now, std::move(change), std::move(reply));
  if (auto refused = enter(std::move(one)))
    return refused->reply(fail(ErrorCode::rate_limited, "too many comparisons wait; try again"));
  changed_.notify_all();
}

std::optional<std::int64_t> Forecaster::wait_ms() const {
  const std::lock_guard lock(mutex_);
  if (busy_) return std::nullopt;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(rested_ - SteadyClock::now());
  return std::max<std::int64_t>(0, left.count());
}

// Also forgets requested jobs that do not wait any more.
std::vector<JobId> Forecaster::jobs_to_look_at(std::span<const JobId> waiting) {
  std::vector<JobId> jobs;
  if (!asked_.empty()) {
    const std::unordered_set<JobId> still(waiting.begin(), waiting.end());
    std::erase_if(asked_, [&](JobId job) { return !still.contains(job); });
    jobs.assign(asked_.begin(), asked_.end());
  }
  for (const auto job : waiting.first(std::min(waiting.size(), kFirstWaiting)))
    if (std::ranges::find(jobs, job) == jobs.end()) jobs.push_back(job);
  const std::size_t affordable = std::max<std::size_t>(1, kMostLooks / (kCyclesForOne * (waiting.size() + 1)));
  if (jobs.size() > affordable) jobs.resize(affordable);
  return jobs;
}

void Forecaster::begin(const engine::State& state, const engine::Policy& policy, Instant now,
                       std::span<const JobId> waiting) {
  Task task{.state = state,
            .policy = policy,
            .now = now,
            .jobs = {},
            .waiting = std::vector(waiting.begin(), waiting.end()),
            .margins = {}};
  {
    const std::lock_guard lock(mutex_);
    YM_ASSERT(!busy_);
    task.jobs = jobs_to_look_at(waiting);
    trials_.settle(now);
    trials_.begun();
    task.margins = trials_.margins();
    task_ = std::move(task);
    busy_ = true;
  }
  changed_.notify_all();
}

void Forecaster::follow(const std::vector<Event>& events) {
  const std::lock_guard lock(mutex_);
  for (const Event& event : events) trials_.follow(event);
}

// Returns the comparison if there is no room for it.
std::unique_ptr<Forecaster::Comparison> Forecaster::enter(std::unique_ptr<Comparison> one) {
  const std::lock_guard lock(mutex_);
  if (comparisons_.size() == kMostComparisons) return one;
  comparisons_.push_back(std::move(one));
  asked_first_ = true;
  return nullptr;
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

void Forecaster::judge_deadlines(Task& task, Outlook& outlook) const {
  engine::DeadlineJudge judge(task.state, task.policy, outlook.forecast);
  for (const JobId job : task.waiting) {
    if (stopping_ || asked_first_ || outlook.deadlines.size() == kMostJudged) return;
    if (auto verdict = judge.judge(job)) outlook.deadlines.emplace(job, std::move(*verdict));
  }
}

Outlook Forecaster::look(Task& task) const {
  const auto go_on = [this] { return !stopping_ && !asked_first_; };
  Outlook outlook{
      .forecast = engine::forecast(task.state, task.policy, task.now, {.go_on = go_on}), .sooner = {}, .deadlines = {}};
  outlook.forecast.margins = task.margins;
  judge_deadlines(task, outlook);
  engine::Sooner sooner(task.state, task.policy, task.now, go_on);
  for (const auto job : task.jobs)
    if (go_on() && !outlook.sooner.contains(job)) outlook.sooner.emplace(job, sooner.changes_for(job));
  return outlook;
}

void Forecaster::run() {
  give_way_to_all();
  while (auto work = next_work()) std::visit([this](auto& one) { carry_out(std::move(one)); }, *work);
}

std::optional<Forecaster::Work> Forecaster::next_work() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return stopping_ || task_ || !comparisons_.empty(); });
  if (stopping_) return std::nullopt;
  if (comparisons_.empty()) return std::move(*std::exchange(task_, std::nullopt));
  auto one = std::move(comparisons_.front());
  comparisons_.pop_front();
  asked_first_ = !comparisons_.empty();
  return one;
}

void Forecaster::carry_out(std::unique_ptr<Comparison> asked) {
  Comparison& one = *asked;
  auto diff = engine::compare(one.state, one.policy, one.now, one.change, {.go_on = [this] { return !stopping_; }});
  if (stopping_) one.reply(fail(ErrorCode::unavailable, "the server stops"));
  else one.reply(std::move(diff));
}

// If a comparison is requested meanwhile, the forecast is made again after it. Nothing large is freed under the lock.
void Forecaster::carry_out(Task task) {
  const auto before = SteadyClock::now();
  auto outlook = std::make_shared<const Outlook>(look(task));
  const auto now = SteadyClock::now();
  {
    const std::lock_guard lock(mutex_);
    if (asked_first_) {
      task_ = std::move(task);
      return;
    }
    latest_.swap(outlook);
    trials_.made(task.state, latest_->forecast);
    rested_ = now + std::max<SteadyClock::duration>(kShortestRest, (now - before) * kRestForWork);
    busy_ = false;
  }
  done_();
}

}  // namespace ym
