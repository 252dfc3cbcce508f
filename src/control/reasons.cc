#include "control/reasons.h"

#include <fmt/format.h>

namespace ym {
namespace {

std::string_view why_stopped(StopCause cause) {
  switch (cause) {
    case StopCause::cancel: return "the job was cancelled";
    case StopCause::preemption: return "makes room for another job";
    case StopCause::gang_failure: return "a task of the gang failed";
    case StopCause::start_timeout: return "not every task of the gang was ready in time";
  }
  return "stopped";
}

std::string or_else(const std::string& text, std::string_view otherwise) {
  return text.empty() ? std::string(otherwise) : text;
}

class PlainReason {
 public:
  explicit PlainReason(std::string_view actor) : actor_(actor) {}

  std::string operator()(const ServerStarted& e) const {
    return fmt::format("took the state over as epoch {}", e.epoch);
  }
  std::string operator()(const JobSubmitted&) const { return by("submitted"); }
  std::string operator()(const JobHeld&) const { return by("held"); }
  std::string operator()(const JobReleased&) const { return by("released"); }
  std::string operator()(const JobDeferred& e) const { return std::string(to_string(e.code)); }
  std::string operator()(const CancelRequested&) const { return by("cancelled"); }
  std::string operator()(const JobRequeued& e) const { return fmt::format("tried again ({})", to_string(e.cause)); }
  std::string operator()(const JobFinished& e) const { return or_else(e.message, to_string(e.state)); }
  std::string operator()(const AttemptAdmitted& e) const {
    const auto& placement = e.attempt.placement;
    return fmt::format("there is a place on {}{}", placement.front().node,
                       placement.size() > 1 ? fmt::format(" and {} more", placement.size() - 1) : "");
  }
  std::string operator()(const AttemptSubmitted&) const { return "the executor has it"; }
  std::string operator()(const AttemptStarting&) const { return "its tasks prepare to start"; }
  std::string operator()(const TaskStarted& e) const { return fmt::format("task {} runs", e.task); }
  std::string operator()(const AttemptStarted&) const { return "every task runs"; }
  std::string operator()(const AttemptStopping& e) const { return std::string(why_stopped(e.cause)); }
  std::string operator()(const TaskEnded& e) const { return describe(e.exit); }
  std::string operator()(const ContactLost&) const { return "the executor has no contact"; }
  std::string operator()(const ContactRegained&) const { return "the executor has contact again"; }
  std::string operator()(const AttemptEnded& e) const { return or_else(e.message, to_string(e.by)); }
  // What the configuration and the inventory say there is, or is no more.
  template <class Object>
  std::string operator()(const Object&) const {
    return actor_ == "server" ? "as configured" : by("changed");
  }

 private:
  std::string by(std::string_view what) const { return fmt::format("{} by {}", what, actor_); }
  std::string_view actor_;
};

}  // namespace

std::string plain_reason(std::string_view actor, const EventPayload& payload) {
  return std::visit(PlainReason(actor), payload);
}

std::string describe(const TaskExit& exit) {
  if (!exit.message.empty()) return exit.message;
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

}  // namespace ym
