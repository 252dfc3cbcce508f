#include "cli/views/culprit_view.h"

#include <fmt/format.h>

#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {

namespace json = boost::json;

std::optional<std::int64_t> culprit_task(const json::value& attempt) {
  return integer_at(member(attempt, "culprit"), "task");
}

std::string culprit_text(const json::value& attempt) {
  const auto& culprit = member(attempt, "culprit");
  if (!culprit.is_object()) return "";
  const auto rank = integer_at(culprit, "rank");
  const auto message = text_at(culprit, "message");
  return fmt::format("task {} on {}{}: {} ({})", text_at(culprit, "task"), text_at(culprit, "node"),
                     rank ? fmt::format(", rank {}", *rank) : "", message.empty() ? ending(culprit) : message,
                     text_at(culprit, "certainty"));
}

}  // namespace ym::cli
