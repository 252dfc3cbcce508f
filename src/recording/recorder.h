// Recorder: writes decisions and their inputs, in segments. Each segment begins with the whole state and can be
// replayed alone. Old segments are deleted when the space is used up.
//
// It has its own thread and its own fold of the state, so decisions do not wait for it. If it is too slow, all events
// are still written, with the number of decisions that were left out. Errors of writing (a full disk) are logged; a
// later attempt begins another segment. The server goes on without a recording meanwhile.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "control/engine_host/decision_log.h"

namespace ym {

struct RecorderOptions {
  std::filesystem::path dir;  // made if it is missing
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
  std::uint64_t segment_bytes = most_bytes / 8;
  std::string version;  // of the program that decides
};

class Recorder final : public DecisionLog {
 public:
  // Errors: `io`: the folder cannot be made.
  static Result<std::unique_ptr<Recorder>> open(RecorderOptions options);
  // Writes everything that it has received so far.
  ~Recorder() override;

  void began(const Tables& tables, const engine::Policy& policy) override;
  void followed(EngineFeed::Events events) override;
  void policy_set(const engine::Policy& policy) override;
  void decided(Instant now, std::shared_ptr<const EngineReport> report) override;

 private:
  class Writer;
  explicit Recorder(RecorderOptions options);
  std::unique_ptr<Writer> writer_;
};

}  // namespace ym
