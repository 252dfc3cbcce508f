#include "fault_injection/faults.h"

#include <fmt/format.h>

namespace ym::sim {
namespace {

struct Describe {
  std::string operator()(const DieAtStep& die) const {
    return fmt::format("{} {}: {}", die.with_power ? "F3 power lost" : "F1 killed", to_string(die.moment),
                       to_string(die.step));
  }
  std::string operator()(const DieNow& die) const {
    return die.with_power ? "F3 power lost between commits" : "F1 killed between commits";
  }
  std::string operator()(const DiskFails& fails) const {
    return fails.is_full ? "F4 disk full" : "F4 writes fail with input/output errors";
  }
  std::string operator()(const ClockJumps& jumps) const {
    return fmt::format("F8 clock set {}", jumps.by.ms < 0 ? "back" : "forward");
  }
  std::string operator()(const RepliesSuffer& replies) const {
    return fmt::format("F10 replies late{}{}", replies.doubled_percent > 0 ? ", doubled" : "",
                       replies.disorder ? ", out of order" : "");
  }
  std::string operator()(const ContactIsCut&) const { return "F10 contact cut"; }
  std::string operator()(const TaskDies&) const { return "F2 a task dies"; }
  std::string operator()(const ExecutorLies&) const { return "F10 executor lies"; }
};

}  // namespace

std::string describe(const FaultKind& fault) { return std::visit(Describe{}, fault); }

}  // namespace ym::sim
