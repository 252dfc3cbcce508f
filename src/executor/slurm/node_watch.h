// NodeWatch: which nodes answer, and since when; so whether processes of an ended job may be alive there. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "executor/slurm/client/client.h"

namespace ym::slurm {

// What is left on a node of a job that has ended for Slurm.
enum class Leftovers : std::uint8_t {
  none,
  possible,  // there may be processes
  not_known  // the list is older than the question
};

// Why the cluster does not use the node, or does not hear from it. Empty: it is in service.
std::string why_withheld(const NodeRow& row, bool reserved_for_us);
// Slurm does not hear from the node: its jobs may or may not go on.
bool is_out_of_sight(const NodeRow& row);

class NodeWatch {
 public:
  void see(const std::vector<NodeRow>& rows, Instant asked);
  Instant asked() const { return asked_; }
  // Why it is out of sight. Empty: it is not, or was never seen.
  std::optional<std::string> out_of_sight(const std::string& node) const;

  struct Question {
    std::string node;
    bool suspect = false;                 // the job ended because of a node, or disappeared
    std::optional<Instant> active_since;  // seen there, by this machine's clock
    std::optional<Instant> ended;         // by Slurm's clock
    Instant over_since;                   // by this machine's clock
    Instant now;
    Duration settle;
  };
  Leftovers leftovers(const Question& question) const;

 private:
  struct Seen {
    bool up = true;
    Instant up_since;  // by this machine's clock; the first list if it was always up
    bool was_down = false;
    bool off = false;                  // powered down
    std::optional<Instant> off_since;  // when it was seen to go off
    std::string message;
    std::optional<Instant> booted;
  };
  std::map<std::string, Seen, std::less<>> nodes_;
  Instant asked_{};
};

}  // namespace ym::slurm
