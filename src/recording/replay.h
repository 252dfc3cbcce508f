// Replay: the decisions of a recording, taken once more by this program.
//
// With the same version and policy they have to be the same to the last byte; another version, or another policy, shows
// what it decides otherwise. Whatever it would decide, what happened afterwards is what was recorded: each decision is
// compared in the state as it was.
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
  std::vector<std::filesystem::path> segments;  // in their order
  // Instead of what was in force: settings that are not said stay as they were, and so do queues that are not named.
  std::optional<PolicySettings> settings;
  std::vector<Queue> queues;
  // So many differences are told; 0: all.
  std::size_t most_differences = 1;
};

struct Difference {
  DecidedLine recorded, replayed;
};

struct ReplayReport {
  std::string version;                                         // of the program that decided
  std::int64_t decisions = 0, same = 0, same_but_reasons = 0;  // what is done is the same, only why jobs wait is not
  std::int64_t missed = 0;                                     // that were not recorded
  std::int64_t events = 0;
  std::int64_t former_scoring = 0;  // how often a placement of earlier versions is set; fgd is in its place
  std::optional<Instant> first, last;
  std::vector<Difference> differences;
};

// Errors: those of SegmentReader.
Result<ReplayReport> replay(const ReplayOptions& options);

}  // namespace ym
