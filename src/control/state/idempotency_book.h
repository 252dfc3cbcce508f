// IdempotencyBook: requests that a client may send again, by principal and key.
//
// There may be millions in a day, so it holds only digests and job ids of each. The record itself is in the store.
// Values; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/store.h"

namespace ym {

class IdempotencyBook {
 public:
  // The jobs that an earlier request under this principal and key made.
  struct Found {
    bool same_request = false;
    std::vector<JobId> jobs;
  };
  std::optional<Found> find(std::string_view principal, std::string_view key, std::string_view request_hash) const;
  // Replaces an earlier record of the same principal and key.
  void put(const IdempotencyRecord& record);
  void forget_before(Instant horizon) {
    std::erase_if(entries_, [horizon](const auto& entry) { return entry.second.at < horizon; });
  }
  void clear() { entries_.clear(); }

 private:
  // 128 bits: two equal digests among a million million are not to be expected.
  using Digest = std::array<std::uint64_t, 2>;
  static Digest digest(std::string_view first, std::string_view second);

  // Jobs of one request mostly have consecutive ids.
  struct Run {
    std::uint64_t first = 0, count = 0;
  };
  struct Entry {
    Digest request{};
    Instant at;
    Run run;
    std::unique_ptr<const std::vector<Run>> more;
  };
  struct Bucket {
    std::size_t operator()(const Digest& name) const noexcept { return name[0]; }
  };
  static std::vector<Run> runs_of(const std::vector<JobId>& jobs);

  std::unordered_map<Digest, Entry, Bucket> entries_;
};

}  // namespace ym
