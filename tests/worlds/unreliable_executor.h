// UnreliableExecutor: how a server reaches the machines, and what can go wrong on the way.
//
// It lives as long as its server. What the machines have to tell may come late, twice or out of order, or not before
// contact is back; what the server asks of them meanwhile is done then, or never, where the server has died.
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
#include "sim/site/virtual_clock.h"
#include "worlds/faults.h"
#include "worlds/machines.h"

namespace ym::sim {

class UnreliableExecutor final : public Executor {
 public:
  struct Parts {
    std::string cluster;
    std::vector<Node> nodes;
    Machines& machines;
    const VirtualClock& clock;
    std::uint64_t seed = 0;
    std::function<void()> after_effect;  // after each launch, stop and release has been done
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
  // Something that cannot be; says what.
  std::string lie();
  // That one of what runs has ended, which it has not (Canary::end_is_invented).
  void invent_an_end();

  // What has arrived by now, in order.
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
  std::set<Token> known_;          // that live, as far as was told
  std::map<Token, Instant> last_;  // when what was sent last of it arrives
  std::multimap<Instant, Observation> on_the_way_;
};

}  // namespace ym::sim
