#include "model/flavor_mix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ym {

std::vector<std::string_view> split_flavors(std::string_view name) {
  std::vector<std::string_view> parts;
  for (std::size_t from = 0; from <= name.size();) {
    const auto end = std::min(name.find('+', from), name.size());
    parts.push_back(name.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

std::string join_flavors(std::span<const std::string> parts) { return fmt::format("{}", fmt::join(parts, "+")); }

}  // namespace ym
