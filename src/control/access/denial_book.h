// DenialBook: what bindings would have refused, if they decided already (AccessMode::trial).
//
// An administrator reads it before switching on, and gives the roles that are missing. It is in memory, and begins
// anew with the server. Lists that would be shorter are not noted.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "base/time.h"
#include "control/access/access.h"

namespace ym {

struct DenialRow {
  std::string principal;
  Permission permission = Permission::jobs_list;
  std::string project, queue, cluster;  // where; all empty: the site
  std::int64_t times = 0;
  Instant first, last;
};

// Thread-safe.
class DenialBook {
 public:
  // Different rows that it keeps. More are only counted.
  static constexpr std::size_t kMostRows = 10'000, kMostOfAPrincipal = 200;

  void note(std::string_view principal, Permission permission, const Target& target, Instant now);

  struct Content {
    std::vector<DenialRow> rows;  // by principal, permission and place
    std::int64_t left_out = 0;    // denials without a row
  };
  Content read() const;

 private:
  using Key = std::tuple<std::string, Permission, std::string, std::string, std::string>;

  mutable std::mutex mutex_;
  std::map<Key, DenialRow> rows_;
  std::map<std::string, std::size_t, std::less<>> of_principal_;  // number of rows
  std::int64_t left_out_ = 0;
};

// The rights of a principal by bindings alone, beside the rights that it has.
struct Trial {
  Rights rights;
  DenialBook& denials;
};

// What the caller could do if bindings decided. Nothing: they do decide, or no trial is made.
std::optional<Access> by_bindings_alone(const Access& access);
// In a trial: notes the denial if bindings would refuse. Precondition: the caller is allowed.
void note_if_refused_by_bindings(const Access& access, Permission permission, const Target& target,
                                 std::string_view owner);

}  // namespace ym
