#include "executor/local/supervisor/notice.h"

#include <string_view>

namespace ym::local {
namespace {

constexpr std::int64_t kYear10000Ms = 253'402'300'800'000;

std::string_view reason(WhyStopped cause) {
  switch (cause) {
    case WhyStopped::cancel: return "cancel";
    case WhyStopped::preemption: return "preemption";
    case WhyStopped::gang_failure: return "gang_failure";
    case WhyStopped::time_limit: return "time_limit";
    case WhyStopped::start_timeout: break;
  }
  return "start_timeout";
}

// "30", "0.250"
std::string seconds_text(Duration d) {
  auto text = std::to_string(d.ms / 1000);
  if (d.ms % 1000 != 0) text += "." + std::to_string(1000 + d.ms % 1000).substr(1);
  return text;
}

}  // namespace

std::string notice_text(WhyStopped cause, Instant deadline, Duration grace) {
  auto text = "{\"reason\": \"" + std::string(reason(cause)) + "\"";
  if (deadline.ms >= 0 && deadline.ms < kYear10000Ms) text += ", \"deadline\": \"" + to_rfc3339(deadline) + "\"";
  return text + ", \"grace_seconds\": " + seconds_text(grace) + "}\n";
}

}  // namespace ym::local
