// IdempotencyBook: the requests that may be sent again, by principal and key.
//
// There may be millions within a day, so of each it has digests and the ids of its jobs only; the
// record itself is in the store. Values; one thread.
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
  // What an earlier request under this name made.
  struct Found {
    bool same_request = false;
    std::vector<JobId> jobs;
  };
  std::optional<Found> find(std::string_view principal, std::string_view key, std::string_view request_hash) const;
  // Replaces an earlier one of that name.
  void put(const IdempotencyRecord& record);
  void forget_before(Instant horizon) {
    std::erase_if(entries_, [horizon](const auto& entry) { return entry.second.at < horizon; });
  }
  void clear() { entries_.clear(); }

 private:
  // Of 128 bits: two of a million million names that are alike are not to be expected.
  using Digest = std::array<std::uint64_t, 2>;
  static Digest digest(std::string_view first, std::string_view second);

  // Jobs of one request mostly have ids in a row.
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
