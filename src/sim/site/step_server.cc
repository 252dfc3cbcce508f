#include "sim/site/step_server.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ym::sim {
namespace {

ControlLoop::Time steady_time(Instant at) { return ControlLoop::Time(std::chrono::milliseconds(at.ms)); }

// Rounded up: nothing happens too early.
Instant instant(ControlLoop::Time at) {
  return {std::chrono::ceil<std::chrono::milliseconds>(at.time_since_epoch()).count()};
}

}  // namespace

StepServer::StepServer(Parts parts, ControlOptions options, Hooks hooks)
    : parts_(std::move(parts)),
      hooks_(std::move(hooks)),
      loop_(parts_.store, parts_.executors, parts_.wall, std::move(options),
            {.steady_now = [this] { return steady_time(parts_.steady.now()); },
             .committed = hooks_.committed,
             .reconfigured = [](const PolicySettings&, AccessMode) {}}) {}

Result<std::unique_ptr<StepServer>> StepServer::open(Parts parts, ControlOptions options, const DesiredState& desired,
                                                     Hooks hooks) {
  std::unique_ptr<StepServer> server(new StepServer(std::move(parts), std::move(options), std::move(hooks)));
  if (auto opened = server->loop_.open(desired); !opened) return std::unexpected(opened.error());
  server->engine_ = std::make_unique<StepEngine>(engine::State::load(server->tables()), server->loop_.policy_now());
  server->loop_.connect(*server->engine_);
  // Observations are collected through `look`. Executors do not push them.
  if (auto started = server->loop_.start_executors([](const Observation&) {}); !started)
    return std::unexpected(started.error());
  return server;
}

void StepServer::execute(Caller caller, Command command, Reply reply) {
  inbox_.emplace_back(CommandItem{std::move(caller), std::move(command), std::move(reply)});
}

void StepServer::settle() {
  for (;;) {
    hooks_.look(inbox_);
    const auto due = loop_.idle_until();
    if (!inbox_.empty() || (due && *due <= steady_time(parts_.steady.now()))) {
      auto batch = std::exchange(inbox_, {});
      loop_.take(batch);
    } else if (auto plan = stalled_ ? nullptr : engine_->decide(parts_.wall.now())) {
      inbox_.emplace_back(std::move(plan));
    } else if (const auto next = engine_->next(); stalled_ || !next || *next > parts_.wall.now()) {
      return;
    }
  }
}

std::optional<Instant> StepServer::next() const {
  std::optional<Instant> next;
  if (const auto wakes = stalled_ ? std::nullopt : engine_->next())
    next = parts_.steady.now() + (*wakes - parts_.wall.now());
  if (const auto due = loop_.idle_until()) next = std::min(next.value_or(instant(*due)), instant(*due));
  return next;
}

}  // namespace ym::sim
