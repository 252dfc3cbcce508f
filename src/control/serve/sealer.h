// Sealer: seals events a little after they are stored, on a thread of its own.
//
// The thread reads them back as they are stored and makes the seal; the control thread stores it. Only the leader has
// one. A restart goes on after the last stored seal.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "control/audit/verification.h"

namespace ym {

class Sealer {
 public:
  struct Ports {
    std::function<Result<std::unique_ptr<StoreReader>>()> reader;
    std::function<std::uint64_t()> last_seq;
    // Has the seal stored, unless it does not follow the last stored one any more. `after`: the last seal's own event.
    std::function<void(LogSealed, std::uint64_t after)> store;
    // Optional. Called when a seal is stored.
    std::function<void(const SealHead&)> sealed{};
  };

  // `every`: for how long events may wait for a seal, if they are fewer than kMostSealed. `stored_within`: how long the
  // control thread may take to store a seal before it is asked again.
  Sealer(Ports ports, Duration every, Duration stored_within = seconds(10));
  ~Sealer();  // waits for its thread
  void request_stop() { thread_.request_stop(); }

 private:
  using Time = std::chrono::steady_clock::time_point;

  void run(const std::stop_token& stop);
  Result<void> look(const std::stop_token& stop, Time now);
  Result<void> follow();
  Result<void> seal_next(Time now);

  const Ports ports_;
  const std::chrono::milliseconds every_, stored_within_;
  // Used by the thread alone.
  std::unique_ptr<StoreReader> reader_;
  std::optional<VerifiedTo> last_;  // the last stored seal; nothing: not known yet
  std::optional<Time> unsealed_since_;
  // When the next seal was asked for last; nothing: it was not. Its event comes after this one.
  std::optional<Time> asked_at_;
  std::uint64_t asked_after_ = 0;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // ends before all above
};

}  // namespace ym
