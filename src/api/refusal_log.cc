#include "api/refusal_log.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

namespace ym::api {

void RefusalLog::add(const Exchange& exchange) {
  if (!lines_.admit(exchange.principal, std::chrono::steady_clock::now())) {
    ++left_out_;
    return;
  }
  const auto left_out = left_out_.exchange(0);
  const auto or_dash = [](std::string_view text) { return text.empty() ? std::string_view("-") : text; };
  // Of one without a token, nothing else says where it comes from.
  const auto from = exchange.principal.empty() ? fmt::format(", from {}", or_dash(exchange.peer)) : std::string();
  spdlog::info("refused: principal {}, {} {}, status {}, code {}{}{}", or_dash(exchange.principal),
               to_string(exchange.method), or_dash(exchange.route), exchange.status, or_dash(exchange.problem), from,
               left_out > 0 ? fmt::format("; {} others were not logged", left_out) : "");
}

}  // namespace ym::api
