#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <map>

#include "cli/members.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/request_text.h"
#include "cli/views/time_spent.h"
#include "cli/views/training_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kShownSingly = 5;

using Group = std::vector<const json::value*>;

// Member "train-3" of array "train" gives "train".
std::string group_name(const json::value& job) {
  auto name = name_of(job);
  const auto ending = "-" + text_at(job, "group_index");
  if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return name;
}

std::string states(const Group& group) {
  std::map<std::string, std::size_t> counts;
  for (const auto* job : group) ++counts[state_of(*job)];
  std::string text;
  for (const auto& [state, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : " ", count, state);
  return text;
}

// Verbs accept a group's id in place of a job's.
std::string group_id(const Group& group) {
  return group.size() == 1 ? id_of(*group.front()) : text_at(*group.front(), "group_id");
}

// The most frequent remark of the members that have failed, or of the others, and how many have it.
std::string most_frequent_remark(const Group& group, bool of_failed) {
  std::map<std::string, std::size_t> counts;
  for (const auto* job : group)
    if (auto text = remark(*job); !text.empty() && has_failed(*job) == of_failed) ++counts[std::move(text)];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? "" : fmt::format("{} {}", most->second, most->first);
}

// Failures first: a narrow terminal cuts the rest.
std::string remark_of(const Group& group) {
  if (group.size() == 1) return remark(*group.front());
  const auto failed = most_frequent_remark(group, true), others = most_frequent_remark(group, false);
  return failed + (failed.empty() || others.empty() ? "" : "; ") + others;
}

// For several jobs: the member with the longest time since its last save.
std::string saved(const Group& group, Instant now) {
  if (group.size() == 1) return saved_ago(*group.front(), now);
  std::optional<Instant> oldest;
  for (const auto* job : group)
    if (const auto at = saved_at(*job); at && !has_ended(*job)) oldest = std::min(oldest.value_or(*at), *at);
  return oldest ? short_duration(now - *oldest) : "";
}

std::string at_risk(const Group& group) {
  std::optional<double> sum;
  for (const auto* job : group)
    if (const auto risk = gpu_seconds_at_risk(*job)) sum = sum.value_or(0) + *risk;
  return sum ? gpu_time(*sum) : "";
}

std::vector<std::string> row(const Group& group, Instant now, bool wide) {
  const auto& job = *group.front();
  const bool single = group.size() == 1;
  return {group_id(group),
          single ? name_of(job) : fmt::format("{} x{}", group_name(job), group.size()),
          text_at(job, "user"),
          text_at(job, "queue"),
          text_at(job, "priority"),
          gpus_of(job, group.size()),
          single ? state_of(job) : states(group),
          single ? time_text(job, now) : longest_time_text(group, now),
          single ? place(job, wide) : "",
          remark_of(group)};
}

std::vector<Group> grouped(const json::array& jobs, Rows rows) {
  std::map<std::string, std::size_t> sizes;
  for (const auto& job : jobs) ++sizes[text_at(job, "group_id")];
  std::map<std::string, std::size_t> places;
  std::vector<Group> groups;
  for (const auto& job : jobs) {
    const auto id = text_at(job, "group_id");
    const bool collapse = rows == Rows::grouped && !id.empty() && sizes[id] > kShownSingly;
    const auto [place, is_new] = collapse ? places.emplace(id, groups.size()) : std::pair(places.end(), true);
    if (is_new) groups.push_back({&job});
    else groups[place->second].push_back(&job);
  }
  // A member that was retried counts once, by its newest job.
  for (Group& group : groups)
    if (group.size() > 1) keep_newest(group);
  return groups;
}

}  // namespace

Table job_table(const json::array& jobs, Instant now, bool wide, Rows rows) {
  using enum Table::Align;
  std::vector<Table::Column> columns{{"ID"},          {"NAME"},  {"USER"},       {"QUEUE"}, {"PRI", right},
                                     {"GPUS", right}, {"STATE"}, {"FOR", right}, {"NODES"}, {"REASON"}};
  if (wide) {
    columns.push_back({"SUBMITTED"});
    columns.push_back({"ATTEMPTS", right});
    columns.push_back({"PROGRESS", right});
    columns.push_back({"SAVED", right});
    columns.push_back({"AT RISK", right});
  }
  Table table(std::move(columns));
  for (const auto& group : grouped(jobs, rows)) {
    auto cells = row(group, now, wide);
    const auto& job = *group.front();
    if (wide) {
      cells.push_back(short_time(instant_at(job, "submitted_at")));
      cells.push_back(std::to_string(items_of(member(job, "attempts")).size()));
      cells.insert(cells.end(), {group.size() == 1 ? progress_of(job) : "", saved(group, now), at_risk(group)});
    }
    table.add(std::move(cells));
  }
  return table;
}

}  // namespace ym::cli
