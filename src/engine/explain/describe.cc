// One sentence for each code.
#include <fmt/format.h>

#include "engine/engine.h"
#include "engine/explain/lent_out_text.h"
#include "engine/explain/never_text.h"
#include "engine/explain/reason_text.h"

namespace ym::engine {
namespace {

class Sentence : ReasonText {
 public:
  using ReasonText::ReasonText;

  std::string held() const {
    if (reason_.queue.empty()) return "the job is held until somebody releases it";
    return fmt::format("queue {} is held: none of its jobs begins until that is over", reason_.queue);
  }

  std::string misconfigured() const {
    if (reason_.resource == "children")
      return fmt::format("queue {} has queues below it; jobs can run only in those", reason_.queue);
    if (reason_.resource == "parent")
      return fmt::format("queue {} is below a queue that does not exist", reason_.queue);
    if (reason_.resource == "loop") return fmt::format("queue {} is below itself", reason_.queue);
    if (reason_.resource == "above")
      return fmt::format("a queue above queue {} is below itself, or below one that does not exist", reason_.queue);
    return fmt::format("queue {} does not exist", reason_.queue);
  }

  std::string exceeds_max_quota() const {
    if (reason_.flavor.empty())
      return fmt::format("queue {} has quota of no flavor; the job needs {}", reason_.queue, amount("needed"));
    return fmt::format("queue {} may use at most {}; the job needs {}", reason_.queue, things("max"), amount("needed"));
  }

  std::string waiting_for_quota() const {
    const std::string need = "the job needs " + amount("needed");
    const auto beyond = number("used") - number("nominal");
    if (beyond <= 0)
      return fmt::format("queue {} uses {} of its {}; {} can be had, {}", reason_.queue, amount("used"),
                         things("nominal"), amount("available"), need);
    if (!find("borrow"))
      return fmt::format("queue {} uses {}, more than its {}; {}", reason_.queue, things("used"), amount("nominal"),
                         need);
    const std::string borrowed = number("nominal") == 0
                                     ? "all borrowed"
                                     : fmt::format("its {} and {} borrowed", amount("nominal"), text(beyond));
    const std::string more = number("available") > 0      ? fmt::format("; {} more can be had", amount("available"))
                             : beyond == number("borrow") ? ", the most it may"
                             : beyond > number("borrow")  ? fmt::format(", and may borrow only {}", amount("borrow"))
                                                          : "; no more can be had";
    return fmt::format("queue {} uses {}: {}{}; {}", reason_.queue, things("used"), borrowed, more, need);
  }

  std::string priority() const {
    if (!reason_.queue.empty())
      return fmt::format("job {} goes first: queue {} is strict, so nobody passes its first job",
                         to_string(reason_.blocker), reason_.queue);
    return fmt::format("job {} goes first: it has waited for longer than its age cap and is not passed any more",
                       to_string(reason_.blocker));
  }

  std::string waiting_for_capacity() const {
    const std::string drained =
        number("drained") > 0 ? fmt::format(" ({} out of service)", nodes(number("drained"))) : std::string();
    if (find("most"))
      return fmt::format("the job needs {}{}; none is there now, and there may be at most {}{}",
                         nodes(number("needed")), per_node(), number("most"), of_flavor());
    if (reason_.resource == "nodes")
      return fmt::format("the job needs {}{}{}; {} {} room now{}", nodes(number("needed")), per_node(), of_one(),
                         number("free"), number("free") == 1 ? "has" : "have", drained);
    return fmt::format("the job needs {}; {} {} free{}", things("needed"), amount("free"),
                       amount("free") == "1" ? "is" : "are", drained);
  }

  std::string fragmented() const {
    if (reason_.resource == "anchor")
      return fmt::format("there is room for an anchor of {} and for {} beside it, but not in one {}",
                         nodes(number("anchor")), nodes(number("others")), one_place());
    if (reason_.resource == "groups")
      return fmt::format("there is room for each of its {} groups, but not for all {} at once in one {}",
                         number("groups"), nodes(number("needed")), one_place());
    if (reason_.resource == "nodes")
      return fmt::format("enough is free in total, but not together: the job needs {}{}, {} {} room",
                         nodes(number("needed")), of_one(), number("free"), number("free") == 1 ? "has" : "have");
    if (reason_.resource == "gpu_memory")
      return fmt::format("enough is free of the GPUs, but of none so much memory: the job needs {}, at most {} is free",
                         amount("needed"), amount("largest"));
    if (number("nodes_needed") > 0)
      return fmt::format("{} are free, but scattered: the job needs {}{} with room for a task, {} {} it",
                         things("free"), nodes(number("nodes_needed")), of_one(), number("nodes_free"),
                         number("nodes_free") == 1 ? "has" : "have");
    return fmt::format("{} are free, but at most {} {}; the job needs {}", things("free"), amount("largest"),
                       reason_.resource == "gpu_share" ? "of one" : "on one node", amount("needed"));
  }

  std::string cluster_unavailable() const {
    return fmt::format("the {} that the job could use {} in a cluster that cannot be reached",
                       number("unavailable") == 1 ? "1 node" : nodes(number("unavailable")),
                       number("unavailable") == 1 ? "is" : "are");
  }

