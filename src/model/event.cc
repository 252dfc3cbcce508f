#include "model/event.h"

#include <algorithm>
#include <array>

namespace ym {
namespace {

template <class... Payload>
consteval bool all_distinct(std::variant<Payload...>*) {
  std::array names{Payload::kType...};
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}
static_assert(all_distinct(static_cast<EventVariant*>(nullptr)));

// A payload that has neither a job nor an attempt has an overload. A new payload without one does not compile.
struct JobOf {
  template <AboutAttempt Payload>
  std::optional<JobId> operator()(const Payload& event) const {
    return event.attempt.job;
  }
  template <AboutJob Payload>
  std::optional<JobId> operator()(const Payload& event) const {
    return event.job;
  }
  std::optional<JobId> operator()(const JobSubmitted& event) const { return event.job.id; }
  template <class Row>
  std::optional<JobId> operator()(const RowSet<Row>&) const {
    return std::nullopt;
  }
  template <class Row>
  std::optional<JobId> operator()(const RowRemoved<Row>&) const {
    return std::nullopt;
  }
  std::optional<JobId> operator()(const ServerStarted&) const { return std::nullopt; }
  std::optional<JobId> operator()(const NodesWanted&) const { return std::nullopt; }
  std::optional<JobId> operator()(const UsageSampled&) const { return std::nullopt; }
  std::optional<JobId> operator()(const RequestAudited&) const { return std::nullopt; }
  std::optional<JobId> operator()(const LogSealed&) const { return std::nullopt; }
};

struct AttemptOf {
  template <AboutAttempt Payload>
  std::optional<AttemptKey> operator()(const Payload& event) const {
    return event.attempt;
  }
  std::optional<AttemptKey> operator()(const AttemptAdmitted& event) const { return event.attempt.key(); }
  // Of a job as a whole, or of no job.
  template <class Payload>
    requires(!AboutAttempt<Payload>)
  std::optional<AttemptKey> operator()(const Payload&) const {
    return std::nullopt;
  }
};

const EventVariant& alternatives(const EventPayload& payload) { return payload; }

}  // namespace

EventPayload::EventPayload() = default;
EventPayload::EventPayload(const EventPayload& other) = default;
EventPayload::EventPayload(EventPayload&& other) noexcept = default;
EventPayload& EventPayload::operator=(const EventPayload& other) = default;
EventPayload& EventPayload::operator=(EventPayload&& other) noexcept = default;
EventPayload::~EventPayload() = default;
bool EventPayload::operator==(const EventPayload& other) const { return alternatives(*this) == alternatives(other); }

std::string_view type_name(const EventPayload& payload) {
  return std::visit([](const auto& event) { return event.kType; }, payload);
}

std::optional<JobId> job_of(const EventPayload& payload) { return std::visit(JobOf{}, payload); }

std::optional<AttemptKey> attempt_of(const EventPayload& payload) { return std::visit(AttemptOf{}, payload); }

}  // namespace ym
