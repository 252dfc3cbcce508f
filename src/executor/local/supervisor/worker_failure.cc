#include "executor/local/supervisor/worker_failure.h"

#include <time.h>

#include <cstdlib>
#include <string>

#include "base/whole_number.h"

namespace ym::local {
namespace {

constexpr std::string_view kRootCause = "Root Cause (first observed failure):";
constexpr std::size_t kLongestMessage = 300;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string_view next_line(std::string_view& text) {
  const auto end = text.find('\n');
  const auto line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return trimmed(line);
}

// The text after "key   : ".
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  if (!line.starts_with(key)) return std::nullopt;
  const auto rest = trimmed(line.substr(key.size()));
  if (!rest.starts_with(':')) return std::nullopt;
  return trimmed(rest.substr(1));
}

// The number at the beginning: "1 (local_rank: 1)", "-9 (pid: 122)".
std::optional<std::int32_t> leading_number(std::string_view text) {
  return whole_number<std::int32_t>(text.substr(0, text.find(' ')));
}

// "2026-11-28_08:15:59", in local time.
Instant time_in(std::string_view text) {
  tm parts{};
  const std::string copy(text);
  if (!::strptime(copy.c_str(), "%Y-%m-%d_%H:%M:%S", &parts)) return {};
  parts.tm_isdst = -1;
  return {static_cast<std::int64_t>(::mktime(&parts)) * 1000};
}

void set_status(WorkerFailure& failure, std::int32_t status) {
  if (status < 0) failure.signal = -status;
  else failure.exit_code = status;
}

// The last line of a traceback names the exception. If the program writes no error file, there is only a hint.
std::string message_in(std::string_view first, std::string_view rest) {
  if (first.starts_with("To enable traceback")) return {};
  auto last = first;
  while (!rest.empty()) {
    const auto line = next_line(rest);
    if (line.starts_with("====") || line.starts_with("----")) break;
    if (!line.empty()) last = line;
  }
  return std::string(last.substr(0, kLongestMessage));
}

}  // namespace

std::optional<WorkerFailure> worker_failure_in(std::string_view log_tail) {
  const auto at = log_tail.rfind(kRootCause);
  if (at == std::string_view::npos) return std::nullopt;
  auto rest = log_tail.substr(at + kRootCause.size());
  WorkerFailure failure;
  while (!rest.empty()) {
    const auto line = next_line(rest);
    if (line.starts_with("====")) break;
    if (const auto time = value_of(line, "time")) failure.at = time_in(*time);
    else if (const auto rank = value_of(line, "rank")) failure.rank = leading_number(*rank);
    else if (const auto status = value_of(line, "exitcode").and_then(leading_number)) set_status(failure, *status);
    else if (const auto traceback = value_of(line, "traceback")) {
      failure.message = message_in(*traceback, rest);
      break;
    }
  }
  if (!failure.rank) return std::nullopt;
  return failure;
}

}  // namespace ym::local
