// Recorder: writes down what decisions are made of, in segments that each begin with the whole state and can be
// replayed alone. Old segments go when there is no more room for them.
//
// It has a thread of its own, with the state folded once more: decisions wait for nothing. Where it cannot keep up,
// events are still all written, and how many decisions were left out. What cannot be written (a full disk) is said in
// the log, and tried anew with another segment later; the server goes on without.
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
  // Writes what it was told so far.
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
