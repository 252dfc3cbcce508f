#include "control/boot_clock.h"

#include <time.h>

namespace ym {
namespace {

std::int64_t read_ms(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1'000'000;
}

}  // namespace

BootClock::BootClock() : offset_ms_(read_ms(CLOCK_REALTIME) - read_ms(CLOCK_BOOTTIME)) {}

Instant BootClock::now() const { return {read_ms(CLOCK_BOOTTIME) + offset_ms_}; }

void BootClock::advance_to(Instant least) {
  const auto wanted = least.ms - read_ms(CLOCK_BOOTTIME);
  auto offset = offset_ms_.load();
  while (offset < wanted && !offset_ms_.compare_exchange_weak(offset, wanted)) continue;
}

}  // namespace ym
