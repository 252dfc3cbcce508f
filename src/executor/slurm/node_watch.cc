#include "executor/slurm/node_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ym::slurm {
namespace {

bool has(const NodeRow& row, std::string_view state) {
  return std::ranges::find(row.states, state) != row.states.end();
}

// Slurm's states in which nothing new starts on a node, the most informative ones first. PLANNED is not one of them: it
// changes with every cycle of Slurm. POWERED_DOWN and POWERING_UP are not either: Slurm starts such a node for the job
// that gets it, and it need not answer meanwhile.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kWithheld{
    {{"DOWN", "down"},
     {"NOT_RESPONDING", "not responding"},
     {"FAIL", "failing"},
     {"FAILING", "failing"},
     {"DRAIN", "drained"},
     {"DRAINED", "drained"},
     {"DRAINING", "drained"},
     {"INVALID_REG", "badly registered"},
     {"MAINTENANCE", "in maintenance"},
     {"MAINT", "in maintenance"},
     {"POWERING_DOWN", "powering down"},
     {"REBOOT_ISSUED", "rebooting"},
     {"REBOOT_REQUESTED", "to be rebooted"},
     {"FUTURE", "not there yet"},
     {"UNKNOWN", "in an unknown state"}}};

}  // namespace

std::string why_withheld(const NodeRow& row, bool reserved_for_us) {
  const bool is_off = has(row, "POWERED_DOWN") || has(row, "POWERING_UP");
  for (const auto& [state, words] : kWithheld)
    if (has(row, state) && !(is_off && state == "NOT_RESPONDING"))
      return row.reason.empty() ? fmt::format("{} in Slurm", words) : fmt::format("{} in Slurm: {}", words, row.reason);
  if (has(row, "RESERVED") && !reserved_for_us) return "in a Slurm reservation";
  return {};
}

bool is_out_of_sight(const NodeRow& row) {
  return has(row, "DOWN") || has(row, "NOT_RESPONDING") || has(row, "UNKNOWN") || has(row, "POWERED_DOWN") ||
         has(row, "POWERING_UP");
}

void NodeWatch::see(const std::vector<NodeRow>& rows, Instant asked) {
  std::map<std::string, Seen, std::less<>> nodes;
  for (const auto& row : rows) {
    const auto before = nodes_.find(row.name);
    Seen seen = before == nodes_.end() ? Seen{.up_since = asked} : before->second;
    const bool up = !is_out_of_sight(row);
    if (!up) seen.was_down = true;
    if (up && !seen.up) seen.up_since = asked;
    seen.up = up;
    const bool off = has(row, "POWERED_DOWN") && !has(row, "DOWN");
    if (off && !seen.off && before != nodes_.end()) seen.off_since = asked;
    if (!off) seen.off_since.reset();
    seen.off = off;
    seen.message = fmt::format("node {} is {}", row.name, why_withheld(row, true));
    seen.booted = row.booted;
    nodes.emplace(row.name, std::move(seen));
  }
  nodes_ = std::move(nodes);
  asked_ = asked;
}

std::optional<std::string> NodeWatch::out_of_sight(const std::string& node) const {
  const auto found = nodes_.find(node);
  if (found == nodes_.end() || found->second.up) return std::nullopt;
  return found->second.message;
}

// If the node was out of sight while the job was there, a new answer of the node proves nothing yet: only then does it
// end the job's remaining processes.
Leftovers NodeWatch::leftovers(const Question& question) const {
  if (asked_ < question.over_since) return Leftovers::not_known;
  const auto found = nodes_.find(question.node);
  if (found == nodes_.end()) return question.suspect ? Leftovers::possible : Leftovers::none;
  const auto& node = found->second;
  // A machine that was switched off is not lost. For a suspect job this counts only if this watch has seen it go off
  // since. A node that is listed as always off may be so because the controller has lost its state.
  if (node.off && (!question.suspect || (node.off_since && *node.off_since > question.over_since)))
    return Leftovers::none;
  if (!node.up) return Leftovers::possible;
  const bool was_lost = node.was_down && question.active_since && node.up_since > *question.active_since;
  if (!question.suspect && !was_lost) return Leftovers::none;
  if (node.booted && question.ended && *node.booted > *question.ended) return Leftovers::none;
  const auto quiet_since = std::max(node.up_since, question.over_since);
  return question.now - quiet_since >= question.settle ? Leftovers::none : Leftovers::possible;
}

}  // namespace ym::slurm
