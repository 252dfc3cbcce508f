#include "control/control_loop.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "control/site/policy.h"

namespace ym {
namespace {

// How long a change of reasons waits for another change, so that one commit stores both.
constexpr auto kReasonsWait = std::chrono::milliseconds(20);

// Bounds the sleep if the machine's clock jumps.
constexpr std::int64_t kLongestWait = 60'000;

[[noreturn]] void end_process(const Error&) {
  spdlog::shutdown();
  std::_Exit(1);
}

}  // namespace

ControlLoop::ControlLoop(Store& store, Controller::Executors executors, const Clock& clock, ControlOptions options,
                         Hooks hooks)
    : clock_(clock),
      options_(std::move(options)),
      hooks_(std::move(hooks)),
      controller_(store, std::move(executors), clock, options_.controller,
                  [this](const Committed& committed, const Tables& tables) { published(committed, tables); }) {}

Result<void> ControlLoop::open(const DesiredState& desired) {
  if (auto opened = controller_.open(desired); !opened) return opened;
  if (options_.controller.usage_kept) controller_.set_usage_kept(policy_now().usage_kept);
  controller_.set_restart_cost(policy_now().restart_cost);
  controller_.set_user_limits(user_limits_of(settings_now()));
  news_.reset();  // the engine begins with all of it
  return {};
}

void ControlLoop::published(const Committed& committed, const Tables& tables) {
  news_ = committed.events;
  policy_is_new_ =
      policy_is_new_ || std::ranges::any_of(*committed.events, [](const Event& event) {
        return std::holds_alternative<PolicySet>(event.payload) || std::holds_alternative<PolicyRemoved>(event.payload);
      });
  hooks_.committed(committed, tables);
}

void ControlLoop::take(std::vector<ControlItem>& batch) {
  pausing_ = replaced_ || pause_.on(hooks_.steady_now());
  if (pausing_) postpone(batch);
  else work(batch);
}

void ControlLoop::store_progress() {
  if (pausing_) return;
  controller_.stage_progress();
  if (const auto stored = controller_.commit(); !stored)
    spdlog::warn("the last reports of progress were not stored: {}", stored.error().message);
}

bool ControlLoop::has_postponed_work() const { return !postponed_.empty() || plan_lost_ || controller_.has_staged(); }

std::optional<ControlLoop::Time> ControlLoop::idle_until() const {
  const auto now = hooks_.steady_now();
  if (replaced_) return std::nullopt;
  if (pause_.on(now)) return pause_.until();
  if (has_postponed_work()) return now;
  std::optional<Time> until;
  if (waiting_plan_) until = waiting_until_;
  if (const auto due = controller_.next_due()) {
    const auto left = std::chrono::milliseconds(std::clamp<std::int64_t>((*due - clock_.now()).ms, 0, kLongestWait));
    until = until ? std::min(*until, now + left) : now + left;
  }
  return until;
}

// During a pause, commands get an error from memory. All other items wait for the end of the pause.
void ControlLoop::postpone(std::vector<ControlItem>& batch) {
  for (auto& item : batch) {
    if (auto* command = std::get_if<CommandItem>(&item)) command->reply(std::unexpected(not_stored(error_)));
    else if (auto* prune = std::get_if<PruneItem>(&item)) prune->reply(std::unexpected(not_stored(error_)));
    else if (replaced_) continue;
    else if (auto* observation = std::get_if<Observation>(&item)) controller_.keep(std::move(*observation));
    else postponed_.push_back(std::move(item));
  }
}

bool ControlLoop::may_wait(const std::vector<ControlItem>& batch) const {
  if (batch.size() != 1 || waiting_plan_ || has_postponed_work()) return false;
  const auto* report = std::get_if<PlanItem>(&batch.front());
  return report && engine::only_defers((*report)->plan);
}

void ControlLoop::work(std::vector<ControlItem>& batch) {
  if (may_wait(batch)) {
    waiting_plan_ = std::get<PlanItem>(batch.front());
    waiting_until_ = hooks_.steady_now() + kReasonsWait;
    return;
  }
  // The probe comes before staging, because undoing staged changes means reading all tables again.
  if (pause_.failures() > 0) {
    if (const auto probed = controller_.probe(); !probed) {
      commit_failed(probed.error(), {});
      return postpone(batch);
    }
  }
  if (std::exchange(plan_lost_, false)) engine_->settled(EngineFeed::PlanOutcome::lost);
  Staged staged;
  for (auto& item : std::exchange(postponed_, {})) stage(item, staged);
  if (waiting_plan_) batch.insert(batch.begin(), ControlItem(std::exchange(waiting_plan_, nullptr)));
  for (auto& item : batch) stage(item, staged);
  controller_.do_due();
  const bool changes = controller_.has_changes();
  if (const auto committed = controller_.commit(); !committed) {
    commit_failed(committed.error(), std::move(staged));
    return;
  }
  if (const auto failures = changes ? pause_.stored() : 0; failures > 0)
    spdlog::info("changes can be stored again, after {} tries that failed", failures);
  commit_stored(staged);
}

void ControlLoop::stage(ControlItem& item, Staged& staged) {
  if (auto* command = std::get_if<CommandItem>(&item)) {
    controller_.stage(command->caller, command->command, std::move(command->reply), command->ended.get());
  } else if (auto* observation = std::get_if<Observation>(&item)) {
    controller_.stage(std::move(*observation));
  } else if (const auto* report = std::get_if<PlanItem>(&item)) {
    controller_.stage((*report)->plan);
    staged.plan = true;
  } else if (auto* audit = std::get_if<AuditItem>(&item)) {
    if (audit->seal) controller_.stage(std::move(*audit->seal), audit->after);
  } else if (auto* prune = std::get_if<PruneItem>(&item)) {
    prune->reply(controller_.prune(prune->to, prune->limit));
  } else {
    auto& configuration = std::get<ConfigurationItem>(item);
    if (const auto done = controller_.stage_configuration(configuration.desired); !done) {
      spdlog::error("the configuration was not reloaded: {}", done.error().message);
    } else {
      staged.configuration = std::move(configuration);
    }
  }
}

engine::Policy ControlLoop::policy_now() const { return policy_of(settings_now(), options_.base); }

PolicySettings ControlLoop::settings_now() const { return over(set_settings(controller_.tables()), options_.settings); }

void ControlLoop::apply_policy() {
  const engine::Policy policy = policy_now();
  controller_.set_usage_kept(policy.usage_kept);
  controller_.set_restart_cost(policy.restart_cost);
  controller_.set_user_limits(user_limits_of(settings_now()));
  engine_->set_policy(policy);
}

void ControlLoop::commit_stored(Staged& staged) {
  const auto outcome = staged.plan ? std::optional(EngineFeed::PlanOutcome::stored) : std::nullopt;
  if (news_) engine_->follow(std::exchange(news_, nullptr), outcome);
  else if (outcome) engine_->settled(*outcome);
  if (staged.configuration) {
    options_.settings = staged.configuration->settings;
    options_.base = std::move(staged.configuration->base);
    const AccessMode mode = mode_of(staged.configuration->desired.auth);
    controller_.set_access_mode(mode);
    hooks_.reconfigured(options_.settings, mode);
    if (staged.configuration->in_force) staged.configuration->in_force();
    spdlog::info("the configuration was reloaded");
  }
  if (std::exchange(policy_is_new_, false) || staged.configuration) apply_policy();
}

void ControlLoop::commit_failed(const Error& error, Staged staged) {
  failed_commits_ += 1;
  error_ = error;
  pausing_ = true;
  if (error.code == ErrorCode::conflict) {
    replaced_ = true;
    spdlog::critical("{}; this server ends", error.message);
    return options_.on_replaced ? options_.on_replaced(error) : end_process(error);
  }
  pause_.failed(hooks_.steady_now());
  if (pause_.should_log())
    spdlog::error("changes cannot be stored ({} tries in a row): {}", pause_.failures(), error.message);
  plan_lost_ = plan_lost_ || staged.plan;
  if (staged.configuration) postponed_.emplace_back(std::move(*staged.configuration));
}

}  // namespace ym
