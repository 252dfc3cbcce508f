// Ports for rendezvous: each live attempt has one of its own, also among the servers of
// one machine: a port is reserved by a socket of a name made of it (unix(7), "abstract"),
// which the kernel keeps for as long as the server lives and takes back when it dies.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "base/fd.h"

namespace ym::local {

class PortPool {
 public:
  // Below the range that the kernel hands to outgoing connections, so that nothing
  // takes the port between now and its use by chance.
  static constexpr std::uint16_t kFirst = 20'000, kLast = 31'999;

  // `seed` makes several servers on one machine begin at different places.
  explicit PortPool(std::uint64_t seed) : next_(static_cast<std::uint16_t>(kFirst + seed % (kLast - kFirst + 1))) {}

  // Nobody listens on it now, and no other live attempt has it, of this server or
  // another. Nothing if all are taken.
  std::optional<std::uint16_t> take();
  // A port that an attempt of an earlier server has.
  void keep(std::int64_t port);
  void give_back(std::int64_t port);

 private:
  std::uint16_t next_;
  std::map<std::int64_t, Fd> taken_;  // the reservation, as far as we got it
};

}  // namespace ym::local
