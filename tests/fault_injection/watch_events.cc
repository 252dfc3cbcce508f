#include "fault_injection/watch_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace ym::sim {
namespace {

bool overlap(const std::vector<TaskPlacement>& some, const std::vector<TaskPlacement>& others) {
  for (const auto& one : some)
    for (const auto& other : others)
      if (one.node == other.node && std::ranges::any_of(one.devices, [&](const auto& id) {
            return std::ranges::find(other.devices, id) != other.devices.end();
          }))
        return true;
  return false;
}

}  // namespace

void EventWatch::committed(const std::vector<Event>& events, const Tables& tables) {
  for (const Event& event : events) follow(event, tables);
}

void EventWatch::follow(const Event& event, const Tables& tables) {
  const auto job = job_of(event.payload);
  if (!job) return;
  if (finished_.contains(*job))
    findings_.add(Promise::end_is_final, fmt::format("job {} had ended before event {}, {}", to_string(*job), event.seq,
                                                     type_name(event.payload)));
  if (const auto* admitted = std::get_if<AttemptAdmitted>(&event.payload))
    this->admitted(admitted->attempt, event, tables);
  if (const auto* stop = std::get_if<AttemptStopping>(&event.payload)) stopping(*stop, event, tables);
  if (std::holds_alternative<CancelRequested>(event.payload)) cancelled_.insert(*job);
  if (const auto* ended = std::get_if<AttemptEnded>(&event.payload); ended && ended->by == EndedBy::preempted)
    preempted_.insert(*job);
  if (std::holds_alternative<JobRequeued>(event.payload)) preempted_.erase(*job);
  if (const auto* finished = std::get_if<JobFinished>(&event.payload)) {
    finished_.insert(*job);
    if (preempted_.erase(*job) > 0 && !cancelled_.contains(*job))
      findings_.add(Promise::preempted_in_good_order,
                    fmt::format("job {} was preempted and ended as {}", to_string(*job), to_string(finished->state)));
  }
}

void EventWatch::stopping(const AttemptStopping& stop, const Event& event, const Tables& tables) {
  const auto holder = stop.yields_to ? tables.jobs.find(*stop.yields_to) : tables.jobs.end();
  if (!stop.is_counted_as_preemption() || holder == tables.jobs.end() || stops_.contains(stop.attempt)) return;
  const auto later = stops_.upper_bound(stop.attempt);
  if (later != stops_.begin())
    if (const auto& [attempt, at] = *std::prev(later);
        attempt.job == stop.attempt.job && at >= holder->second.arrived_at)
      findings_.add(Promise::preempted_in_good_order,
                    fmt::format("job {} is stopped again by event {}, for job {} that had arrived before it was last",
                                to_string(attempt.job), event.seq, to_string(holder->first)));
  stops_.emplace(stop.attempt, event.time);
}

void EventWatch::admitted(const Attempt& attempt, const Event& event, const Tables& tables) {
  if (cancelled_.contains(attempt.job))
    findings_.add(Promise::cancelled_is_gone,
                  fmt::format("job {} was admitted by event {} after its cancel", to_string(attempt.job), event.seq));
  for (const auto& [id, job] : tables.jobs)
    if (id != attempt.job && job.nomination && job.nomination->expires_at > event.time &&
        overlap(job.nomination->placement, attempt.placement))
      findings_.add(Promise::preempted_in_good_order,
                    fmt::format("job {} got by event {} the nominated placement of job {}", to_string(attempt.job),
                                event.seq, to_string(id)));
}

}  // namespace ym::sim
