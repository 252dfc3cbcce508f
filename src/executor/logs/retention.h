// Retention of the files of ended attempts. All executors use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/time.h"
#include "model/resources.h"

namespace ym {

// Files of ended attempts (mainly logs) are removed, oldest first, if they are older than `age` or have more than
// `bytes` in total. Attempts that were not released stay.
struct RetentionRules {
  Duration age = hours(14 * 24);
  std::int64_t bytes = 50 * kGiB;
  Duration every = minutes(10);  // between two looks
};

struct RetainedFiles {
  Instant since;  // it may be removed from this time on
  std::int64_t bytes = 0;
};

// Indices of the files to remove, oldest first.
std::vector<std::size_t> due_for_removal(std::span<const RetainedFiles> retained, const RetentionRules& rules,
                                         Instant now);

// Space on the disk: a sparse or small file uses a different size than its length. 0: there is no such folder.
std::int64_t bytes_below(const std::filesystem::path& folder);

// Without links.
std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);

}  // namespace ym
