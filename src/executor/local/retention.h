// Removes what ended attempts have left behind.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "base/time.h"
#include "executor/local/local_executor.h"
#include "model/ids.h"

namespace ym::local {

// Marks an attempt as one that may go. Harmless if it has no folder.
Result<void> mark_released(const std::filesystem::path& state_dir, const AttemptKey& attempt, Instant now);

// Takes the mark off again: of one that, by the state, has not ended.
void unmark_released(const std::filesystem::path& state_dir, const AttemptKey& attempt);

// The attempts that have no mark.
std::vector<AttemptKey> unmarked_attempts(const std::filesystem::path& state_dir);

// True if nothing of the attempt can run any more, by what its folder says: the decision is
// `release`, every task has an exit record, or the machine was restarted since its launch.
// One whose launch record is lost is over if no supervisor holds it. Precondition: it is not
// being launched.
bool is_over(const std::filesystem::path& state_dir, const AttemptKey& attempt);

// Removes marked attempts. One thread's.
class Sweeper {
 public:
  explicit Sweeper(std::filesystem::path state_dir) : state_dir_(std::move(state_dir)) {}

  // By the rules; returns how many. Attempts without the mark are never touched.
  std::size_t sweep(const RetentionRules& rules, Instant now);

 private:
  struct Marked {
    Instant released;
    std::int64_t bytes = 0;
  };
  void look_for_marked();

  const std::filesystem::path state_dir_;
  // As of the last look. What is marked does not change any more, so its tree is walked once.
  std::map<AttemptKey, Marked> marked_;
};

}  // namespace ym::local
