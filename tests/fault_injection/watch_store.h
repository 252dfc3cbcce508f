// StoreWatch: checks the content of the store at each start of a server, and at the end, with the events that have left
// it. P1, P2, P14; and P11, with damaged copies.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "fault_injection/canary.h"
#include "fault_injection/clients.h"
#include "fault_injection/disk.h"
#include "fault_injection/findings.h"
#include "fault_injection/history.h"

namespace ym::sim {

class StoreWatch {
 public:
  StoreWatch(Findings& findings, const Clients& clients, const History& history)
      : findings_(findings), clients_(clients), history_(history) {}

  // Commits up to this event were acknowledged.
  void committed(std::uint64_t seq) { committed_seq_ = seq; }
  // The clock was set forward, so keys may be older than they are kept.
  void keys_may_be_forgotten() { keys_may_be_forgotten_ = true; }
  // Checks what a server finds, before it changes anything.
  void look(Store& store);

  // Starts on a damaged copy of the state. Precondition: no server runs.
  void damage(const Disk& disk, Random& random, Canary canary);

 private:
  void look_for_acknowledged(StoreReader& reader, const std::set<JobId>& gone);
  void look_at_events(const LoadedState& loaded, const std::vector<Event>& stored);
  std::set<JobId> gone(const std::vector<Event>& stored) const;
  std::optional<std::vector<Event>> with_moved(const std::vector<Event>& stored);

  Findings& findings_;
  const Clients& clients_;
  const History& history_;
  std::uint64_t committed_seq_ = 0;
  bool keys_may_be_forgotten_ = false;
};

}  // namespace ym::sim
