#include "executor/slurm/jobs/parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/whole_number.h"
#include "executor/slurm/client/hostlist.h"
#include "executor/slurm/client/job_text.h"

namespace ym::slurm {
namespace {

constexpr std::int64_t kMsPerMinute = 60'000;

Result<Part> part_of(const LaunchRequest& request, std::int32_t task) {
  const auto& wants = request.spec->resources_of(task);
  const auto& node = request.nodes[static_cast<std::size_t>(task)];
  if (!wants.profile.empty())
    return fail(
        ErrorCode::invalid,
        fmt::format("Slurm assigns devices by type and number: it has no slices of a profile ({})", wants.profile));
  if (wants.shares_gpu()) return fail(ErrorCode::invalid, "Slurm assigns whole GPUs: it has no gpu_share");
  if (!is_plain_host(node.name)) return fail(ErrorCode::invalid, fmt::format("\"{}\" is not a Slurm node", node.name));
  Part part{.first_task = task,
            .nodes = {node.name},
            .cpus = std::max<std::int64_t>((wants.cpus + kMilli - 1) / kMilli, 1),
            .memory_bytes = wants.memory_bytes,
            .gpus = wants.devices()};
  if (part.gpus > 0) part.gpu_type = node.gpu_type.empty() ? wants.gpu_type : node.gpu_type;
  if (!part.gpu_type.empty() && !is_plain_host(part.gpu_type))
    return fail(ErrorCode::invalid, fmt::format("\"{}\" is not a Slurm GPU type", part.gpu_type));
  return part;
}

bool want_the_same(const Part& a, const Part& b) {
  return a.cpus == b.cpus && a.memory_bytes == b.memory_bytes && a.gpus == b.gpus && a.gpu_type == b.gpu_type;
}

// Merges consecutive tasks on one node.
void add_task(std::vector<Part>& blocks, Part task, SlurmPlacement placement) {
  const bool same_node = placement == SlurmPlacement::ours && !blocks.empty() &&
                         blocks.back().nodes.front() == task.nodes.front() && want_the_same(blocks.back(), task);
  if (same_node) ++blocks.back().tasks_per_node;
  else blocks.push_back(std::move(task));
}

bool continues(const Part& part, const Part& block, SlurmPlacement placement) {
  if (!want_the_same(part, block) || part.tasks_per_node != block.tasks_per_node) return false;
  return placement == SlurmPlacement::delegated ||
         std::ranges::find(part.nodes, block.nodes.front()) == part.nodes.end();
}

}  // namespace

Result<std::vector<Part>> plan_parts(const LaunchRequest& request, SlurmPlacement placement) {
  if (request.placement.empty() || request.placement.size() != request.nodes.size())
    return fail(ErrorCode::invalid, "the launch request names other nodes than its placement");
  std::vector<Part> blocks;
  for (std::size_t task = 0; task < request.nodes.size(); ++task) {
    auto one = part_of(request, static_cast<std::int32_t>(task));
    if (!one) return std::unexpected(one.error());
    add_task(blocks, std::move(*one), placement);
  }
  std::vector<Part> parts;
  for (auto& block : blocks)
    if (!parts.empty() && continues(parts.back(), block, placement)) parts.back().nodes.push_back(block.nodes.front());
    else parts.push_back(std::move(block));
  return parts;
}

bool was_let_in(const LiveAttempt& attempt) {
  return attempt.adopted ||
         std::ranges::any_of(attempt.tasks, [](const TaskStatus& task) { return task.claim.has_value(); });
}

std::string node_of_task(const LiveAttempt& attempt, std::int32_t task) {
  const auto at = static_cast<std::size_t>(task);
  if (at < attempt.tasks.size() && attempt.tasks[at].claim && !attempt.tasks[at].claim->node.empty())
    return attempt.tasks[at].claim->node;
  return attempt.request.placement[at].node;
}

Part part_of_claims(const LiveAttempt& attempt) {
  Part part;
  for (std::int32_t task = 0; std::cmp_less(task, attempt.request.placement.size()); ++task)
    part.nodes.push_back(node_of_task(attempt, task));
  return part;
}

std::string part_name(const Token& token, const std::string& instance, std::size_t part, std::size_t parts) {
  const auto name = fmt::format("{}{}-{}", kNamePrefix, to_string(token), instance);
  return parts == 1 ? name : fmt::format("{}.p{}", name, part);
}

std::optional<Token> token_of_part(std::string_view name, std::string_view instance) {
  if (!name.starts_with(kNamePrefix)) return std::nullopt;
  name.remove_prefix(kNamePrefix.size());
  const auto dash = name.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto token = parse_token(name.substr(0, dash));
  name.remove_prefix(dash + 1);
  if (!name.starts_with(instance)) return std::nullopt;
  name.remove_prefix(instance.size());
  constexpr std::string_view kPart = ".p";
  const bool ends = name.empty() || (name.starts_with(kPart) && whole_number<std::int32_t>(name.substr(kPart.size())));
  return ends ? token : std::nullopt;
}

namespace {

// The partition to which jobs are submitted; null: unknown.
const std::pair<const std::string, PartitionRow>* partition_of(const SlurmOptions& options, const Facts& facts) {
  const auto found = std::ranges::find_if(facts.partitions, [&](const auto& one) {
    return options.partition.empty() ? one.second.is_default : one.first == options.partition;
  });
  return found == facts.partitions.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::int64_t> most_minutes(const SlurmOptions& options, const Facts& facts) {
  const auto* partition = partition_of(options, facts);
  return partition == nullptr ? std::nullopt : partition->second.most_minutes;
}

Result<std::optional<std::int64_t>> minutes_for(const JobSpec& spec, const SlurmOptions& options, const Facts& facts) {
  const auto most = most_minutes(options, facts);
  if (!spec.time_limit) return most;
  const auto whole = *spec.time_limit + spec.stop.grace + options.time_margin;
  const auto minutes = (whole.ms + kMsPerMinute - 1) / kMsPerMinute;
  if (!most || minutes <= *most) return std::optional(minutes);
  // Limit plus grace fit, and only the margin does not: then the margin is smaller.
  if ((*spec.time_limit + spec.stop.grace).ms <= *most * kMsPerMinute) return most;
  return fail(ErrorCode::invalid,
              fmt::format("the partition {} runs jobs for {} minutes at most; this one needs {} and its grace",
                          partition_of(options, facts)->first, *most, to_string(*spec.time_limit)));
}

}  // namespace ym::slurm
