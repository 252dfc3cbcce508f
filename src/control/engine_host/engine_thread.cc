#include "control/engine_host/engine_thread.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ym {
namespace {

constexpr std::int64_t kLongestEngineWait = 60'000;
// A forecast is renewed after this time even without events.
constexpr Duration kForecastKept = minutes(1);

// After a cycle that started no job, a cycle only for new jobs waits this long, and handles all jobs that arrive
// meanwhile. A cycle for each would take a core from the threads that answer submits.
constexpr std::chrono::milliseconds kRest{10};

// With this number of items, the thread takes them without waiting for the next decision.
constexpr std::size_t kMostUntaken = 64;

// A starting cycle waits for the threads that commit and answer, and does not take their core. On a small machine a
// submit would otherwise wait for the cycle of the submit before it. If the kernel refuses this, only that advantage is
// lost.
void yield_to_requests() {
  const sched_param none{};
  (void)sched_setscheduler(0, SCHED_BATCH, &none);
}

}  // namespace

EngineThread::EngineThread(engine::State state, engine::Policy policy, const Clock& clock,
                           std::function<void(std::shared_ptr<const EngineReport>)> propose, DecisionLog* log)
    : host_(std::move(state), std::move(policy)),
      clock_(clock),
      propose_(std::move(propose)),
      log_(log),
      report_(std::make_shared<EngineReport>()),
      forecaster_([this] { wake(false); }),
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

void EngineThread::follow(Events events, std::optional<PlanOutcome> outcome) {
  const auto reaction = EngineHost::reaction_to(*events);
  post(std::move(events), reaction, outcome);
}

void EngineThread::set_policy(engine::Policy policy) { post(std::move(policy), Reaction::at_once); }

// Wakes the thread only for work: a wake-up costs time on the committing thread.
void EngineThread::post(Item item, Reaction reaction, std::optional<PlanOutcome> outcome) {
  bool wakes = false;
  {
    const std::lock_guard lock(mutex_);
    inbox_.push_back(std::move(item));
    due_ = std::max(due_, reaction);
    if (outcome) settle(*outcome);
    wakes = has_work();
  }
  if (wakes) changed_.notify_one();
}

void EngineThread::settled(PlanOutcome outcome) {
  {
    const std::lock_guard lock(mutex_);
    settle(outcome);
  }
  changed_.notify_one();
}

// While a plan was out, the thread did not wait for due times. So it has to look now.
void EngineThread::settle(PlanOutcome outcome) {
  plan_out_ = false;
  poked_ = true;
  if (outcome == PlanOutcome::lost) due_ = Reaction::at_once;
}

bool EngineThread::may_decide() const {
  if (plan_out_ || due_ == Reaction::nothing) return false;
  return due_ == Reaction::at_once || std::chrono::steady_clock::now() >= pause_until_;
}

bool EngineThread::has_work() const { return stopping_ || poked_ || inbox_.size() >= kMostUntaken || may_decide(); }

std::shared_ptr<const EngineReport> EngineThread::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

// The time until something is due without a new item.
std::chrono::milliseconds EngineThread::wait_time() const {
  const auto next = report_->plan.next_wake;
  // Capped, so that a jump of the machine's clock cannot make it sleep for long. While a plan is out there is no
  // decision, even if one is late.
  auto wait_time = next && !plan_out_ ? std::clamp<std::int64_t>((*next - clock_.now()).ms, 0, kLongestEngineWait)
                                      : kLongestEngineWait;
  if (const auto due = forecast_due_in_ms()) wait_time = std::min(wait_time, *due);
  // New jobs do not wake it during its rest.
  if (std::chrono::steady_clock::now() < pause_until_) wait_time = std::min<std::int64_t>(wait_time, kRest.count());
  return std::chrono::milliseconds(wait_time + 1);
}

// Waits for work. Nothing: the thread is to stop.
std::optional<EngineThread::Work> EngineThread::wait_for_work() {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, wait_time(), [&] { return has_work(); });
  // Checked also after a wake-up by events that need no decision, because such events may come without pause.
  const auto next = report_->plan.next_wake;
  if (next && clock_.now() >= *next) due_ = Reaction::at_once;
  if (stopping_) return std::nullopt;
  Work work{.items = std::exchange(inbox_, {}), .decide = may_decide()};
  if (work.decide) due_ = Reaction::nothing;
  poked_ = false;
  return work;
}

void EngineThread::compare(engine::PolicyChange change, CompareReply reply) {
  post(Question{std::move(change), std::move(reply)}, Reaction::nothing);
  wake(false);
}

void EngineThread::take(Item& item) {
  if (auto* question = std::get_if<Question>(&item)) {
    forecaster_.compare(host_.state(), host_.policy(), clock_.now(), std::move(question->change),
                        std::move(question->reply));
  } else if (auto* policy = std::get_if<engine::Policy>(&item)) {
    if (log_) log_->policy_set(*policy);
    host_.set_policy(std::move(*policy));
  } else {
    if (log_) log_->followed(std::get<Events>(item));
    host_.follow(*std::get<Events>(item));
    forecaster_.follow(*std::get<Events>(item));
  }
}

void EngineThread::run() {
  yield_to_requests();
  while (auto work = wait_for_work()) {
    for (auto& item : work->items) take(item);
    if (work->decide) decide();
    make_forecast();
  }
}

// While a plan is out, it is not known which of its decisions will be carried out. Precondition: the lock is held.
std::optional<std::int64_t> EngineThread::forecast_due_in_ms() const {
  const auto& waiting = report_->plan.verdicts;
  if (plan_out_ || waiting.empty()) return std::nullopt;
  const auto rest = forecaster_.wait_ms();
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
  forecaster_.begin(host_.state(), host_.policy(), clock_.now(), waiting);
}

std::shared_ptr<const Outlook> EngineThread::outlook(JobId asked_about) {
  if (forecaster_.ask(asked_about)) wake(true);
  return forecaster_.latest();
}

void EngineThread::wake(bool outdated) {
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
  auto report = std::make_shared<EngineReport>(host_.decide(now));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  const bool decides = !report->plan.decisions.empty();
  {
    const std::lock_guard lock(mutex_);
    if (engine::only_defers(report->plan)) pause_until_ = std::chrono::steady_clock::now() + kRest;
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
