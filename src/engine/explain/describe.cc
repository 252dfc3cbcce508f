// One sentence for each code.
#include <fmt/format.h>

#include "engine/engine.h"

namespace ym::engine {
namespace {

class Sentence {
 public:
  explicit Sentence(const Reason& reason) : reason_(reason) {}

  std::string misconfigured() const {
    if (reason_.resource == "children")
      return fmt::format("queue {} has queues below it; jobs can run only in those", reason_.queue);
    if (reason_.resource == "parent")
      return fmt::format("queue {} is below a queue that does not exist", reason_.queue);
    if (reason_.resource == "loop") return fmt::format("queue {} is below itself", reason_.queue);
    return fmt::format("queue {} does not exist", reason_.queue);
  }

  std::string exceeds_max_quota() const {
    if (reason_.flavor.empty())
      return fmt::format("queue {} has quota of no flavor; the job needs {}", reason_.queue, amount("needed"));
    return fmt::format("queue {} may use at most {}; the job needs {}", reason_.queue, things("max"), amount("needed"));
  }

  std::string exceeds_capacity() const {
    const auto needed = number("needed");
    if (number("matching") == 0) return fmt::format("no node{} is of the kind that the job asks for", of_flavor());
    const std::string nodes = needed == 1 ? "a node" : fmt::format("{} nodes", needed);
    const auto possible = number("possible");
    const std::string there = possible == 0 ? "none is" : possible == 1 ? "1 is" : fmt::format("{} are", possible);
    return fmt::format("the job needs {}{} of one cluster; {} large enough{}, even when empty", nodes, per_node(),
                       there, of_flavor());
  }

  std::string waiting_for_quota() const {
    return fmt::format("queue {} uses {} of its {}; {} can be had, the job needs {}", reason_.queue, amount("used"),
                       things("nominal"), amount("available"), amount("needed"));
  }

  std::string priority() const {
    return fmt::format("job {} goes first: it has waited for longer than its age cap and is not passed any more",
                       to_string(reason_.blocker));
  }

  std::string waiting_for_capacity() const {
    const std::string drained =
        number("drained") > 0 ? fmt::format(" ({} out of service)", nodes(number("drained"))) : std::string();
    if (reason_.resource == "nodes")
      return fmt::format("the job needs {}{}; {} {} room now{}", nodes(number("needed")), per_node(), number("free"),
                         number("free") == 1 ? "has" : "have", drained);
    return fmt::format("the job needs {}; {} {} free{}", things("needed"), amount("free"),
                       number("free") == 1 ? "is" : "are", drained);
  }

  std::string fragmented() const {
    if (reason_.resource == "nodes")
      return fmt::format("enough is free in total, but not together: the job needs {}, {} {} room",
                         nodes(number("needed")), number("free"), number("free") == 1 ? "has" : "have");
    if (number("nodes_needed") > 0)
      return fmt::format("{} are free, but scattered: the job needs {} with room for a task, {} {} it", things("free"),
                         nodes(number("nodes_needed")), number("nodes_free"),
                         number("nodes_free") == 1 ? "has" : "have");
    return fmt::format("{} are free, but at most {} on one node; the job needs {}", things("free"), amount("largest"),
                       amount("needed"));
  }

  std::string cluster_unavailable() const {
    return fmt::format("the {} that the job could use {} in a cluster that cannot be reached",
                       number("unavailable") == 1 ? "1 node" : nodes(number("unavailable")),
                       number("unavailable") == 1 ? "is" : "are");
  }

  std::string backoff() const {
    return fmt::format("the job is tried again from {} on", to_rfc3339({number("until_ms")}));
  }

 private:
  std::int64_t number(std::string_view name) const {
    for (const auto& [key, value] : reason_.numbers)
      if (key == name) return value;
    return 0;
  }
  static std::string nodes(std::int64_t n) { return fmt::format("{} node{}", n, n == 1 ? "" : "s"); }
  // "8", "64GiB"
  std::string amount(std::string_view name) const {
    return reason_.resource == "memory" ? format_bytes(number(name)) : std::to_string(number(name));
  }
  // "8 t4 GPUs", "64GiB of t4 memory"
  std::string things(std::string_view name) const {
    const std::string flavor = reason_.flavor.empty() || reason_.flavor == kDefaultFlavor ? "" : reason_.flavor + " ";
    if (reason_.resource == "memory") return fmt::format("{} of {}memory", amount(name), flavor);
    const std::string_view what = reason_.resource == "gpus" ? "GPU" : "CPU";
    return fmt::format("{} {}{}{}", amount(name), flavor, what, number(name) == 1 ? "" : "s");
  }
  std::string of_flavor() const {
    return reason_.flavor.empty() || reason_.flavor == kDefaultFlavor ? "" : " of flavor " + reason_.flavor;
  }
  std::string per_node() const {
    const auto gpus = number("gpus_per_node");
    return gpus == 0 ? "" : fmt::format(" with {} GPU{} each", gpus, gpus == 1 ? "" : "s");
  }

  const Reason& reason_;
};

}  // namespace

std::string describe(const Reason& reason) {
  const Sentence sentence(reason);
  switch (reason.code) {
    case ReasonCode::held: return "the job is held until somebody releases it";
    case ReasonCode::misconfigured: return sentence.misconfigured();
    case ReasonCode::backoff: return sentence.backoff();
    case ReasonCode::exceeds_max_quota: return sentence.exceeds_max_quota();
    case ReasonCode::exceeds_capacity: return sentence.exceeds_capacity();
    case ReasonCode::waiting_for_quota: return sentence.waiting_for_quota();
    case ReasonCode::priority: return sentence.priority();
    case ReasonCode::waiting_for_capacity: return sentence.waiting_for_capacity();
    case ReasonCode::fragmented: return sentence.fragmented();
    case ReasonCode::cluster_unavailable: return sentence.cluster_unavailable();
    case ReasonCode::policy_denied: return "a policy does not allow the job";
    case ReasonCode::dependency: return "the job waits for jobs that it depends on";
    case ReasonCode::begin_time: return "the job asked not to start yet";
    case ReasonCode::budget_exhausted: return "the budget is used up";
    case ReasonCode::limit_reached: return "as many jobs run as are allowed";
    case ReasonCode::reserved: return "what the job needs is reserved";
    case ReasonCode::preemption_pending: return "room is being made for the job";
    case ReasonCode::provisioning: return "machines are being provided for the job";
    case ReasonCode::pending_evaluation: return "the job has not been looked at yet";
  }
  return std::string(to_string(reason.code));
}

}  // namespace ym::engine
