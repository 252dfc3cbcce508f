// Removes the files of ended attempts.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "base/time.h"
#include "executor/local/local_executor.h"
#include "model/ids.h"

namespace ym::local {

// Marks an attempt as one that may be removed. Harmless if it has no folder.
Result<void> mark_released(const std::filesystem::path& state_dir, const AttemptKey& attempt, Instant now);

// Removes the mark from an attempt that has not ended, says the state.
void unmark_released(const std::filesystem::path& state_dir, const AttemptKey& attempt);

// The attempts without a mark.
std::vector<AttemptKey> unmarked_attempts(const std::filesystem::path& state_dir);

// True if nothing of the attempt can run any more, by its folder: the decision is `release`, every task has an exit
// record, or the machine has rebooted since the launch. Without a launch record: no supervisor holds it. Precondition:
// it is not being launched.
bool is_over(const std::filesystem::path& state_dir, const AttemptKey& attempt);

// Removes marked attempts. One thread only.
class Sweeper {
 public:
  explicit Sweeper(std::filesystem::path state_dir) : state_dir_(std::move(state_dir)) {}

  // Applies the rules and returns the number of removed attempts. Attempts without the mark are never touched.
  std::size_t sweep(const RetentionRules& rules, Instant now);

 private:
  struct Marked {
    Instant released;
    std::int64_t bytes = 0;
  };
  void look_for_marked();

  const std::filesystem::path state_dir_;
  // As of the last look. A marked attempt does not change, so its tree is walked only once.
  std::map<AttemptKey, Marked> marked_;
};

}  // namespace ym::local
