#include "cli/members.h"

#include <map>

#include "cli/http/url.h"
#include "cli/job_view.h"
#include "cli/json_view.h"

namespace ym::cli {
namespace {

constexpr std::size_t kMostMembers = 100'000;

}  // namespace

Result<Found> find_jobs(Api& api, const std::string& id) {
  auto job = api.get(job_target(id));
  if (job) return Found{.jobs = {std::move(*job)}, .is_array = false};
  if (job.error().code != ErrorCode::ambiguous) return std::unexpected(job.error());
  auto members = api.list("/api/v1/jobs", {{"group", id}}, kMostMembers);
  if (!members) return std::unexpected(members.error().code == ErrorCode::not_found ? job.error() : members.error());
  std::map<std::int64_t, boost::json::value> newest;  // the list has the newest first
  for (auto& member : members->items) newest.emplace(integer_at(member, "group_index").value_or(0), std::move(member));
  Found found{.jobs = {}, .is_array = true};
  for (auto& [index, member] : newest) found.jobs.push_back(std::move(member));
  return found;
}

}  // namespace ym::cli
