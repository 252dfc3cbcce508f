// Sight: which rows and events a caller sees. Of jobs, sight_of() in access.h decides.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "control/access/access.h"
#include "control/caller.h"
#include "model/event.h"

namespace ym {

// Whether the caller has the permission at the site, at a project or at a queue: something that concerns them all, such
// as a node.
bool holds_somewhere(const Access& access, Permission permission);

// Whether the binding gives the caller one of its rights.
bool gives(const Access& access, const Binding& binding);

// Whether the caller sees all jobs, rows and events as they are.
bool sees_all(const Access& access);

// A value of one moment. Used by one thread at a time.
class Sight {
 public:
  Sight(Access access, Caller caller) : access_(std::move(access)), caller_(std::move(caller)) {}

  // A caller that sees or uses a queue sees the queues above it: they limit its jobs, too.
  bool sees_queue(const std::string& queue);
  // How much others have used in a queue: for callers that see the jobs of others there.
  bool sees_usage_of(const std::string& queue, std::string_view user) const;
  // Jobs run on the nodes of any cluster, so a caller that may see nodes in a project or in a queue sees them all.
  bool sees_nodes_of(std::string_view cluster) const;
  // Reservations for it or its queues, and reservations that keep all users away.
  bool sees(const AdvanceReservation& reservation);
  // Removes its users and queues that are hidden from the caller. Precondition: it sees the reservation.
  void leave_out_others(AdvanceReservation& reservation);
  bool sees(const Binding& binding) const;
  bool sees(const Project& project) const;
  bool sees(const Principal& principal) const;
  bool sees(const ProvisionedGroup& group) const;
  bool sees(const AccessToken& token) const;

  // Nothing: the event is about a job, so that its sight decides.
  std::optional<bool> sees(const EventPayload& payload);

  const Access& access() const { return access_; }

 private:
  struct OfEvent;

  Access access_;
  Caller caller_;
  std::optional<std::set<std::string, std::less<>>> above_;  // the queues above the queues that it may get or use
};

}  // namespace ym
