#include "fault_injection/unreliable_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ym::sim {

Result<void> UnreliableExecutor::start(ObservationSink, std::span<const LiveAttempt> live) {
  // Drops what was on its way to the previous server. All that was seen is sent again below.
  parts_.machines.take(parts_.cluster);
  for (const auto& attempt : live) {
    const Token& token = attempt.token();
    if (cut_) put({token, ContactIsLost{"the network is cut"}}, parts_.clock.now());
    const MachineRun* run = parts_.machines.find(token);
    if (!run || run->seen.empty() || parts_.canary == Canary::barrier_is_missing) {
      send({token, TokenIsUnknown{.nothing_lives = true}});
      continue;
    }
    for (const auto& seen : run->seen) send(seen);
  }
  return {};
}

void UnreliableExecutor::call(std::function<void()> act) {
  if (cut_) return calls_.push_back(std::move(act));
  act();
  fetch();
  parts_.after_effect();
}

void UnreliableExecutor::launch(LaunchRequest request) {
  call([this, request = std::move(request)] { parts_.machines.launch(parts_.cluster, request, parts_.clock.now()); });
}

void UnreliableExecutor::stop(const Token& token, StopRequest request) {
  call([this, token, request] { parts_.machines.stop(parts_.cluster, token, request, parts_.clock.now()); });
}

void UnreliableExecutor::release(const Token& token) {
  call([this, token] { parts_.machines.release(token); });
}

Result<LogChunk> UnreliableExecutor::read_log(const LogQuery&) {
  return fail(ErrorCode::not_found, "a simulated job writes no log");
}

void UnreliableExecutor::fetch() {
  for (auto& seen : parts_.machines.take(parts_.cluster)) send(std::move(seen));
}

void UnreliableExecutor::send(Observation seen) {
  if (std::holds_alternative<TaskHasEnded>(seen.what) && !parts_.machines.find(seen.token)->lives())
    known_.erase(seen.token);
  else known_.insert(seen.token);
  if (cut_) return withheld_.push_back(std::move(seen));
  const auto now = parts_.clock.now();
  // An unknown token is unknown only until its launch. So the executor reports that once, without delay.
  if (std::holds_alternative<TokenIsUnknown>(seen.what)) return put(std::move(seen), now);
  const auto late = [&] {
    return Duration{
        how_.latest.ms > 0 ? static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(how_.latest.ms))) : 0};
  };
  if (random_.below(100) < static_cast<std::uint64_t>(how_.doubled_percent)) put(seen, now + late() + late());
  put(std::move(seen), now + late());
}

// In order for each token, unless disorder is requested.
void UnreliableExecutor::put(Observation seen, Instant at) {
  if (!how_.disorder) {
    auto& last = last_[seen.token];
    last = at = std::max(last, at);
  }
  on_the_way_.emplace(at, std::move(seen));
}

void UnreliableExecutor::cut_contact() {
  if (std::exchange(cut_, true)) return;
  const auto now = parts_.clock.now();
  for (const Token& token : known_)
    if (const auto* run = parts_.machines.find(token); run && run->lives())
      put({token, ContactIsLost{"the network was cut"}}, now);
}

void UnreliableExecutor::restore_contact() {
  if (!std::exchange(cut_, false)) return;
  for (auto& act : std::exchange(calls_, {})) act();
  for (const Token& token : std::set(known_)) send({token, ContactIsBack{}});
  for (auto& seen : std::exchange(withheld_, {})) send(std::move(seen));
  fetch();
}

bool UnreliableExecutor::is_told(const Token& token) const {
  return std::ranges::none_of(on_the_way_, [&](const auto& entry) { return entry.second.token == token; });
}

std::string UnreliableExecutor::lie() {
  const auto& runs = parts_.machines.runs();
  Token token{.job = {1 + random_.below(200)}, .attempt = 1, .epoch = random_.below(100)};
  if (!runs.empty() && random_.below(3) > 0) {
    auto it = runs.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(random_.below(runs.size())));
    token = it->first;
  }
  const MachineRun* run = parts_.machines.find(token);
  const auto say = [&](Observation seen, std::string_view what) {
    put(std::move(seen), parts_.clock.now());
    return fmt::format("{}: {}", to_string(token), what);
  };
  // Its end has been delivered, so the next report comes after it.
  const bool over = run && !run->lives() && !run->exits.empty() && !cut_ && how_.latest.ms == 0 && is_told(token);
  Token other = token;
  other.epoch += 1;
  switch (random_.below(over ? 12 : 8)) {
    case 0: return say({token, TaskIsRunning{-1}}, "task -1 runs");
    case 1: return say({token, TaskIsRunning{1'000'000}}, "task 1000000 runs");
    case 2: return say({token, TaskHasEnded{99, {.exit_code = 0, .at = {}}}}, "task 99 ended");
    case 3: return say({other, TaskHasEnded{0, {.exit_code = 0, .at = {}}}}, "it ended in another epoch");
    case 4: return say({{}, DevicesAreUnhealthy{"no-such-node", {{"0", "burnt"}}, "burnt"}}, "devices of no node");
    case 5: return say({token, ProgressIsReported{{.step = -5, .total_steps = -7}}}, "step -5 of -7");
    case 6: return say({other, LaunchRefused{.message = "another epoch"}}, "refused in another epoch");
    case 7: return say({token, LaunchAccepted{}}, "accepted once more");
    case 8: return say({token, TaskIsRunning{0}}, "runs after its end");
    case 9: return say({token, TaskHasEnded{0, {.exit_code = 999, .at = {}}}}, "ended once more, with 999");
    case 10: return say({token, LaunchRefused{.message = "refused after its end"}}, "refused after its end");
    default: return say({token, ContactIsLost{"after its end"}}, "contact lost after its end");
  }
}

void UnreliableExecutor::invent_an_end() {
  for (const auto& [token, run] : parts_.machines.runs()) {
    if (run.cluster != parts_.cluster || !run.lives() || run.seen.empty()) continue;
    for (std::size_t task = 0; task < run.alive.size(); ++task)
      put({token, TaskHasEnded{static_cast<std::int32_t>(task), {.by = EndedBy::lost, .at = parts_.clock.now()}}},
          parts_.clock.now());
    return;
  }
}

std::vector<Observation> UnreliableExecutor::take() {
  fetch();
  std::vector<Observation> arrived;
  while (!on_the_way_.empty() && on_the_way_.begin()->first <= parts_.clock.now())
    arrived.push_back(std::move(on_the_way_.extract(on_the_way_.begin()).mapped()));
  return arrived;
}

std::optional<Instant> UnreliableExecutor::next() const {
  return on_the_way_.empty() ? std::nullopt : std::optional(on_the_way_.begin()->first);
}

}  // namespace ym::sim
