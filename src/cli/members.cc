#include "cli/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/whole_number.h"
#include "cli/http/url.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

constexpr std::size_t kMostMembers = 100'000;

std::unexpected<Error> not_a_range(const std::string& id) {
  return fail(
      ErrorCode::invalid,
      fmt::format("'{}' does not name members of an array; write for example sweep[3], sweep[10-19] or sweep[1,4-6]",
                  id));
}

std::int64_t index_of(const boost::json::value& member) { return integer_at(member, "group_index").value_or(0); }

Result<boost::json::array> members_of(Api& api, const std::string& array) {
  auto members = api.list("/api/v1/jobs", {{"group", array}}, kMostMembers);
  if (!members) return std::unexpected(members.error());
  return newest_members(members->items);
}

Result<Found> find_range(Api& api, const std::string& id) {
  const auto range = parse_members(id);
  if (!range) return std::unexpected(range.error());
  auto members = members_of(api, range->array);
  if (!members) return std::unexpected(members.error());
  for (const auto& [first, last] : range->ranges)
    for (const std::int64_t end : {first, last})
      if (std::ranges::find(*members, end, index_of) == members->end())
        return fail(ErrorCode::not_found, fmt::format("array '{}' has no member {}; the last one is {}", range->array,
                                                      end, members->empty() ? 0 : index_of(members->back())));
  // A single index names a single job.
  const bool is_one = range->ranges.size() == 1 && range->ranges.front().first == range->ranges.front().second;
  Found found{.jobs = {}, .is_array = !is_one};
  for (auto& member : *members)
    if (range->has(index_of(member))) found.jobs.push_back(std::move(member));
  return found;
}

}  // namespace

bool MemberRange::has(std::int64_t index) const {
  return std::ranges::any_of(ranges, [&](const auto& one) { return one.first <= index && index <= one.second; });
}

Result<MemberRange> parse_members(const std::string& id) {
  const auto open = id.find('[');
  if (open == 0 || open == std::string::npos || !id.ends_with(']')) return not_a_range(id);
  MemberRange range{.array = id.substr(0, open), .ranges = {}};
  const std::string_view list = std::string_view(id).substr(open + 1, id.size() - open - 2);
  for (std::size_t begin = 0; begin <= list.size();) {
    const auto end = std::min(list.find(',', begin), list.size());
    const std::string_view part = list.substr(begin, end - begin);
    const auto dash = part.find('-');
    const auto first = whole_number<std::int64_t>(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : whole_number<std::int64_t>(part.substr(dash + 1));
    if (!first || !last || *first > *last) return not_a_range(id);
    range.ranges.emplace_back(*first, *last);
    begin = end + 1;
  }
  return range;
}

void keep_newest(std::vector<const boost::json::value*>& jobs) {
  std::map<std::int64_t, std::size_t> places;
  std::vector<const boost::json::value*> newest;
  for (const auto* job : jobs) {
    const auto [place, is_first] = places.emplace(index_of(*job), newest.size());
    if (is_first) newest.push_back(job);
    else if (id_of(*newest[place->second]) < id_of(*job)) newest[place->second] = job;
  }
  jobs = std::move(newest);
}

boost::json::array newest_members(const boost::json::array& jobs) {
  std::vector<const boost::json::value*> newest;
  for (const auto& job : jobs) newest.push_back(&job);
  keep_newest(newest);
  std::ranges::sort(newest, {}, [](const auto* job) { return index_of(*job); });
  boost::json::array members;
  for (const auto* member : newest) members.push_back(*member);
  return members;
}

Result<Found> find_jobs(Api& api, const std::string& id) {
  if (names_members(id)) return find_range(api, id);
  auto job = api.get(job_target(id));
  if (job) return Found{.jobs = {std::move(*job)}, .is_array = false};
  if (job.error().code != ErrorCode::ambiguous) return std::unexpected(job.error());
  auto members = members_of(api, id);
  if (!members) return std::unexpected(members.error().code == ErrorCode::not_found ? job.error() : members.error());
  return Found{.jobs = std::move(*members), .is_array = true};
}

}  // namespace ym::cli
