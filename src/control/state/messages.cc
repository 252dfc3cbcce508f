#include "control/state/messages.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ym {

std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t kNamed = 10;
  const auto more = names.size() > kNamed ? fmt::format(" and {} more", names.size() - kNamed) : "";
  names.resize(std::min(names.size(), kNamed));
  return fmt::format("{}{}", fmt::join(names, ", "), more);
}

Error no_such_job(JobId id) {
  return {.code = ErrorCode::not_found, .message = fmt::format("there is no job {}", to_string(id))};
}

Error no_such_queue(const std::string& queue) {
  return {.code = ErrorCode::not_found, .message = fmt::format("there is no queue '{}'", queue)};
}

Error no_such_node(const std::string& node) {
  return {.code = ErrorCode::not_found, .message = fmt::format("there is no node '{}'", node)};
}

}  // namespace ym
