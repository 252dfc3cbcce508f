#include "model/states.h"

#include <array>
#include <cstddef>

namespace ym {
namespace {

constexpr std::array<std::string_view, 10> kJobStates{"HELD",        "QUEUED",    "STARTING", "RUNNING",   "STOPPING",
                                                      "UNREACHABLE", "SUCCEEDED", "FAILED",   "CANCELLED", "TIMED_OUT"};
constexpr std::array<std::string_view, 7> kAttemptStates{"INTENDED", "SUBMITTED", "STARTING", "RUNNING",
                                                         "STOPPING", "UNKNOWN",   "ENDED"};
constexpr std::array<std::string_view, 3> kTaskStates{"WAITING", "RUNNING", "ENDED"};
constexpr std::array<std::string_view, 8> kEndedBy{"exit",      "signal",    "oom",  "time_limit",
                                                   "preempted", "cancelled", "lost", "start_failed"};
constexpr std::array<std::string_view, 3> kCertainties{"certain", "likely", "guessed"};
constexpr std::array<std::string_view, 4> kStopCauses{"cancel", "preemption", "gang_failure", "start_timeout"};
constexpr std::array<std::string_view, 4> kRetryCauses{"infra", "error", "preempted", "launch"};
constexpr std::array<std::string_view, 19> kReasonCodes{"Held",
                                                        "Misconfigured",
                                                        "PolicyDenied",
                                                        "Dependency",
                                                        "BeginTime",
                                                        "Backoff",
                                                        "ExceedsMaxQuota",
                                                        "ExceedsCapacity",
                                                        "BudgetExhausted",
                                                        "LimitReached",
                                                        "WaitingForQuota",
                                                        "Priority",
                                                        "Reserved",
                                                        "WaitingForCapacity",
                                                        "Fragmented",
                                                        "PreemptionPending",
                                                        "Provisioning",
                                                        "ClusterUnavailable",
                                                        "PendingEvaluation"};

template <class Enum>
constexpr const auto& names() {
  if constexpr (std::is_same_v<Enum, JobState>) return kJobStates;
  else if constexpr (std::is_same_v<Enum, AttemptState>) return kAttemptStates;
  else if constexpr (std::is_same_v<Enum, TaskState>) return kTaskStates;
  else if constexpr (std::is_same_v<Enum, EndedBy>) return kEndedBy;
  else if constexpr (std::is_same_v<Enum, Certainty>) return kCertainties;
  else if constexpr (std::is_same_v<Enum, StopCause>) return kStopCauses;
  else if constexpr (std::is_same_v<Enum, RetryCause>) return kRetryCauses;
  else return kReasonCodes;
}

template <class Enum>
std::string_view name_of(Enum value) {
  return names<Enum>().at(static_cast<std::size_t>(value));
}

}  // namespace

bool is_terminal(JobState state) { return state >= JobState::succeeded; }
bool is_active(JobState state) { return state >= JobState::starting && state <= JobState::unreachable; }

std::string_view to_string(JobState state) { return name_of(state); }
std::string_view to_string(AttemptState state) { return name_of(state); }
std::string_view to_string(TaskState state) { return name_of(state); }
std::string_view to_string(EndedBy by) { return name_of(by); }
std::string_view to_string(Certainty sure) { return name_of(sure); }
std::string_view to_string(StopCause cause) { return name_of(cause); }
std::string_view to_string(RetryCause cause) { return name_of(cause); }
std::string_view to_string(ReasonCode code) { return name_of(code); }

template <class Enum>
std::optional<Enum> parse_enum(std::string_view text) {
  const auto& all = names<Enum>();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] == text) return static_cast<Enum>(i);
  return std::nullopt;
}

template std::optional<JobState> parse_enum(std::string_view);
template std::optional<AttemptState> parse_enum(std::string_view);
template std::optional<TaskState> parse_enum(std::string_view);
template std::optional<EndedBy> parse_enum(std::string_view);
template std::optional<Certainty> parse_enum(std::string_view);
template std::optional<StopCause> parse_enum(std::string_view);
template std::optional<RetryCause> parse_enum(std::string_view);
template std::optional<ReasonCode> parse_enum(std::string_view);

}  // namespace ym
