// Ports for rendezvous: each live attempt has its own, also among the servers of one machine. A socket with an abstract
// name made of the port (unix(7)) reserves it. The kernel keeps the socket while the server lives and frees it when the
// server dies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "base/fd.h"

namespace ym::local {

class PortPool {
 public:
  // Below the kernel's range for outgoing connections, so that no connection takes the port by chance before its use.
  static constexpr std::uint16_t kFirst = 20'000, kLast = 31'999;

  // `seed`: several servers on one machine begin at different ports.
  explicit PortPool(std::uint64_t seed) : next_(static_cast<std::uint16_t>(kFirst + seed % (kLast - kFirst + 1))) {}

  // A port on which no process listens now, and that no other live attempt has, of this server or another. Empty: all
  // are taken.
  std::optional<std::uint16_t> take();
  // Keeps the port of an attempt of an earlier server.
  void keep(std::int64_t port);
  void give_back(std::int64_t port);

 private:
  std::uint16_t next_;
  std::map<std::int64_t, Fd> taken_;  // the reservation, if there is one
};

}  // namespace ym::local
