#include "executor/simulated/behaviour.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ym {
namespace {

std::optional<std::string_view> variable(const JobSpec& spec, const std::string& name) {
  const auto it = spec.env.find(name);
  return it == spec.env.end() ? std::nullopt : std::optional(std::string_view(it->second));
}

std::optional<Duration> duration(std::optional<std::string_view> text) {
  const auto parsed = text ? parse_duration(*text) : fail(ErrorCode::invalid, "");
  return parsed ? std::optional(*parsed) : std::nullopt;
}

// In the format of sleep: "0.2", "3".
std::optional<Duration> seconds_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  constexpr double kMost = 1e9;
  if (error != std::errc() || end != text.data() + text.size() || !(number >= 0 && number <= kMost))
    return std::nullopt;
  return Duration{static_cast<std::int64_t>(number * 1000)};
}

// All groups run until the last of them has ended, or until one fails.
Behaviour of_all_groups(const JobSpec& spec) {
  Behaviour all;
  std::optional<Behaviour> fails;
  for (std::size_t group = 0; group < spec.groups.size(); ++group) {
    const Behaviour one = behaviour_of(spec.of_group(group));
    all.run_time = std::max(all.run_time, one.run_time);
    all.stop_time = std::max(all.stop_time, one.stop_time);
    if (one.exit_code != 0 && (!fails || one.run_time < fails->run_time)) fails = one;
  }
  if (fails) all.run_time = fails->run_time;
  if (fails) all.exit_code = fails->exit_code;
  return all;
}

}  // namespace

Behaviour behaviour_of(const JobSpec& spec) {
  if (!spec.groups.empty()) return of_all_groups(spec);
  Behaviour behaviour;
  const auto& words = spec.run.words;
  if (spec.run.form == Program::Form::argv && words.size() == 2 && words.front() == "sleep")
    behaviour.run_time = seconds_of(words.back()).value_or(Duration{});
  behaviour.run_time = duration(variable(spec, "SIMULATED_RUN_TIME")).value_or(behaviour.run_time);
  behaviour.stop_time = duration(variable(spec, "SIMULATED_STOP_TIME")).value_or(behaviour.stop_time);
  behaviour.start_time = duration(variable(spec, "SIMULATED_START_TIME")).value_or(Duration{});
  if (const auto saves = variable(spec, "SIMULATED_CHECKPOINTS")) {
    behaviour.checkpoint_every = duration(saves).value_or(Duration{});
    behaviour.saves_at_stop = *saves == "stop" || behaviour.checkpoint_every.ms > 0;
  }
  if (const auto code = variable(spec, "SIMULATED_EXIT_CODE"))
    std::from_chars(code->data(), code->data() + code->size(), behaviour.exit_code);
  return behaviour;
}

}  // namespace ym
