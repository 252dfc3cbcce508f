// UnreliableExecutor: the connection between a server and the machines, with its faults.
//
// It lives as long as its server. Observations may arrive late, twice or out of order, or only when contact is back.
// Calls of the server meanwhile are executed then, or never if the server has died.
//
// Threads: one.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "executor/executor.h"
#include "fault_injection/faults.h"
#include "fault_injection/machines.h"
#include "sim/site/virtual_clock.h"

namespace ym::sim {

class UnreliableExecutor final : public Executor {
 public:
  struct Parts {
    std::string cluster;
    std::vector<Node> nodes;
    Machines& machines;
    const VirtualClock& clock;
    std::uint64_t seed = 0;
    std::function<void()> after_effect;  // after each executed launch, stop and release
    Canary canary = Canary::none;
  };
  explicit UnreliableExecutor(Parts parts) : parts_(std::move(parts)), random_(parts_.seed) {}

  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override;
  Result<std::vector<Node>> inventory() override { return parts_.nodes; }
  void launch(LaunchRequest request) override;
  void stop(const Token& token, StopRequest request) override;
  void deliver(const Token&, const Secret&) override {}
  Result<LogChunk> read_log(const LogQuery& query) override;
  void release(const Token& token) override;
  std::map<std::string, std::string> enforcement() const override { return {}; }

  // Faults; a default RepliesSuffer ends them.
  void suffer(const RepliesSuffer& how) { how_ = how; }
  void cut_contact();
  void restore_contact();
  // Reports something impossible. Returns what it was.
  std::string lie();
  // Reports an end of a running task that did not happen (Canary::end_is_invented).
  void invent_an_end();

  // The observations that have arrived, in order.
  std::vector<Observation> take();
  std::optional<Instant> next() const;

 private:
  void call(std::function<void()> act);
  void fetch();
  void send(Observation seen);
  void put(Observation seen, Instant at);
  bool is_told(const Token& token) const;

  Parts parts_;
  Random random_;
  RepliesSuffer how_;
  bool cut_ = false;
  std::vector<std::function<void()>> calls_;  // while contact is cut
  std::vector<Observation> withheld_;
  std::set<Token> known_;          // live ones, according to the reports so far
  std::map<Token, Instant> last_;  // arrival time of the last report
  std::multimap<Instant, Observation> on_the_way_;
};

}  // namespace ym::sim
