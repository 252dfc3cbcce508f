// Waiter: sleeps until something happens.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "base/fd.h"
#include "executor/local/attempt/boot_time.h"
#include "executor/local/supervisor/control_socket.h"

namespace ym::local {

class Waiter {
 public:
  // Handles SIGCHLD. From now on all signals of the calling thread are blocked, so that only the socket commands a
  // supervisor.
  Waiter();

  // Returns when a child has ended, when the socket or one of `pipes` (-1: none) is readable, or at `deadline` (by
  // boot_now). May return early.
  void wait(const ControlSocket& socket, std::initializer_list<int> pipes, std::optional<std::int64_t> deadline);

 private:
  Fd signals_, timer_;
};

}  // namespace ym::local
