// MachineWatch: compares what really runs with the server's state. P3, P4, P5, P6 (devices), P7, P9 (gone in time), P13
// (the grace).
#pragma once

#include <map>
#include <string>

#include "fault_injection/clients.h"
#include "fault_injection/findings.h"
#include "fault_injection/machines.h"
#include "model/tables.h"

namespace ym::sim {

class MachineWatch {
 public:
  // `same_machine`: names of nodes that are the machine of another node.
  MachineWatch(Findings& findings, const Machines& machines, const Clients& clients,
               std::map<std::string, std::string> same_machine)
      : findings_(findings), machines_(machines), clients_(clients), same_machine_(std::move(same_machine)) {}

  // `tables`: of the present server; null: there is none.
  void look(const Tables* tables, Instant now);
  // Compares the recorded ends of all attempts, at the end of the run.
  void compare_ends(const std::vector<Attempt>& attempts);

 private:
  void look_at(const MachineRun& run, const Tables* tables, Instant now);
  void look_at_gang(const MachineRun& run, Instant now);
  void look_at_stop(const MachineRun& run, const Tables* tables, Instant now);
  void look_at_devices();

  Findings& findings_;
  const Machines& machines_;
  const Clients& clients_;
  std::map<std::string, std::string> same_machine_;
};

}  // namespace ym::sim
