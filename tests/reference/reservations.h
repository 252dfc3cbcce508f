// Backfill reservations of waiting jobs, minute by minute.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reference/advance_reservations.h"
#include "reference/keepers.h"
#include "reference/machines.h"
#include "reference/quota.h"

namespace ym::reference {

// Reservations begin and end at whole minutes.
Instant minute_not_before(Instant time);

struct Reservation {
  JobId job;
  std::string queue, cluster, flavor;
  std::map<std::string, TaskResources> nodes;  // what of each
  Instant from;
  std::optional<Instant> until;  // nothing: for ever
  struct Inherited {
    JobId from;  // it runs until then
    std::string queue, flavor;
    ResourceVector amounts;
    bool operator==(const Inherited&) const = default;
  };
  std::vector<Inherited> inherits;  // quota
  bool operator==(const Reservation&) const = default;
};

// What is free of a node at a later time, for tasks of one profile.
struct FreeThen {
  std::int64_t devices = 0, cpus = 0, memory = 0;  // devices: who shares one took it whole
  std::int64_t unshared = 0;                       // devices beside those that are reserved whole
  Devices::Part whole;                             // what each of them has at least
  std::vector<Devices::Part> shared;               // what is left of those that are shared
  Devices::Part booked;                            // reserved parts of shared devices
};

class Reservations {
 public:
  Reservations(const Tables& tables, const Machines& machines, Instant now)
      : t_(tables), machines_(machines), now_(now), advance_(tables, now) {}

  // The job has its part of these nodes, and quota of the flavor. `attempt`: null if it starts now.
  void occupy(const Job& job, const std::string& flavor, const std::vector<TaskPlacement>& placement,
              const Attempt* attempt);
  void clear() {
    all_.clear();
    first_short_.clear();
  }
  const std::vector<Reservation>& all() const { return all_; }
  // When the end of an overdue job is not relied on any more.
  std::optional<Instant> overdue() const { return overdue_from_; }

  // Whether the job has a reservation, or an earlier job of its queue has one in some of these flavors.
  bool is_before(const Job& job, const std::string& flavor) const;
  // Reserves the earliest machines of these flavors for the job, unless its queue has its maximum of reservations.
  void reserve(const Job& job, const std::vector<std::string>& flavors, const Keepers& keepers,
               const NaiveQuota& quota);
  // The advance reservation that keeps the job off the node if it started now.
  const AdvanceReservation* closing(const Job& job, const Node& node) const;
  // The first advance reservation that closes a node with room for the job: the flavor of that node, of these.
  std::optional<std::string> closed_flavor(const Job& job, const std::set<std::string>& flavors) const;
  // Whether a task of the job, on this node from now on, would still be there when a backfill or advance reservation
  // begins.
  bool in_the_way(const Job& job, const Node& node) const;
  // Whether the job has quota of the flavor, both now and when the reservations begin that start before it is gone.
  enum class Stay : std::uint8_t { as_limited, for_ever };
  bool has_quota(const Job& job, const std::string& flavor, const Keepers& keepers, const NaiveQuota& quota,
                 Stay stay) const;
  // Jobs that use quota of the flavor in the job's tree and are sure to be gone, and by when.
  struct Expiring {
    Instant gone;
    JobId job;
    std::string queue;
    std::map<std::string, ResourceVector> by_flavor;  // of the job's
  };
  std::vector<Expiring> expiring(const Job& job, const std::string& flavor, const NaiveQuota& quota) const;
  // When a job has quota, and from which of them.
  struct QuotaLater {
    Instant from;
    std::vector<Reservation::Inherited> inherits;
  };
  // The job with a reservation on nodes where this job has room now, or else the one with reserved quota of its tree.
  JobId first(const Job& job, const std::string& flavor, const NaiveQuota& quota) const;

 private:
  struct Occupant {
    JobId job;
    std::string queue, flavor;
    Instant admitted;
    std::shared_ptr<const JobSpec> spec;
    std::vector<TaskPlacement> placement;
    std::optional<Instant> gone;  // nothing: that is not known
  };

  Job reserved_job(const Reservation& one) const;
  std::optional<Instant> gone_if_begun(const Job& job, Instant begun) const;
  // If it has a place from now on.
  std::optional<Instant> gone_if_started(const Job& job) const;
  FreeThen free_at(const Node& node, Instant time, const std::string& profile) const;
  FreeThen left_at(const Node& node, Instant time, const std::vector<Reservation>& reservations,
                   const std::string& profile) const;
  bool has_room_at(const Job& job, const Node& node, Instant time) const;
  bool has_room_from(const Job& job, const Node& node, Instant from, std::optional<Duration> length) const;
  std::optional<Reservation> earliest(const Job& job, const std::string& flavor, Instant not_before,
                                      const std::set<std::string>& kept) const;
  // By group, as in Machines.
  std::map<std::vector<std::string>, std::vector<const Node*>> nodes_from(const Job& job, const std::string& flavor,
                                                                          const Machines::Test& test) const;
  std::vector<const Node*> latest(const Job& job, std::vector<const Node*> nodes, Instant from,
                                  Instant not_before) const;
  Instant room_since(const Job& job, const Node& node, Instant time, Instant not_before) const;
  std::vector<Instant> minutes_of_change() const;  // now, and each minute until nothing changes any more

  const Tables& t_;
  const Machines& machines_;
  Instant now_;
  AdvanceReservations advance_;
  // From when on the job has quota. Nothing: not even when all jobs with a sure end are gone.
  std::optional<QuotaLater> quota_from(const Job& job, const std::string& flavor, const Keepers& keepers,
                                       const NaiveQuota& quota);
  // All reserved quota, in place of the inherited quota, if some of it is in the tree of the job's queue for a
  // reservation that begins before the job is gone. Nothing: there is none.
  std::optional<Use> reserved_quota(const Job& job, const NaiveQuota& quota, Stay stay) const;
  Use all_reserved_quota() const;
  ResourceVector inherited_from(JobId job, const std::string& flavor) const;

  std::map<std::string, JobId> first_short_;  // by queue: the first of its jobs that lacked quota
  std::vector<Occupant> occupants_;
  std::optional<Instant> overdue_from_;
  std::vector<Reservation> all_;
};

}  // namespace ym::reference
