#include "fault_injection/simulated_environment.h"

#include <utility>
#include <vector>

#include "fault_injection/server_dies.h"

namespace ym::sim {

void SimulatedEnvironment::serve(Incarnation* server) {
  server_ = server;
  if (!server) return;
  if (armed_) server->store().arm(*armed_);
  for_executors([this](UnreliableExecutor& executor) {
    executor.suffer(how_);
    if (cut_) executor.cut_contact();
  });
}

void SimulatedEnvironment::kill(bool with_power) {
  if (with_power) disk_.power_was_lost(random_);
  else disk_.server_was_killed();
  armed_.reset();
  throw ServerDies();
}

void SimulatedEnvironment::strike(const FaultKind& fault) {
  if (std::visit([this](const auto& one) { return begin(one); }, fault)) happened_(fault);
}

void SimulatedEnvironment::end_what_is_over() {
  while (!ends_.empty() && ends_.begin()->first <= clock_.now()) ends_.extract(ends_.begin()).mapped()();
}

std::optional<Instant> SimulatedEnvironment::next_end() const {
  return ends_.empty() ? std::nullopt : std::optional(ends_.begin()->first);
}

void SimulatedEnvironment::for_executors(const std::function<void(UnreliableExecutor&)>& act) {
  if (!server_) return;
  for (auto& [cluster, executor] : server_->executors()) act(executor);
}

bool SimulatedEnvironment::begin(const DieAtStep& die) {
  armed_ = die;
  if (server_) server_->store().arm(die);
  return false;
}

bool SimulatedEnvironment::begin(const DieNow& die) {
  if (!server_) return false;
  happened_(die);
  kill(die.with_power);
}

bool SimulatedEnvironment::begin(const DiskFails& fails) {
  disk_.fail_writes(fails.after_writes, fails.is_full);
  end_after(fails.lasts, [this] { disk_.heal(); });
  return true;
}

bool SimulatedEnvironment::begin(const ClockJumps& jumps) {
  wall_is_ahead_ = wall_is_ahead_ + jumps.by;
  return true;
}

bool SimulatedEnvironment::begin(const RepliesSuffer& how) {
  how_ = how;
  for_executors([&](UnreliableExecutor& executor) { executor.suffer(how); });
  end_after(how.lasts, [this] {
    how_ = {};
    for_executors([](UnreliableExecutor& executor) { executor.suffer({}); });
  });
  return true;
}

bool SimulatedEnvironment::begin(const ContactIsCut& cut) {
  cut_ = true;
  for_executors([](UnreliableExecutor& executor) { executor.cut_contact(); });
  end_after(cut.lasts, [this] {
    cut_ = false;
    for_executors([](UnreliableExecutor& executor) { executor.restore_contact(); });
  });
  return true;
}

bool SimulatedEnvironment::begin(const TaskDies&) {
  std::vector<std::pair<Token, std::int32_t>> tasks;
  for (const auto& [token, run] : machines_.runs())
    for (std::size_t task = 0; task < run.alive.size(); ++task)
      if (run.alive[task]) tasks.emplace_back(token, static_cast<std::int32_t>(task));
  if (tasks.empty()) return false;
  const auto& [token, task] = tasks[random_.below(tasks.size())];
  machines_.lose_task(token, task, clock_.now());
  return true;
}

bool SimulatedEnvironment::begin(const ExecutorLies&) {
  if (!server_) return false;
  auto it = server_->executors().begin();
  std::advance(it, static_cast<std::ptrdiff_t>(random_.below(server_->executors().size())));
  tell_(it->second.lie());
  return true;
}

}  // namespace ym::sim
