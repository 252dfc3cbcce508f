#include "model/event.h"

#include <array>

namespace ym {
namespace {

constexpr std::array<std::string_view, std::variant_size_v<EventPayload>> kNames{
    "server.started",   "job.submitted",        "job.held",         "job.released",
    "job.deferred",     "job.cancel_requested", "job.requeued",     "job.finished",
    "attempt.admitted", "attempt.submitted",    "attempt.starting", "task.started",
    "attempt.started",  "attempt.stopping",     "task.ended",       "contact.lost",
    "contact.regained", "attempt.ended",        "cluster.set",      "cluster.removed",
    "node.set",         "node.removed",         "flavor.set",       "flavor.removed",
    "queue.set",        "queue.removed"};

}  // namespace

std::string_view type_name(const EventPayload& payload) { return kNames.at(payload.index()); }

std::optional<JobId> job_of(const EventPayload& payload) {
  return std::visit(
      [](const auto& event) -> std::optional<JobId> {
        if constexpr (requires { event.attempt.key(); }) return event.attempt.job;
        else if constexpr (requires { event.attempt.job; }) return event.attempt.job;
        else if constexpr (requires { event.job.spec_id; }) return event.job.id;
        else if constexpr (requires { event.job.value; }) return event.job;
        else return std::nullopt;
      },
      payload);
}

std::optional<AttemptKey> attempt_of(const EventPayload& payload) {
  return std::visit(
      [](const auto& event) -> std::optional<AttemptKey> {
        if constexpr (requires { event.attempt.key(); }) return event.attempt.key();
        else if constexpr (requires { event.attempt.number; }) return event.attempt;
        else return std::nullopt;
      },
      payload);
}

}  // namespace ym
