#include "control/state/reasons.h"

#include <fmt/format.h>

#include "base/assert.h"

namespace ym {
namespace {

std::string_view why_stopped(StopCause cause) {
  switch (cause) {
    case StopCause::cancel: return "the job was cancelled";
    case StopCause::preemption: return "preempted for another job";
    case StopCause::gang_failure: return "a task of the gang failed";
    case StopCause::start_timeout: return "not every task of the gang was ready in time";
  }
  return "stopped";
}

std::string or_else(const std::string& text, std::string_view otherwise) {
  return text.empty() ? std::string(otherwise) : text;
}

std::string nodes_of(const std::vector<TaskPlacement>& placement) {
  if (placement.size() == 1) return placement.front().node;
  return fmt::format("{} and {} more", placement.front().node, placement.size() - 1);
}

std::string what_it_says(const ProgressReport& report) {
  if (report.completed) return "it has completed";
  if (report.checkpoint) return fmt::format("saved step {} as {}", report.checkpoint->step, report.checkpoint->uri);
  if (report.step && report.total_steps) return fmt::format("step {} of {}", *report.step, *report.total_steps);
  return report.step ? fmt::format("step {}", *report.step) : "reports on its progress";
}

std::string name_of(const Checkpoint& checkpoint) {
  return fmt::format("{} (step {})", checkpoint.uri, checkpoint.step);
}

class PlainReason {
 public:
  explicit PlainReason(std::string_view actor) : actor_(actor) {}

  template <DoneByActor Payload>
  std::string operator()(const Payload&) const {
    return by(Payload::kDone);
  }
  template <HasOneReason Payload>
  std::string operator()(const Payload&) const {
    return std::string(Payload::kReason);
  }
  std::string operator()(const ServerStarted& e) const {
    return fmt::format("took the state over as epoch {}", e.epoch);
  }
  std::string operator()(const JobDeferred& e) const { return std::string(to_string(e.code)); }
  std::string operator()(const JobRequeued& e) const { return fmt::format("tried again ({})", to_string(e.cause)); }
  std::string operator()(const JobFinished& e) const { return or_else(e.message, to_string(e.state)); }
  std::string operator()(const PlacementNominated& e) const {
    const auto count = e.nomination.preempted_jobs.size();
    if (count == 0) return "to go on there";
    return fmt::format("{} {} room on {}", count, count == 1 ? "job makes" : "jobs make",
                       nodes_of(e.nomination.placement));
  }
  std::string operator()(const CheckpointSkipped& e) const {
    return fmt::format("the checkpoint {} is not there any more", e.checkpoint.uri);
  }
  std::string operator()(const RunTimePredicted& e) const {
    return fmt::format("{} jobs like it have run", e.run_time.samples);
  }
  std::string operator()(const AttemptAdmitted& e) const {
    return "there is a place on " + nodes_of(e.attempt.placement);
  }
  std::string operator()(const StartDelayed& e) const { return e.message; }
  std::string operator()(const TaskStarted& e) const { return fmt::format("task {} runs", e.task); }
  std::string operator()(const AttemptStopping& e) const { return std::string(why_stopped(e.cause)); }
  std::string operator()(const AttemptProgressed& e) const { return what_it_says(e.report); }
  std::string operator()(const TaskEnded& e) const { return describe(e.exit); }
  std::string operator()(const AttemptEnded& e) const { return or_else(e.message, to_string(e.by)); }
  // Objects of the configuration and the inventory.
  template <class Row>
  std::string operator()(const RowSet<Row>&) const {
    return changed();
  }
  template <class Row>
  std::string operator()(const RowRemoved<Row>&) const {
    return changed();
  }
  std::string operator()(const NodesWanted&) const { return changed(); }

 private:
  std::string changed() const { return actor_ == "server" ? "as configured" : by("changed"); }
  std::string by(std::string_view what) const { return fmt::format("{} by {}", what, actor_); }
  std::string_view actor_;
};

}  // namespace

std::string plain_reason(std::string_view actor, const EventPayload& payload) {
  return std::visit(PlainReason(actor), payload);
}

std::string describe(const TaskExit& exit) { return exit.message.empty() ? describe_end(exit) : exit.message; }

std::string describe_end(const TaskExit& exit) {
  switch (exit.by) {
    case EndedBy::exit: return fmt::format("exit code {}", exit.exit_code.value_or(-1));
    case EndedBy::signal: return fmt::format("killed by signal {}", exit.signal.value_or(-1));
    case EndedBy::oom: return "out of memory";
    case EndedBy::time_limit: return "reached its time limit";
    case EndedBy::preempted: return "preempted";
    case EndedBy::cancelled: return "cancelled";
    case EndedBy::lost: return "its end was not recorded; its processes are gone";
    case EndedBy::start_failed: return "could not start";
  }
  return "ended";
}

std::string describe(const WorkerFailure& worker) {
  std::string how = worker.message;
  if (worker.signal) how = fmt::format("killed by signal {}", *worker.signal);
  else if (how.empty()) how = fmt::format("exit code {}", worker.exit_code.value_or(-1));
  return fmt::format("rank {} failed first: {}", worker.rank.value_or(-1), how);
}

std::string why_preempted(const Job& preempting_job, const Job& preempted_job, PreemptionCause cause) {
  const auto preempted = fmt::format("preempted for job {} ({}) of queue {}: ", to_string(preempting_job.id),
                                     preempting_job.name, preempting_job.queue);
  switch (cause) {
    case PreemptionCause::priority:
      if (preempting_job.priority == preempted_job.priority) return preempted + "it was submitted earlier";
      return preempted +
             fmt::format("its priority is {}, this job's {}", preempting_job.priority, preempted_job.priority);
    case PreemptionCause::reclaim: return preempted + "that queue takes back quota that it had lent";
    case PreemptionCause::borrow:
      return preempted + fmt::format("its priority is {}, this job's {}, and both queues use more than their own quota",
                                     preempting_job.priority, preempted_job.priority);
    case PreemptionCause::consolidation:
      return fmt::format("moved to open a place for job {} ({}): other nodes have room for this one",
                         to_string(preempting_job.id), preempting_job.name);
    case PreemptionCause::drain:
    case PreemptionCause::shrink:
    case PreemptionCause::resize: break;
  }
  YM_ASSERT(false);  // these causes have no preempting job
  return {};
}

std::string why_skipped(const Checkpoint& gone, const Checkpoint* instead) {
  return fmt::format("the checkpoint {} is not there any more; {}", name_of(gone),
                     instead ? "resumes from " + name_of(*instead) : "starts from the beginning");
}

}  // namespace ym
