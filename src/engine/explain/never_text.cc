#include "engine/explain/never_text.h"

#include <fmt/format.h>

#include "engine/explain/reason_text.h"

namespace ym::engine {
namespace {

std::string node(const AskedNodes& nodes) { return "node" + of_those(nodes); }

std::string there_are(const std::string& offered, std::string_view none) {
  return offered.empty() ? std::string(none) : "there are: " + offered;
}

std::string how_many(std::int64_t count) {
  return count == 0 ? "none is" : count == 1 ? "1 is" : fmt::format("{} are", count);
}

std::string all_excluded(const std::string& which) {
  return fmt::format("every node{} that the job could use is excluded by it (placement.exclude)", which);
}

std::string with(const std::string& rules) { return rules.empty() ? "" : " with " + rules; }

}  // namespace

std::string NeverText::operator()(const NoAnchor& reason) const {
  return fmt::format("an anchor of {} has to be on demand, and queue {} has no flavor for it that is not spot",
                     nodes(reason.needed), reason.queue);
}

std::string NeverText::operator()(const NoNodes& reason) const {
  return fmt::format("there is no {}", node(reason.nodes));
}

std::string NeverText::operator()(const NoGpuType& reason) const {
  return fmt::format("no {} has type {}; {}", node(reason.nodes), reason.wanted,
                     there_are(reason.offered, "none has GPUs of a known type"));
}

std::string NeverText::operator()(const NoSlices& reason) const {
  return fmt::format("no {} has a MIG slice {}; {}", node(reason.nodes), reason.wanted,
                     there_are(reason.offered, "none is partitioned"));
}

std::string NeverText::operator()(const NoLabel& reason) const {
  return fmt::format("no {} has label {}{}", node(reason.nodes), reason.wanted,
                     reason.offered.empty() ? "" : "; there are: " + reason.offered);
}

std::string NeverText::operator()(const NoContainers& reason) const {
  return fmt::format("no {} runs its tasks in containers, so that none has the image that the job names",
                     node(reason.nodes));
}

std::string NeverText::operator()(const NoLevel& reason) const {
  return fmt::format("no {} has a label {}, in which the job's nodes are to be alike", node(reason.nodes),
                     reason.level);
}

std::string NeverText::operator()(const NoneHasAll& reason) const {
  return fmt::format("no {} has all of this: {}", node(reason.nodes), reason.wanted);
}

std::string NeverText::operator()(const AllExcluded& reason) const { return all_excluded(of_those(reason.nodes)); }

std::string NeverText::operator()(const TooManyExcluded& reason) const {
  const bool is_all = reason.parts.empty();
  if (reason.possible == 0 && is_all) return all_excluded(of_flavor(reason.flavor));
  return fmt::format(
      "{}the job needs {} of one {}; {} large enough{}, and {} that would be {} excluded by it (placement.exclude)",
      is_all ? "" : fmt::format("for {} ", reason.parts), nodes(reason.needed), one_place(reason.place),
      how_many(reason.possible), is_all ? of_flavor(reason.flavor) : "", reason.excluded,
      reason.excluded == 1 ? "is" : "are");
}

std::string NeverText::operator()(const TooFewNodes& reason) const {
  const AskedNodes& asked = reason.nodes;
  return fmt::format("the job needs {}{} of one {}; {} large enough{}, even when empty",
                     asked.needed == 1 ? "a node" : nodes(asked.needed), per_node(asked.gpus_per_node),
                     one_place(reason.place), how_many(asked.possible), of_those(asked));
}

std::string NeverText::operator()(const NodesTooSmall& reason) const {
  if (reason.of.as == Counted::As::share && reason.largest.value == 0)
    return fmt::format("no node{} has a whole GPU that the job could share", of_flavor(reason.flavor));
  return fmt::format("the job needs {} a node; the largest node{}{} has {}", things(reason.needed, reason.of),
                     of_flavor(reason.flavor), with(reason.rules), text(reason.largest));
}

std::string NeverText::operator()(const GpusTooSmall& reason) const {
  return fmt::format("the job needs {} of a GPU's memory; the largest GPU of a node{}{} has {}", text(reason.needed),
                     of_flavor(reason.flavor), with(reason.rules), text(reason.largest));
}

std::string NeverText::operator()(const NoNodeHasAllKinds& reason) const {
  std::string all;
  const auto add = [&](const std::optional<Amount>& amount, ResourceKind kind) {
    if (amount) all += (all.empty() ? "" : ", ") + things(*amount, {.kind = kind});
  };
  add(reason.gpus, ResourceKind::gpus);
  add(reason.cpus, ResourceKind::cpus);
  add(reason.memory, ResourceKind::memory);
  return fmt::format("no node{} has all that a task needs: {}", of_flavor(reason.flavor), all);
}

std::string NeverText::operator()(const PartsNeverTogether& reason) const {
  std::string all =
      fmt::format("no {} has nodes for all {} parts of the job at once", one_place(reason.place), reason.needed);
  if (!reason.nodes_needed) return all;
  return fmt::format("{}: of the {} for {} the one that comes closest has {}, even when nothing runs", all,
                     nodes(*reason.nodes_needed), reason.lacking, reason.nodes_possible.value_or(0));
}

}  // namespace ym::engine
