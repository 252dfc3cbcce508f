// "Did you mean": the known word nearest to one that is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ym::spec {

// Nothing if none is near enough to be a slip of the keyboard.
std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known);

}  // namespace ym::spec
