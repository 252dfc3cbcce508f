// Reads: finds jobs and arrays by id or name.
#include <fmt/format.h>

#include <algorithm>

#include "base/whole_number.h"
#include "control/serve/reader_lease.h"

namespace ym {
namespace {

std::unexpected<Error> no_such(std::string_view what, std::string_view name) {
  return fail(ErrorCode::not_found,
              fmt::format("there is no {} '{}': it is neither an id nor a name of yours; for a job of another user, "
                          "write its id",
                          what, name));
}

std::unexpected<Error> is_an_array(std::string_view name, GroupId group, const Job& member) {
  const auto jobs = member.spec->array.value_or(1);
  return fail(ErrorCode::ambiguous,
              fmt::format("'{0}' is an array of {1} jobs (group {2}); name one of them: {0}[0] to {0}[{3}]", name, jobs,
                          to_string(group), jobs - 1));
}

// "sweep[3]": a member of the array with that id or name.
struct MemberName {
  std::string_view array;
  std::int32_t index = 0;
};

std::optional<MemberName> member_name(std::string_view text) {
  const auto open = text.find('[');
  if (open == std::string_view::npos || !text.ends_with(']')) return std::nullopt;
  const auto index = whole_number<std::int32_t>(text.substr(open + 1, text.size() - open - 2));
  return index && *index >= 0 ? std::optional(MemberName{text.substr(0, open), *index}) : std::nullopt;
}

// The newest job with that index.
Result<JobId> member_of(const Reads& reads, const Caller& caller, const MemberName& name) {
  const auto group = reads.resolve_group(caller, name.array);
  if (!group) return std::unexpected(group.error());
  const auto some = reads.jobs(caller, {.group = *group}, 1);
  if (!some) return std::unexpected(some.error());
  if (some->items.empty()) return no_such("array", name.array);
  const JobSpec& spec = *some->items.front().job->spec;
  const auto newest = reads.jobs(caller, {.name = fmt::format("{}-{}", spec.name, name.index), .group = *group}, 1);
  if (!newest) return std::unexpected(newest.error());
  if (!newest->items.empty()) return newest->items.front().job->id;
  return fail(ErrorCode::not_found, fmt::format("array '{}' has no member {}; the last one is {}", name.array,
                                                name.index, spec.array.value_or(1) - 1));
}

}  // namespace

Result<JobId> Reads::resolve(const Caller& caller, std::string_view id_or_name) const {
  if (const auto member = member_name(id_or_name)) return member_of(*this, caller, *member);
  // No name has a bracket.
  if (id_or_name.contains('['))
    return fail(ErrorCode::invalid,
                fmt::format("'{}' names no job; write a member of an array as sweep[3]", id_or_name));
  if (const auto id = parse_job_id(id_or_name)) {
    const auto shown = shows(caller, *id);
    if (!shown) return std::unexpected(shown.error());
    if (*shown) return *id;
  }
  const std::string name(id_or_name);
  if (const auto id = model_.newest_named(caller.principal, name)) return *id;
  // No unfinished job has the name, so the caller means one that has just ended.
  const auto ended = newest_ended(caller, name);
  if (!ended) return std::unexpected(ended.error());
  const auto group = resolve_group(caller, id_or_name);
  if (!group && group.error().code != ErrorCode::not_found) return std::unexpected(group.error());
  const bool lives = model_.newest_array(caller.principal, name).has_value();
  if (*ended && !lives && (!group || (*ended)->value > group->value)) return **ended;
  if (!group) return no_such("job or array", id_or_name);
  const auto members = jobs(caller, {.group = *group}, 1);
  if (!members) return std::unexpected(members.error());
  if (members->items.empty()) return no_such("job or array", id_or_name);
  return is_an_array(id_or_name, *group, members->items.front().job);
}

Result<GroupId> Reads::resolve_group(const Caller& caller, std::string_view id_or_name) const {
  if (const auto id = parse_job_id(id_or_name)) {
    const auto members = jobs(caller, {.group = GroupId{id->value}}, 1);
    if (!members) return std::unexpected(members.error());
    if (!members->items.empty()) return GroupId{id->value};
  }
  const std::string name(id_or_name);
  if (const auto live = model_.newest_array(caller.principal, name)) return *live;
  // All its members have ended. Every array has a member 0. A few other jobs may have the same name.
  constexpr std::size_t kLook = 100;
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  const auto first = (*reader)->jobs({.owner = caller.principal, .name = name + "-0"}, kLook);
  if (!first) return std::unexpected(first.error());
  for (const auto& job : *first)
    if (job.group && job.spec->name == name) return *job.group;
  return no_such("array", id_or_name);
}

Result<std::optional<JobId>> Reads::newest_ended(const Caller& caller, const std::string& name) const {
  auto reader = lease_reader();
  if (!reader) return std::unexpected(reader.error());
  auto ended = (*reader)->jobs({.owner = caller.principal, .name = name}, 1);
  if (!ended) return std::unexpected(ended.error());
  if (ended->empty()) return std::nullopt;
  return ended->front().id;
}

}  // namespace ym
