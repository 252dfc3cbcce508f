// Canaries: deliberate faults outside the server that break a promise. The watch of the promise must notice.
#pragma once

#include <cstdint>

namespace ym::sim {

enum class Canary : std::uint8_t {
  none,
  disk_lies,              // P1: flushed data is lost with the power
  key_is_dropped,         // P2: the Idempotency-Key of a submit is lost
  barrier_is_missing,     // P3: executors forget their launches, and a repeated launch starts again
  end_is_invented,        // P4: an executor reports an end that did not happen
  task_is_missing,        // P5: the last task of a gang is not started
  node_is_counted_twice,  // P6: one machine has two names
  restart_kills,          // P7: a server's start kills everything that runs
  end_is_forgotten,       // P8: the store returns an ended job as one that has not ended
  stop_is_ignored,        // P9: executors ignore stop requests
  engine_hangs,           // P10
  begun_anew,             // P11: a damaged state is replaced by an empty one
  grace_is_cut,           // P13: preempted jobs are killed at once
  event_is_changed,       // P14: the store writes another event than the given one
};

}  // namespace ym::sim