  std::string preemption_pending() const {
    const auto stopping = number("stopping");
    const std::string left = stopping == 0   ? "what is left of it becomes free"
                             : stopping == 1 ? "1 job is still to leave it"
                                             : fmt::format("{} jobs are still to leave it", stopping);
    return fmt::format("room is being made for the job: {}; the place is kept for it until {}", left,
                       to_rfc3339({number("until_ms")}));
  }

  std::string provisioning() const {
    const auto count = number("nodes");
    return fmt::format("{} more node{}{} {} being made, asked for at {} and expected by {}", count,
                       count == 1 ? "" : "s", of_flavor(), count == 1 ? "is" : "are", to_rfc3339({number("since_ms")}),
                       to_rfc3339({number("until_ms")}));
  }

  // Those whose turn it is have not all begun: they wait for something else.
  std::string array_limited() const {
    const auto first = number("max") - number("used");
    const std::string behind =
        first <= 0 ? "" : fmt::format(", and {} of them go{} first", first, first == 1 ? "es" : "");
    return fmt::format(
        "array {} has parallel: {}, so at most {} of its jobs may run at once; {} run{} or {} about to{}",
        reason_.wanted, number("max"), number("max"), number("used"), number("used") == 1 ? "s" : "",
        number("used") == 1 ? "is" : "are", behind);
  }

  std::string limit_reached() const {
    if (reason_.resource == "array") return array_limited();
    const std::string whose = reason_.wanted.empty() ? "of queue " + reason_.queue
                                                     : fmt::format("of {} in queue {}", reason_.wanted, reason_.queue);
    if (reason_.resource == "gpus")
      return fmt::format("jobs {} use {}; they may use at most {} at once, and the job needs {}", whose, things("used"),
                         amount("max"), amount("needed"));
    if (number("used") == 1)
      return fmt::format("1 job {} runs or is about to; at most {} may at once", whose, number("max"));
    return fmt::format("{} jobs {} run or are about to; at most {} may at once", number("used"), whose, number("max"));
  }

  std::string reserved() const {
    if (!reason_.wanted.empty())
      return fmt::format(
          "there is room, but reservation {} sets nodes aside from {} until {}, and the job could still be there",
          reason_.wanted, to_rfc3339({number("from_ms")}), to_rfc3339({number("until_ms")}));
    return fmt::format(
        "there is room, but it is promised to job {} from {} on; with a time limit by which the job is gone then it "
        "might run now",
        to_string(reason_.blocker), to_rfc3339({number("from_ms")}));
  }

  std::string budget_exhausted() const {
    const std::string unit = reason_.resource == "money" ? "" : " GPU-hours";
    const std::string budget =
        fmt::format("queue {} may spend {}{} a {}", reason_.queue, amount("budget"), unit, reason_.wanted);
    if (!find("needed")) return budget + "; a job of it needs a time limit, which says what it may cost at most";
    if (!find("until_ms"))
      return fmt::format("{}; the job may cost {}{}, which is more than all of it", budget, amount("needed"), unit);
    return fmt::format("{}; {}{} are spent or promised, and the job may cost {}{}; the next {} begins at {}", budget,
                       amount("used"), unit, amount("needed"), unit, reason_.wanted, to_rfc3339({number("until_ms")}));
  }

  std::string backoff() const {
    return fmt::format("the job is tried again from {} on", to_rfc3339({number("until_ms")}));
  }
};

std::string sentence_of(const Reason& reason) {
  const Sentence sentence(reason);
  switch (reason.code) {
    case ReasonCode::held: return sentence.held();
    case ReasonCode::misconfigured: return sentence.misconfigured();
    case ReasonCode::backoff: return sentence.backoff();
    case ReasonCode::exceeds_max_quota: return sentence.exceeds_max_quota();
    case ReasonCode::exceeds_capacity: return never_text(reason);
    case ReasonCode::waiting_for_quota: return sentence.waiting_for_quota();
    case ReasonCode::priority: return sentence.priority();
    case ReasonCode::waiting_for_capacity: return sentence.waiting_for_capacity();
    case ReasonCode::fragmented: return sentence.fragmented();
    case ReasonCode::cluster_unavailable: return sentence.cluster_unavailable();
    case ReasonCode::policy_denied: return "a policy does not allow the job";
    case ReasonCode::dependency: return "the job waits for jobs that it depends on";
    case ReasonCode::begin_time: return "the job asked not to start yet";
    case ReasonCode::limit_reached: return sentence.limit_reached();
    case ReasonCode::reserved: return sentence.reserved();
    case ReasonCode::budget_exhausted: return sentence.budget_exhausted();
    case ReasonCode::preemption_pending: return sentence.preemption_pending();
    case ReasonCode::provisioning: return sentence.provisioning();
    case ReasonCode::pending_evaluation: return "the job has not been looked at yet";
  }
  return std::string(to_string(reason.code));
}

}  // namespace

std::string describe(const Reason& reason) { return sentence_of(reason) + lent_out_text(reason); }

}  // namespace ym::engine
