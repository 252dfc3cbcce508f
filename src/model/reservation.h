// Advance reservations: nodes that are set aside for a window of time.
//
// Within it they are for those who may use them; a maintenance window is a reservation that nobody may use.
// Whoever else would still be there when it begins is not let in. Nobody is stopped for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace ym {

struct AdvanceReservation {
  static constexpr std::string_view kTable = "reservations", kRow = "reservation";
  std::string name;
  Instant from, until;  // from < until
  std::vector<std::string> nodes;
  // Who may use them: any of these users, and whoever submits to one of these queues or to one below it.
  // Nobody at all: maintenance.
  std::vector<std::string> users, queues;
  std::string message;     // what it is for
  std::string created_by;  // principal
  bool operator==(const AdvanceReservation&) const = default;

  bool is_maintenance() const { return users.empty() && queues.empty(); }
};

// What is asked for: certain nodes, or so many of a kind.
struct ReservationRequest {
  AdvanceReservation wanted;               // `created_by` is left to control
  std::optional<std::int64_t> node_count;  // and no nodes are named
  std::string flavor, cluster;             // of these; empty: of any
  // Whether jobs may still be there when it begins; they go on.
  bool ignore_jobs = false;
};

// Nodes of one at most, beside those that have ended.
inline constexpr std::size_t kMaxReservedNodes = 100'000;

}  // namespace ym
