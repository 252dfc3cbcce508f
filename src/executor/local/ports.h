// Ports for rendezvous: each live attempt has one of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

namespace ym::local {

class PortPool {
 public:
  // Below the range that the kernel hands to outgoing connections, so that nothing
  // takes the port between now and its use by chance.
  static constexpr std::uint16_t kFirst = 20'000, kLast = 31'999;

  // `seed` makes several servers on one machine begin at different places.
  explicit PortPool(std::uint64_t seed) : next_(static_cast<std::uint16_t>(kFirst + seed % (kLast - kFirst + 1))) {}

  // Nobody listens on it now, and no other live attempt has it. Nothing if all are taken.
  std::optional<std::uint16_t> take();
  // A port that an attempt of an earlier server has.
  void keep(std::int64_t port);
  void give_back(std::int64_t port);

 private:
  std::uint16_t next_;
  std::set<std::int64_t> taken_;
};

}  // namespace ym::local
