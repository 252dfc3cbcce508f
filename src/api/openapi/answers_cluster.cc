#include "api/openapi/answers.h"
#include "spec/keys/describe.h"
#include "spec/keys/reservation.h"

namespace ym::api::openapi {
namespace {

Schema device() {
  return members({
      {"id", text()},
      {"healthy", flag()},
      {"foreign", flag(), "True: programs outside Yardmaster use it."},
      {"message", or_null(text()), "Why it is not healthy."},
      {"profile", or_null(text()), "Profile of a MIG slice: 1g.10gb. Null: a whole GPU."},
      {"memory", or_null(whole()), "In bytes. Null: not known."},
      {"job", or_null(text()), "The job that has it. If several share it: the first of them."},
      {"attempt", or_null(whole())},
      {"jobs", list(text()), "All jobs that have a part of it, and that the caller may see."},
      {"hidden_jobs", whole(), "Number of further jobs that have a part of it."},
  });
}

Schema node() {
  return members({
      {"name", text()},
      {"cluster", text()},
      {"gpu_type", or_null(text())},
      {"devices", list(device())},
      {"cpus", number()},
      {"memory", whole()},
      {"labels", map_of(text())},
      {"schedulable", flag()},
      {"withheld", or_null(text()),
       "Why the node's cluster does not offer it now (down, drained there). Null: the cluster offers it."},
      {"message", text()},
      {"used", members({{"cpus", number()}, {"memory", whole()}, {"gpus", number()}})},
      {"enforcement", map_of(text()),
       "What the executor can really enforce here, for people, for example cpu limit: cgroup v2, or not enforced."},
  });
}

Schema reservation() {
  return members({
      {"name", text()},
      {"from", time()},
      {"until", time()},
      {"nodes", list(text()), "Names of nodes."},
      {"users", list(text()), "Users that may use it, whatever their queues."},
      {"queues", list(text()), "Queues that may use it, with the queues below them."},
      {"maintenance", flag(), "True: no job may use it."},
      {"message", text()},
      {"created_by", text()},
  });
}

}  // namespace

std::vector<Named> cluster_answers() {
  return {
      {"Node", node()},
      {"NodeList", page_of("Node")},
      {"Reservation", reservation(), "Nodes that are reserved for a period. It is removed when the period is over."},
      {"ReservationRequest", keys::schema_of(keys::rows_of_keys<keys::WrittenReservation>())},
      {"ReservationRemoval", members({{"name", text()}, {"removed", flag()}})},
      {"ReservationList", page_of("Reservation")},
  };
}

}  // namespace ym::api::openapi
