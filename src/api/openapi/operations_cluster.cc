#include "api/openapi/operations.h"

namespace ym::api::openapi {
namespace {

using enum Method;

constexpr std::string_view kQueue = "The queue's name.", kNode = "The node's name.";

std::vector<Operation> queue_operations() {
  const std::vector<Answer> settings{{200, "The queue as it is set now.", ref("QueueSettings")}};
  return {
      {.method = get,
       .path = "/api/v1/queues",
       .id = "listQueues",
       .summary = "All queues, by name.",
       .parameters = {limit(), cursor()},
       .answers = {{200, "A page.", ref("QueueList")}}},
      {.method = post,
       .path = "/api/v1/queues",
       .id = "applyQueues",
       .summary = "Create or replace queues. Queues of the configuration file are refused.",
       .yaml = "The `queues:` list of the configuration file.",
       .answers = {{200, "The queues as they are set now.", ref("QueueItems")}},
       .errors = {{409}}},
      {.method = del,
       .path = "/api/v1/queues/{id}",
       .id = "removeQueue",
       .summary = "Remove a queue. A queue in use takes no new jobs, and is removed when its last job ends.",
       .object = kQueue,
       .answers = {{200, "The queue is removed.", ref("QueueRemoval")},
                   {202, "The queue is in use. It is removed later.", ref("QueueRemoval")}},
       .errors = {{409}}},
      {.method = post,
       .path = "/api/v1/queues/{id}/hold",
       .id = "holdQueue",
       .summary = "Start no jobs of a queue and the queues below it. Running jobs continue.",
       .object = kQueue,
       .answers = settings,
       .errors = {{409}}},
      {.method = post,
       .path = "/api/v1/queues/{id}/drain",
       .id = "drainQueue",
       .summary = "Start no jobs of a queue and the queues below it, and stop running ones. They wait again.",
       .object = kQueue,
       .answers = settings,
       .errors = {{409}}},
      {.method = post,
       .path = "/api/v1/queues/{id}/resume",
       .id = "resumeQueue",
       .summary = "End a hold or a drain.",
       .object = kQueue,
       .answers = settings,
       .errors = {{409}}},
  };
}

std::vector<Operation> policy_operations() {
  return {
      {.method = get,
       .path = "/api/v1/policy",
       .id = "getPolicy",
       .summary = "How the site schedules, and the source of each setting.",
       .answers = {{200, "All settings.", ref("Policy")}}},
      {.method = post,
       .path = "/api/v1/policy",
       .id = "applyPolicy",
       .summary = "Change settings, above those of the configuration file, and create or replace queues: all or none.",
       .yaml =
           "`queues`, `scheduling` and `preemption` as in the configuration file. What is left out does not change.",
       .answers = {{200, "All settings, as they are now.", ref("Policy")}},
       .errors = {{409}}},
      {.method = del,
       .path = "/api/v1/policy",
       .id = "resetPolicy",
       .summary = "Return all settings to those of the configuration file.",
       .answers = {{200, "All settings, as they are now.", ref("Policy")}}},
      {.method = post,
       .path = "/api/v1/policy/diff",
       .id = "comparePolicy",
       .summary = "What a change of queues or settings would start, stop and delay. Nothing is changed.",
       .yaml =
           "`queues`, `scheduling` and `preemption` as in the configuration file; its other keys are ignored. Queues "
           "that are left out do not change.",
       .answers = {{200, "The differences.", ref("PolicyDiff")}}},
  };
}

std::vector<Operation> reservation_operations() {
  return {
      {.method = get,
       .path = "/api/v1/reservations",
       .id = "listReservations",
       .summary = "All advance reservations, by name.",
       .parameters = {limit(), cursor()},
       .answers = {{200, "A page.", ref("ReservationList")}}},
      {.method = post,
       .path = "/api/v1/reservations",
       .id = "createReservation",
       .summary = "Reserve nodes for a period: for some users or queues, or for maintenance.",
       .description =
           "It stops no job. From now on, no job starts on its nodes that could still run there when it begins. 409: a "
           "running job could still be there then. `ignore_jobs` accepts that; such jobs continue.",
       .content = ref("ReservationRequest"),
       .answers = {{201, "The new reservation.", ref("Reservation")}},
       .errors = {{409}}},
      {.method = del,
       .path = "/api/v1/reservations/{id}",
       .id = "deleteReservation",
       .summary = "Remove a reservation. Its nodes are free again.",
       .object = "The reservation's name.",
       .answers = {{200, "The reservation is removed.", ref("ReservationRemoval")}}},
  };
}

std::vector<Operation> node_operations() {
  const Schema why = closed(members({{"message", text({.most = 1024}), "The reason, for people.", kOptional}}));
  const std::vector<Answer> node{{200, "The node as it is now.", ref("Node")}};
  return {
      {.method = get,
       .path = "/api/v1/nodes",
       .id = "listNodes",
       .summary = "All nodes, by name.",
       .parameters = {limit(), cursor()},
       .answers = {{200, "A page.", ref("NodeList")}}},
      {.method = post,
       .path = "/api/v1/nodes/{id}/drain",
       .id = "drainNode",
       .summary = "Start nothing more on a node. Running jobs continue.",
       .object = kNode,
       .content = why,
       .answers = node,
       .errors = {{409}}},
      {.method = post,
       .path = "/api/v1/nodes/{id}/undrain",
       .id = "undrainNode",
       .summary = "Return a node to service.",
       .object = kNode,
       .content = why,
       .answers = node,
       .errors = {{409}}},
  };
}

}  // namespace

Group cluster_operations() {
  Group cluster{"cluster", {}};
  for (auto& part : {queue_operations(), policy_operations(), reservation_operations(), node_operations()})
    cluster.operations.insert(cluster.operations.end(), part.begin(), part.end());
  return cluster;
}

}  // namespace ym::api::openapi
