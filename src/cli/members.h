// Ids and names that stand for several jobs: those of arrays, and of some of their members.
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
// Whether it is meant as one: no name has a bracket.
inline bool names_members(std::string_view id) { return id.contains('['); }
// Errors: `invalid`, with what to write.
Result<MemberRange> parse_members(const std::string& id);

// Leaves of each index the newest of these jobs, where the first of that index stood.
void keep_newest(std::vector<const boost::json::value*>& jobs);
// Of each index the newest of these jobs, by index: a member that was retried has several.
boost::json::array newest_members(const boost::json::array& jobs);

// The job of that id or name; of an array, or a range of one, its members by index, of each index the newest.
// Errors: those of the server; of a range also `not_found` where a member is not there.
struct Found {
  boost::json::array jobs;
  bool is_array = false;
};
Result<Found> find_jobs(Api& api, const std::string& id);

}  // namespace ym::cli
