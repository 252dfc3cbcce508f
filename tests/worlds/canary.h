// Canaries: something outside of the server that is made wrong on purpose, so that a promise breaks. Whoever watches
// over the promise has to notice.
#pragma once

#include <cstdint>

namespace ym::sim {

enum class Canary : std::uint8_t {
  none,
  disk_lies,              // P1: what was flushed is lost with the power
  key_is_dropped,         // P2: the Idempotency-Key of a submit does not arrive
  gate_is_missing,        // P3: executors forget what they run, and a launch that is repeated starts it again
  end_is_invented,        // P4: an executor tells of an end that is none
  task_is_missing,        // P5: the last task of a gang is not started
  node_is_counted_twice,  // P6: one machine has two names
  restart_kills,          // P7: what runs is killed when a server begins
  end_is_forgotten,       // P8: the store gives a job back as if it had not ended
  stop_is_ignored,        // P9: executors do not stop what they are asked to
  engine_hangs,           // P10
  begun_anew,             // P11: a damaged state is thrown away
  grace_is_cut,           // P13: who is stopped is killed at once
  event_is_changed,       // P14: the store writes another event than it was given
};

}  // namespace ym::sim
