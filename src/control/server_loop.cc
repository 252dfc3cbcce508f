// The control thread of ControlServer: batches, group commits, and what happens when one
// fails.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "control/server.h"

namespace ym {
namespace {

// Bounds the size of one transaction, and with it the wait of those behind it.
constexpr std::size_t kMaxBatch = 1024;

// For how long a change of reasons waits for another change to be stored with.
constexpr auto kReasonsWait = std::chrono::milliseconds(20);

// So that a clock of the machine that jumps cannot make it sleep for long.
constexpr std::int64_t kLongestNap = 60'000;

auto steady_now() { return std::chrono::steady_clock::now(); }

[[noreturn]] void end_process(const Error&) {
  spdlog::shutdown();
  std::_Exit(1);
}

}  // namespace

void ControlServer::post(Item item) {
  {
    const std::lock_guard lock(inbox_mutex_);
    inbox_.push_back(std::move(item));
  }
  inbox_filled_.notify_one();
}

void ControlServer::execute(Caller caller, Command command, Reply reply) {
  auto ended = ended_job_of(command);
  post(CommandItem{std::move(caller), std::move(command), std::move(reply), std::move(ended)});
}

void ControlServer::reconfigure(DesiredState desired, engine::Policy policy) {
  post(ConfigurationItem{std::move(desired), policy});
}

void ControlServer::run() {
  while (auto batch = wait_for_batch()) {
    pausing_ = replaced_ || pause_.on(steady_now());
    if (pausing_) set_aside(*batch);
    else work(*batch);
  }
  if (!pausing_) store_progress();
}

// What user code said last, and what would be stored a little later.
void ControlServer::store_progress() {
  controller_.stage_progress();
  if (const auto stored = controller_.commit(); !stored)
    spdlog::warn("the last reports of progress were not stored: {}", stored.error().message);
}

bool ControlServer::has_work_kept() const { return !kept_.empty() || plan_lost_ || controller_.has_staged(); }

// Until when there is nothing to do, unless something arrives; nothing: for ever.
std::optional<std::chrono::steady_clock::time_point> ControlServer::idle_until() const {
  const auto now = steady_now();
  if (replaced_) return std::nullopt;
  if (pause_.on(now)) return pause_.until();
  if (has_work_kept()) return now;
  std::optional<std::chrono::steady_clock::time_point> until;
  if (waiting_plan_) until = waiting_until_;
  if (const auto due = controller_.next_due()) {
    const auto left = std::chrono::milliseconds(std::clamp<std::int64_t>((*due - clock_.now()).ms, 0, kLongestNap));
    until = until ? std::min(*until, now + left) : now + left;
  }
  return until;
}

// Nothing when it is time to stop. Empty when a pause is over and something was kept, or when
// something is due.
std::optional<std::vector<ControlServer::Item>> ControlServer::wait_for_batch() {
  std::unique_lock lock(inbox_mutex_);
  const auto ready = [&] { return stopping_ || !inbox_.empty(); };
  if (const auto until = idle_until()) inbox_filled_.wait_until(lock, *until, ready);
  else inbox_filled_.wait(lock, ready);
  if (stopping_ && inbox_.empty()) return std::nullopt;
  const auto end = inbox_.begin() + static_cast<std::ptrdiff_t>(std::min(inbox_.size(), kMaxBatch));
  std::vector<Item> batch(std::make_move_iterator(inbox_.begin()), std::make_move_iterator(end));
  inbox_.erase(inbox_.begin(), end);
  return batch;
}

// During a pause: commands are answered from memory, all else waits for its end.
void ControlServer::set_aside(std::vector<Item>& batch) {
  for (auto& item : batch) {
    if (auto* command = std::get_if<CommandItem>(&item)) command->reply(std::unexpected(not_stored(trouble_)));
    else if (auto* token = std::get_if<TokenItem>(&item))
      token->stored.set_value(std::unexpected(not_stored(trouble_)));
    else if (replaced_) continue;
    else if (auto* observation = std::get_if<Observation>(&item)) controller_.keep(std::move(*observation));
    else kept_.push_back(std::move(item));
  }
}

bool ControlServer::may_wait(const std::vector<Item>& batch) const {
  if (batch.size() != 1 || waiting_plan_ || has_work_kept()) return false;
  const auto* report = std::get_if<PlanItem>(&batch.front());
  return report && std::ranges::all_of((*report)->plan.decisions, [](const engine::Decision& decision) {
           return std::holds_alternative<engine::Deferral>(decision);
         });
}

void ControlServer::work(std::vector<Item>& batch) {
  if (may_wait(batch)) {
    waiting_plan_ = std::get<PlanItem>(batch.front());
    waiting_until_ = steady_now() + kReasonsWait;
    return;
  }
  // What cannot be stored is better not staged: to take it back, all tables are read again.
  if (pause_.failures() > 0) {
    if (const auto probed = controller_.probe(); !probed) {
      commit_failed(probed.error(), {});
      return set_aside(batch);
    }
  }
  if (std::exchange(plan_lost_, false)) engine_->settled(EngineThread::PlanFate::lost);
  Staged staged;
  for (auto& item : std::exchange(kept_, {})) stage(item, staged);
  if (waiting_plan_) batch.insert(batch.begin(), Item(std::exchange(waiting_plan_, nullptr)));
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

void ControlServer::stage(Item& item, Staged& staged) {
  if (auto* command = std::get_if<CommandItem>(&item)) {
    controller_.stage(command->caller, command->command, std::move(command->reply), command->ended.get());
  } else if (auto* observation = std::get_if<Observation>(&item)) {
    controller_.stage(std::move(*observation));
  } else if (const auto* report = std::get_if<PlanItem>(&item)) {
    controller_.stage((*report)->plan);
    staged.plan = true;
  } else if (auto* token = std::get_if<TokenItem>(&item)) {
    auto added = controller_.add_token(std::move(token->record));
    if (added) token_book_.reset(controller_.tokens());
    token->stored.set_value(std::move(added));
  } else {
    auto& configuration = std::get<ConfigurationItem>(item);
    if (const auto done = controller_.stage_configuration(configuration.desired); !done) {
      spdlog::error("the configuration was not reloaded: {}", done.error().message);
    } else {
      staged.configuration = std::move(configuration);
    }
  }
}

void ControlServer::commit_stored(const Staged& staged) {
  const auto fate = staged.plan ? std::optional(EngineThread::PlanFate::stored) : std::nullopt;
  if (news_) engine_->follow(std::exchange(news_, nullptr), fate);
  else if (fate) engine_->settled(*fate);
  if (staged.configuration) {
    controller_.set_usage_kept(staged.configuration->policy.usage_kept);
    engine_->set_policy(staged.configuration->policy);
    spdlog::info("the configuration was reloaded");
  }
}

void ControlServer::commit_failed(const Error& error, Staged staged) {
  failed_commits_ += 1;
  trouble_ = error;
  pausing_ = true;
  if (error.code == ErrorCode::conflict) {
    replaced_ = true;
    spdlog::critical("{}; this server ends", error.message);
    return options_.on_replaced ? options_.on_replaced(error) : end_process(error);
  }
  pause_.failed(steady_now());
  if (pause_.worth_saying())
    spdlog::error("changes cannot be stored ({} tries in a row): {}", pause_.failures(), error.message);
  plan_lost_ = plan_lost_ || staged.plan;
  if (staged.configuration) kept_.emplace_back(std::move(*staged.configuration));
}

}  // namespace ym
