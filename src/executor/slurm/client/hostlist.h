// Slurm's short notation for lists of nodes: "n[1-3,07],gpu1" is n1, n2, n3, n07 and gpu1.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ym::slurm {

inline constexpr std::size_t kMostHosts = 65'536;

// In the order of the text. "(null)", "None assigned" and "" are empty lists. Errors: `invalid`, `too_large`.
Result<std::vector<std::string>> expand_hosts(std::string_view text);

// Whether the name needs no quoting in a list: letters, digits, '-', '_' and '.', and no '-' first.
bool is_plain_host(std::string_view name);

}  // namespace ym::slurm
