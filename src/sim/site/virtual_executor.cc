#include "sim/site/virtual_executor.h"

#include <utility>

namespace ym::sim {

Result<void> VirtualExecutor::start(ObservationSink, std::span<const LiveAttempt> live) {
  for (const auto& attempt : live) seen_.push_back({attempt.token(), TokenIsUnknown{.nothing_lives = true}});
  return {};
}

Result<LogChunk> VirtualExecutor::read_log(const LogQuery&) {
  return fail(ErrorCode::not_found, "a simulated job writes no log");
}

std::optional<Instant> VirtualExecutor::next() const { return seen_.empty() ? runs_.next() : clock_.now(); }

std::vector<Observation> VirtualExecutor::take() {
  runs_.pass(clock_.now(), seen_);
  return std::exchange(seen_, {});
}

}  // namespace ym::sim
