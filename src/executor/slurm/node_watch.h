// NodeWatch: which nodes answer, and since when: whether what ran there can be alive. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "executor/slurm/client.h"

namespace ym::slurm {

// Of what ran on a node that Slurm has let go of.
enum class Remains : std::uint8_t {
  none,
  doubt,     // there may be processes yet
  not_known  // the list is older than the question
};

// Why its cluster would not use it, or hears nothing of it; empty: it is in service.
std::string why_withheld(const NodeRow& row, bool reserved_for_us);
// Slurm hears nothing of it: what runs there may go on, or not.
bool is_out_of_sight(const NodeRow& row);

class NodeWatch {
 public:
  void see(const std::vector<NodeRow>& rows, Instant asked);
  Instant asked() const { return asked_; }
  // Why it is out of sight; nothing: it is not, or never was seen.
  std::optional<std::string> out_of_sight(const std::string& node) const;

  struct Question {
    std::string node;
    bool suspect = false;                 // the job was ended because of a node, or is gone without a word
    std::optional<Instant> active_since;  // seen there, by our clock
    std::optional<Instant> ended;         // by Slurm's
    Instant over_since;                   // by ours
    Instant now;
    Duration settle;
  };
  Remains remains(const Question& question) const;

 private:
  struct Seen {
    bool up = true;
    Instant up_since;  // by our clock; the first list if it always was
    bool was_down = false;
    bool off = false;                  // powered down
    std::optional<Instant> off_since;  // seen to go off
    std::string message;
    std::optional<Instant> booted;
  };
  std::map<std::string, Seen, std::less<>> nodes_;
  Instant asked_{};
};

}  // namespace ym::slurm
