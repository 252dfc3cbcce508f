// Retention of what ended attempts leave behind, whoever keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/time.h"
#include "model/resources.h"

namespace ym {

// What ended attempts leave behind (logs above all) goes, oldest first, when it is older
// than `age` or more than `bytes` in all. Attempts that were not released are kept.
struct RetentionRules {
  Duration age = hours(14 * 24);
  std::int64_t bytes = 50 * kGiB;
  Duration every = minutes(10);  // between two looks
};

struct Remnant {
  Instant since;  // it may go from then on
  std::int64_t bytes = 0;
};

// Places in the list of those that are to go, oldest first.
std::vector<std::size_t> due_for_removal(std::span<const Remnant> remnants, const RetentionRules& rules, Instant now);

// As the disk counts it: a sparse or small file takes other room than its length. 0: there is no such folder.
std::int64_t bytes_below(const std::filesystem::path& folder);

// Those that are no links.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);

}  // namespace ym
