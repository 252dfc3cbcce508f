// Ids and names that stand for several jobs: arrays, and members of arrays.
#pragma once

#include <boost/json/array.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/api.h"

namespace ym::cli {

// "sweep[1,4-6]": members of an array by their indices.
struct MemberRange {
  std::string array;                                          // its id or name
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges;  // first and last
  bool has(std::int64_t index) const;
};
// Whether `id` is written as a range of members. A name has no bracket.
inline bool names_members(std::string_view id) { return id.contains('['); }
// Errors: `invalid` says what to write.
Result<MemberRange> parse_members(const std::string& id);

// Keeps the newest job of each index, at the place of the first job of that index.
void keep_newest(std::vector<const boost::json::value*>& jobs);
// The newest job of each index, ordered by index. A member that was retried has several jobs.
boost::json::array newest_members(const boost::json::array& jobs);

// Finds the job with that id or name. For an array or a range it finds the members, ordered by index, the newest job
// of each index. Errors: those of the server; `not_found` if a member of a range does not exist.
struct Found {
  boost::json::array jobs;
  bool is_array = false;
};
Result<Found> find_jobs(Api& api, const std::string& id);

}  // namespace ym::cli
