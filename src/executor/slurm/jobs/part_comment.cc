#include "executor/slurm/jobs/part_comment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/whole_number.h"
#include "executor/slurm/client/hostlist.h"

namespace ym::slurm {
namespace {

constexpr std::string_view kOwner = "yardmaster/", kTasks = " tasks", kWhich = ": ", kOn = " on ";

// Returns the text before `separator`, and removes both. Empty: there is none.
std::optional<std::string_view> cut(std::string_view& text, std::string_view separator) {
  const auto at = text.find(separator);
  if (at == std::string_view::npos) return std::nullopt;
  const auto before = text.substr(0, at);
  text.remove_prefix(at + separator.size());
  return before;
}

// "2+3", "2+3 on n3,n1,n2"
bool read_range(std::string_view text, PartShare& share) {
  const auto at = text.find(kOn);
  if (at != std::string_view::npos) {
    auto nodes = expand_hosts(text.substr(at + kOn.size()));
    if (!nodes) return false;
    share.nodes = std::move(*nodes);
    text = text.substr(0, at);
  }
  const auto first = cut(text, "+");
  const auto number = first ? whole_number<std::int32_t>(*first) : std::nullopt;
  const auto tasks = whole_number<std::int32_t>(text);
  if (!number || !tasks) return false;
  share.first_task = *number;
  share.tasks = *tasks;
  return true;
}

// Within bounds that also keep sums valid.
bool makes_sense(const PartShare& share) {
  constexpr std::int32_t kMost = 1'000'000;
  return share.of > 0 && share.of <= kMost && share.first_task >= 0 && share.tasks > 0 && share.tasks <= share.of &&
         share.first_task <= share.of - share.tasks;
}

}  // namespace

std::string part_comment(const std::string& instance, const LaunchRequest& request, const Part& part, bool placed) {
  auto text =
      fmt::format("{}{} job {} attempt {}, {}{}{}{}+{}", kOwner, instance, to_string(request.token.job),
                  request.token.attempt, request.placement.size(), kTasks, kWhich, part.first_task, part.tasks());
  if (!placed) return text;
  auto with_nodes = fmt::format("{}{}{}", text, kOn, fmt::join(part.nodes, ","));
  return with_nodes.size() <= kMostComment ? with_nodes : text;
}

bool is_ours(std::string_view comment, std::string_view instance) {
  if (!comment.starts_with(kOwner)) return false;
  comment.remove_prefix(kOwner.size());
  return comment.substr(0, comment.find(' ')) == instance;
}

bool says_which_tasks(std::string_view comment) {
  return cut(comment, ", ") && cut(comment, kTasks) && comment.starts_with(kWhich);
}

std::optional<PartShare> share_of(std::string_view name, std::string_view comment, std::string_view instance) {
  if (!cut(comment, ", ")) return std::nullopt;
  const auto number = cut(comment, kTasks);
  const auto tasks = number ? whole_number<std::int32_t>(*number) : std::nullopt;
  if (!tasks) return std::nullopt;
  PartShare share{.of = *tasks, .tasks = *tasks};
  // An old comment does not say which tasks the job has, if there are several parts.
  const bool says_which = comment.starts_with(kWhich), is_alone = name.ends_with(fmt::format("-{}", instance));
  if (says_which ? !read_range(comment.substr(kWhich.size()), share) : !is_alone) return std::nullopt;
  return makes_sense(share) ? std::optional(std::move(share)) : std::nullopt;
}

}  // namespace ym::slurm
