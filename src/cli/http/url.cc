#include "cli/http/url.h"

#include <fmt/format.h>

namespace ym::cli {

std::string target(std::string_view path, const std::vector<std::pair<std::string, std::string>>& parameters) {
  std::string out(path);
  char separator = '?';
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    out += separator + name + "=" + percent_encoded(value);
    separator = '&';
  }
  return out;
}

std::string job_target(std::string_view id, std::string_view below) {
  return fmt::format("/api/v1/jobs/{}{}{}", percent_encoded(id), below.empty() ? "" : "/", below);
}

}  // namespace ym::cli
