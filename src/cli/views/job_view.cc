#include "cli/views/job_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdlib>

#include "base/whole_number.h"
#include "cli/exit_code.h"
#include "cli/views/json_view.h"
#include "model/cluster.h"
#include "model/resources.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

}  // namespace

std::string id_of(const json::value& job) { return text_at(job, "id"); }

std::string name_of(const json::value& job) {
  auto name = text_at(job, "name");
  return name.empty() ? id_of(job) : name;
}

std::string state_of(const json::value& job) { return text_at(job, "state"); }

bool has_ended(const json::value& job) {
  constexpr std::array<std::string_view, 4> kFinal{"SUCCEEDED", "FAILED", "CANCELLED", "TIMED_OUT"};
  return std::ranges::find(kFinal, state_of(job)) != kFinal.end();
}

bool is_waiting(const json::value& job) { return state_of(job) == "QUEUED" || state_of(job) == "HELD"; }

bool has_failed(const json::value& job) { return state_of(job) == "FAILED" || state_of(job) == "TIMED_OUT"; }

bool has_succeeded(const json::value& job) { return state_of(job) == "SUCCEEDED"; }

const json::value& last_attempt(const json::value& job) {
  const auto& attempts = items_of(member(job, "attempts"));
  return attempts.empty() ? null_value() : attempts.back();
}

const json::value& attempt_number(const json::value& job, std::int64_t number) {
  for (const auto& attempt : items_of(member(job, "attempts")))
    if (integer_at(attempt, "number") == number) return attempt;
  return null_value();
}

const json::value& attempt_above(const json::value& job, std::int64_t number) {
  for (const auto& attempt : items_of(member(job, "attempts")))
    if (integer_at(attempt, "number").value_or(0) > number) return attempt;
  return null_value();
}

std::string where(const json::value& attempt, bool with_devices) {
  std::string text;
  for (const auto& task : items_of(member(attempt, "placement"))) {
    std::string devices;
    for (const auto& device : items_of(member(task, "devices")))
      devices += (devices.empty() ? "" : ",") + text_of(device);
    text += (text.empty() ? "" : " ") + text_at(task, "node");
    if (with_devices && !devices.empty()) text += ":" + devices;
  }
  return text;
}

std::string ending(const json::value& attempt) {
  const auto by = text_at(attempt, "ended_by");
  if (by == "exit") return "exit code " + text_at(attempt, "exit_code");
  if (by == "signal") return "signal " + text_at(attempt, "signal");
  std::string text = by;
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string remark(const json::value& job) {
  return is_waiting(job) ? text_at(job, "reason") : text_at(job, "message");
}

std::string place(const json::value& job, bool with_devices) {
  return is_waiting(job) || has_ended(job) ? "" : where(last_attempt(job), with_devices);
}

int exit_code_for(const json::value& job, ExitFrom from) {
  if (has_succeeded(job)) return 0;
  constexpr int kFailed = static_cast<int>(ExitCode::job_failed);
  if (from == ExitFrom::outcome || state_of(job) != "FAILED") return kFailed;
  const auto& attempt = last_attempt(job);
  if (const auto signal = integer_at(attempt, "signal"); signal && *signal > 0 && *signal < 128)
    return 128 + static_cast<int>(*signal);
  if (const auto code = integer_at(attempt, "exit_code"); code && *code > 0 && *code < 256)
    return static_cast<int>(*code);
  return kFailed;
}

std::string short_duration(Duration duration) {
  const auto seconds_total = std::max<std::int64_t>(duration.ms, 0) / 1000;
  const auto two = [](std::int64_t big, char big_unit, std::int64_t small, char small_unit) {
    return small == 0 ? fmt::format("{}{}", big, big_unit) : fmt::format("{}{}{}{}", big, big_unit, small, small_unit);
  };
  if (seconds_total < 60) return fmt::format("{}s", seconds_total);
  if (seconds_total < 600) return two(seconds_total / 60, 'm', seconds_total % 60, 's');
  if (seconds_total < 3600) return fmt::format("{}m", seconds_total / 60);
  if (seconds_total < 86'400) return two(seconds_total / 3600, 'h', seconds_total / 60 % 60, 'm');
  return two(seconds_total / 86'400, 'd', seconds_total / 3600 % 24, 'h');
}

std::string short_time(const std::optional<Instant>& time) {
  if (!time) return "-";
  auto text = to_rfc3339(*time).substr(0, 19);
  text[10] = ' ';
  return text;
}

std::string start_time(Instant time, Instant now) {
  constexpr std::size_t kToTheMinute = 16;
  const Duration apart{std::abs((time - now).ms)};
  const auto text = short_time(time);
  return apart <= minutes(10) ? text : text.substr(0, kToTheMinute);
}

void print_each(std::ostream& out, const json::array& items, std::string (*which)(const json::value&)) {
  for (const auto& item : items) out << which(item) << '\n';
}

}  // namespace ym::cli
