#include "api/parameters.h"

#include "api/problem.h"
#include "base/whole_number.h"

namespace ym::api {

Parameters::Parameters(const Request& request, std::initializer_list<std::string_view> known) : request_(request) {
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : request.query) {
    if (std::ranges::find(known, name) == known.end()) {
      reject(name, known.size() == 0 ? "is not known; this request takes no parameters"
                                     : fmt::format("is not known; known: {}", fmt::join(known, ", ")));
    }
    if (std::ranges::find(seen, name) != seen.end()) reject(name, "is given twice");
    seen.push_back(name);
  }
}

const std::string* Parameters::find(std::string_view name) const {
  for (const auto& [key, value] : request_.query) {
    if (key == name) return &value;
  }
  return nullptr;
}

void Parameters::reject(std::string_view name, std::string message) {
  if (!fault_) fault_ = bad_parameter(name.substr(0, 64), std::move(message));
}

std::optional<std::string> Parameters::text(std::string_view name) {
  const auto* value = find(name);
  if (value == nullptr) return std::nullopt;
  if (!value->empty()) return *value;
  reject(name, "is empty; write a value or leave it out");
  return std::nullopt;
}

std::optional<std::uint64_t> Parameters::number(std::string_view name, std::uint64_t min, std::uint64_t max) {
  const auto* value = find(name);
  if (value == nullptr) return std::nullopt;
  const auto number = whole_number<std::uint64_t>(*value);
  if (number && *number >= min && *number <= max) return number;
  reject(name, fmt::format("must be a whole number from {} to {}", min, max));
  return std::nullopt;
}

bool Parameters::flag(std::string_view name) {
  const auto* value = find(name);
  if (value == nullptr || *value == "0" || *value == "false") return false;
  if (*value != "1" && *value != "true") reject(name, "must be 1 or 0");
  return true;
}

std::size_t Parameters::limit() { return static_cast<std::size_t>(number("limit", 1, 1000).value_or(100)); }

Duration read_wait(Parameters& parameters) {
  constexpr Duration kLongest = minutes(1);
  const auto text = parameters.text("wait");
  if (!text) return {};
  const auto wait = parse_duration(*text);
  if (wait && *wait <= kLongest) return *wait;
  parameters.reject("wait", fmt::format("must be a time to {}, such as 30s", to_string(kLongest)));
  return {};
}

}  // namespace ym::api
