#include "control/engine_thread.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ym {
namespace {

constexpr std::int64_t kLongestNap = 60'000;
// Even if nothing happens, time goes on.
constexpr Duration kForecastKept = minutes(1);

// A cycle that begins waits for the thread that commits and those that answer, rather than push
// them off their core: on a small machine a submit would otherwise wait for the cycle that the one
// before it set off. Refused by the kernel it only costs that.
void yield_to_requests() {
  const sched_param none{};
  (void)sched_setscheduler(0, SCHED_BATCH, &none);
}

}  // namespace

EngineThread::EngineThread(engine::State state, engine::Policy policy, const Clock& clock,
                           std::function<void(std::shared_ptr<const EngineReport>)> propose, DecisionLog* log)
    : desk_(std::move(state), std::move(policy)),
      clock_(clock),
      propose_(std::move(propose)),
      log_(log),
      report_(std::make_shared<EngineReport>()),
      forecaster_([this] { poke(false); }),
      thread_([this] { run(); }) {}

EngineThread::~EngineThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  for (auto& item : inbox_)
    if (auto* left = std::get_if<Question>(&item)) left->reply(fail(ErrorCode::unavailable, "the server stops"));
}

void EngineThread::follow(Events events, std::optional<PlanFate> fate) { post(std::move(events), fate); }

void EngineThread::set_policy(engine::Policy policy) { post(std::move(policy)); }

void EngineThread::post(Item item, std::optional<PlanFate> fate) {
  {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(item));
    if (fate) settle(*fate);
  }
  changed_.notify_one();
}

void EngineThread::settled(PlanFate fate) {
  {
    const std::lock_guard lock(mutex_);
    settle(fate);
  }
  changed_.notify_one();
}

// Precondition: the lock is held.
void EngineThread::settle(PlanFate fate) {
  plan_out_ = false;
  dirty_ = dirty_ || fate == PlanFate::lost;
}

std::shared_ptr<const EngineReport> EngineThread::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

// Waits until there are events to follow or a decision is due; false to stop.
bool EngineThread::wait_for_work(std::vector<Item>& batch) {
  std::unique_lock lock(mutex_);
  const auto next = report_->plan.next_wake;
  // Capped, so that a jump of the machine's clock cannot make it sleep for long.
  // While a plan is out nothing is decided, however late it is.
  auto nap = next && !plan_out_ ? std::clamp<std::int64_t>((*next - clock_.now()).ms, 0, kLongestNap) : kLongestNap;
  if (const auto due = forecast_due_in_ms()) nap = std::min(nap, *due);
  const auto ready = [&] { return stopping_ || poked_ || !inbox_.empty() || (dirty_ && !plan_out_); };
  changed_.wait_for(lock, std::chrono::milliseconds(nap + 1), ready);
  // Also when it was woken by events that call for no decision: they may never pause.
  dirty_ = dirty_ || (next && clock_.now() >= *next);
  if (stopping_) return false;
  batch = std::exchange(inbox_, {});
  poked_ = false;
  return true;
}

void EngineThread::compare(engine::PolicyChange change, CompareReply reply) {
  post(Question{std::move(change), std::move(reply)});
}

bool EngineThread::take(Item& item) {
  if (auto* question = std::get_if<Question>(&item)) {
    forecaster_.compare(desk_.state(), desk_.policy(), clock_.now(), std::move(question->change),
                        std::move(question->reply));
    return false;
  }
  if (auto* policy = std::get_if<engine::Policy>(&item)) {
    if (log_) log_->policy_set(*policy);
    desk_.set_policy(std::move(*policy));
    return true;
  }
  if (log_) log_->followed(std::get<Events>(item));
  return desk_.follow(*std::get<Events>(item));
}

void EngineThread::run() {
  yield_to_requests();
  std::vector<Item> batch;
  while (wait_for_work(batch)) {
    bool due = false;
    for (auto& item : batch) due = take(item) || due;
    {
      const std::lock_guard lock(mutex_);
      dirty_ = dirty_ || due;
      due = dirty_ && !plan_out_;
      if (due) dirty_ = false;
    }
    if (due) decide();
    make_forecast();
  }
}

// While a plan is out it is not known yet what of it is done. Precondition: the lock is held.
std::optional<std::int64_t> EngineThread::forecast_due_in_ms() const {
  const auto& waiting = report_->plan.verdicts;
  if (plan_out_ || waiting.empty()) return std::nullopt;
  const auto rest = forecaster_.rest_ms();
  const bool old = clock_.now() - forecaster_.latest()->forecast.as_of >= kForecastKept;
  return rest && (outdated_ || old) ? rest : std::nullopt;
}

void EngineThread::make_forecast() {
  std::shared_ptr<const EngineReport> report;
  {
    const std::lock_guard lock(mutex_);
    if (forecast_due_in_ms() != 0) return;
    outdated_ = false;
    report = report_;
  }
  std::vector<JobId> waiting;
  for (const auto& verdict : report->plan.verdicts) waiting.push_back(verdict.job);
  forecaster_.begin(desk_.state(), desk_.policy(), clock_.now(), waiting);
}

std::shared_ptr<const Outlook> EngineThread::outlook(JobId asked_about) {
  if (forecaster_.ask(asked_about)) poke(true);
  return forecaster_.latest();
}

void EngineThread::poke(bool outdated) {
  {
    const std::lock_guard lock(mutex_);
    outdated_ = outdated_ || outdated;
    poked_ = true;
  }
  changed_.notify_one();
}

void EngineThread::decide() {
  const auto before = std::chrono::steady_clock::now();
  const Instant now = clock_.now();
  auto report = std::make_shared<EngineReport>(desk_.decide(now));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  const bool decides = !report->plan.decisions.empty();
  {
    const std::lock_guard lock(mutex_);
    report->cycles = report_->cycles;
    report->cycles.add(took.count());
    report_ = report;
    plan_out_ = decides;
    outdated_ = true;
  }
  if (log_) log_->decided(now, report);
  if (decides) propose_(std::move(report));
}

}  // namespace ym
