#include "model/lifecycle.h"

#include <cstdint>
#include <initializer_list>

namespace ym {
namespace {

template <class State>
constexpr std::uint32_t set_of(std::initializer_list<State> states) {
  std::uint32_t bits = 0;
  for (const auto state : states) bits |= 1U << static_cast<unsigned>(state);
  return bits;
}

std::uint32_t after(JobState from) {
  using enum JobState;
  switch (from) {
    case held: return set_of({queued, cancelled});
    case queued: return set_of({held, starting, failed, cancelled});
    case starting: return set_of({running, stopping, unreachable, queued, succeeded, failed, cancelled, timed_out});
    case running: return set_of({stopping, unreachable, queued, succeeded, failed, cancelled, timed_out});
    case stopping: return set_of({unreachable, queued, succeeded, failed, cancelled, timed_out});
    case unreachable: return set_of({starting, running, stopping, queued, succeeded, failed, cancelled, timed_out});
    case succeeded:
    case failed:
    case cancelled:
    case timed_out: return 0;
  }
  return 0;
}

std::uint32_t after(AttemptState from) {
  using enum AttemptState;
  switch (from) {
    case intended: return set_of({submitted, starting, running, stopping, unknown, ended});
    case submitted: return set_of({starting, running, stopping, unknown, ended});
    case starting: return set_of({running, stopping, unknown, ended});
    case running: return set_of({stopping, unknown, ended});
    case stopping: return set_of({unknown, ended});
    case unknown: return set_of({submitted, starting, running, stopping, ended});
    case ended: return 0;
  }
  return 0;
}

}  // namespace

bool may_follow(JobState from, JobState to) { return (after(from) >> static_cast<unsigned>(to) & 1U) != 0; }
bool may_follow(AttemptState from, AttemptState to) { return (after(from) >> static_cast<unsigned>(to) & 1U) != 0; }

}  // namespace ym
