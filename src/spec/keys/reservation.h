// The keys of a request for an advance reservation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "model/keys/key.h"
#include "model/keys/kinds.h"
#include "model/reservation.h"

namespace ym::keys {

inline constexpr Duration kLongestReservation = hours(366 * 24);

// The request as it is written. The decoder makes a ReservationRequest of it.
struct WrittenReservation {
  std::string name;
  std::optional<Instant> from, until;
  std::optional<Duration> duration;
  std::vector<std::string> nodes;
  std::optional<std::int64_t> node_count;
  std::string flavor, cluster;
  std::vector<std::string> users, queues;
  std::string message;
  bool ignore_jobs = false;
};

template <>
struct Keys<WrittenReservation> {
  using R = WrittenReservation;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"Unique.", "course"}, Traits{.required = "give the reservation a name"}},
      Key{"from", &R::from, Moment{},
          About{"Begin, at most ten years ahead. Left out: now. Rounded down to a whole minute.",
                "2026-12-01T08:00:00Z", "now"}},
      Key{"until", &R::until, Moment{},
          About{"End, at most 366 days after the begin. Either this or `duration`. Rounded up to a whole minute.",
                "2026-12-01T12:00:00Z", "this or `duration`"}},
      Key{"duration", &R::duration, Span{minutes(1), kLongestReservation},
          About{"Time from the begin to the end.", "4h", "this or `until`"}},
      Key{"nodes", &R::nodes, NodeNames{},
          About{"Names and patterns. Either this or `node_count`.", "[\"n[1-4]\"]", "this or `node_count`"}},
      Key{"node_count", &R::node_count, Whole{1, std::int64_t{kMaxReservedNodes}, "nodes"},
          About{"Number of nodes. They are chosen now: the first by name that are free at that time.", "2",
                "this or `nodes`"}},
      Key{"flavor", &R::flavor, Name{}, About{"With `node_count`: only nodes of this flavor.", "t4", "any"}},
      Key{"cluster", &R::cluster, Name{}, About{"With `node_count`: only nodes of this cluster.", "lab", "any"}},
      Key{"users", &R::users, ListOf{Text{}, "users", 1'000},
          About{"Users that may use the nodes, whatever their queues.", "[ann, bob]"}},
      Key{"queues", &R::queues, ListOf{Text{}, "queues", 1'000},
          About{
              "Queues that may use the nodes, with the queues below them. Without `users` and `queues` the reservation "
              "is for maintenance.",
              "[team-a]"}},
      Key{"message", &R::message, Text{.most = 1'024}, About{"Purpose, shown to users.", "new disks"}},
      Key{"ignore_jobs", &R::ignore_jobs, Flag{},
          About{"`true`: jobs may still run there when it begins. They continue. `false`: such jobs prevent the "
                "reservation.",
                "true"}},
  };
};

}  // namespace ym::keys
