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

std::optional<JobId> job_of(const EventPayload& payload) {
  return std::visit(
      [](const auto& event) -> std::optional<JobId> {
        if constexpr (requires { event.attempt.job; }) return event.attempt.job;
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
