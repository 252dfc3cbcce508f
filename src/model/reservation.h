// Advance reservations: nodes for some users or queues for a time.
//
// In that time only the named users and queues may use the nodes. A maintenance window is a reservation that no user
// may use. A job of another user or queue does not start if it would still run there when the reservation begins. No
// running job is stopped for a reservation.
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
  // Users and queues that may use the nodes: any of these users, and any job in one of these queues or in a queue below
  // it. Both empty: maintenance.
  std::vector<std::string> users, queues;
  std::string message;     // its purpose
  std::string created_by;  // principal
  bool operator==(const AdvanceReservation&) const = default;

  bool is_maintenance() const { return users.empty() && queues.empty(); }
};

// The request: certain nodes, or a number of nodes of a kind.
struct ReservationRequest {
  AdvanceReservation wanted;               // control sets `created_by`
  std::optional<std::int64_t> node_count;  // no nodes are named then
  std::string flavor, cluster;             // kind of the nodes; empty: any
  // Whether jobs may still run there when it begins. They continue then.
  bool ignore_jobs = false;
};

// Most nodes of one reservation.
inline constexpr std::size_t kMaxReservedNodes = 100'000;

}  // namespace ym
