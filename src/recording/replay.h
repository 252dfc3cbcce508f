// Replay: makes the decisions of a recording again with this program.
//
// With the same version and policy they are identical to the last byte. With another version or policy, the differences
// show what it decides otherwise. The later events are always those of the recording: each decision is compared in the
// recorded state.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/policy_settings.h"
#include "model/queue.h"
#include "recording/lines.h"

namespace ym {

struct ReplayOptions {
  std::vector<std::filesystem::path> segments;  // in order
  // Replace the policy in force. Settings and queues that are not given keep their recorded values.
  std::optional<PolicySettings> settings;
  std::vector<Queue> queues;
  // Most differences to report; 0: all.
  std::size_t most_differences = 1;
};

struct Difference {
  DecidedLine recorded, replayed;
};

struct ReplayReport {
  std::string version;                                         // of the program that decided
  std::int64_t decisions = 0, same = 0, same_but_reasons = 0;  // same actions, other reasons for waiting
  std::int64_t missed = 0;                                     // not recorded
  std::int64_t events = 0;
  std::int64_t former_scoring = 0;  // number of policies with a placement of earlier versions; fgd replaces it
  std::optional<Instant> first, last;
  std::vector<Difference> differences;
};

// Errors: those of SegmentReader.
Result<ReplayReport> replay(const ReplayOptions& options);

}  // namespace ym
