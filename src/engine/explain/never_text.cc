#include "engine/explain/never_text.h"

#include <fmt/format.h>

#include "engine/explain/reason_text.h"

namespace ym::engine {
namespace {

class Never : ReasonText {
 public:
  using ReasonText::ReasonText;

  std::string sentence() const {
    const std::string node = "node" + of_flavor();
    if (reason_.resource == "flavor") return fmt::format("there is no {}", node);
    if (reason_.resource == "anchor")
      return fmt::format("an anchor of {} has to be on demand, and queue {} has no flavor for it that is not spot",
                         nodes(number("needed")), reason_.queue);
    if (reason_.resource == "parts") return beside_each_other();
    if (reason_.resource == "gpu_type")
      return fmt::format("no {} has type {}; {}", node, reason_.wanted, offered("none has GPUs of a known type"));
    if (reason_.resource == "mig")
      return fmt::format("no {} has a MIG slice {}; {}", node, reason_.wanted, offered("none is partitioned"));
    if (reason_.resource == "label")
      return fmt::format("no {} has label {}{}", node, reason_.wanted,
                         reason_.offered.empty() ? "" : "; there are: " + reason_.offered);
    if (reason_.resource == "image")
      return fmt::format("no {} runs its tasks in containers, so that none has the image that the job names", node);
    if (reason_.resource == "exclude") return excluded();
    if (reason_.resource == "rules") return fmt::format("no {} has all of this: {}", node, reason_.wanted);
    if (reason_.resource == "together")
      return fmt::format("no {} has all that a task needs: {}", node, all_things({"gpus", "cpus", "memory"}));
    if (reason_.resource == "level")
      return fmt::format("no {} has a label {}, in which the job's nodes are to be alike", node, reason_.wanted);
    if (reason_.resource == "nodes") return too_few_nodes();
    if (reason_.resource == "gpu_memory")
      return fmt::format("the job needs {} of a GPU's memory; the largest GPU of a {}{} has {}", amount("needed"), node,
                         reason_.wanted.empty() ? "" : " with " + reason_.wanted, amount("largest"));
    if (reason_.resource == "gpu_share" && number("largest") == 0)
      return fmt::format("no {} has a whole GPU of which the job could have a share", node);
    return fmt::format("the job needs {} a node; the largest {}{} has {}", things("needed", false), node,
                       reason_.wanted.empty() ? "" : " with " + reason_.wanted, amount("largest"));
  }

 private:
  std::string beside_each_other() const {
    std::string all = fmt::format("no {} has nodes for all {} parts of the job at once", one_place(), number("needed"));
    if (!find("nodes_needed")) return all;
    return fmt::format("{}: of the {} for {} the one that comes closest has {}, even when nothing runs", all,
                       nodes(number("nodes_needed")), reason_.offered, number("nodes_possible"));
  }

  std::string excluded() const {
    const auto possible = number("possible"), by_name = number("excluded");
    if (possible == 0 && reason_.offered.empty())
      return fmt::format("every node{} that the job could use is excluded by it (placement.exclude)", of_flavor());
    const bool all_of_it = reason_.offered.empty();
    const std::string whose = all_of_it ? "" : fmt::format("for {} ", reason_.offered);
    return fmt::format(
        "{}the job needs {} of one {}; {} large enough{}, and {} that would be {} excluded by it (placement.exclude)",
        whose, nodes(number("needed")), one_place(), there(possible), all_of_it ? of_flavor() : "", by_name,
        by_name == 1 ? "is" : "are");
  }

  static std::string there(std::int64_t count) {
    return count == 0 ? "none is" : count == 1 ? "1 is" : fmt::format("{} are", count);
  }

  std::string too_few_nodes() const {
    const auto needed = number("needed");
    const std::string wanted = needed == 1 ? "a node" : fmt::format("{} nodes", needed);
    return fmt::format("the job needs {}{} of one {}; {} large enough{}, even when empty", wanted, per_node(),
                       one_place(), there(number("possible")), of_flavor());
  }
};

}  // namespace

std::string never_text(const Reason& reason) { return Never(reason).sentence(); }

}  // namespace ym::engine
