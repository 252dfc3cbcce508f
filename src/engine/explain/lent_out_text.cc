#include "engine/explain/lent_out_text.h"

#include <fmt/format.h>

#include "engine/explain/reason_text.h"

namespace ym::engine {
namespace {

std::string jobs(std::int64_t n) { return fmt::format("{} job{}", n, n == 1 ? "" : "s"); }

class LentOutText : ReasonText {
 public:
  using ReasonText::ReasonText;

  std::string run() {
    const LentOut& lent = *reason_.lent;
    const std::string flavor = lent.flavor.empty() || lent.flavor == kDefaultFlavor ? "" : lent.flavor + " ";
    add_rules();
    add_what_spares_them();
    add_who_may_be_stopped();
    return fmt::format(
        "; the job is within the nominal quota of queue {}, but what is lent to {} ({}) is not given back: {}",
        lent.queue, lent.to, counted(amount("lent"), lent.resource, flavor), why_);
  }

 private:
  void add(const std::string& why) { why_ += (why_.empty() ? "" : ", ") + why; }
  void add(std::string_view name, std::string_view one, std::string_view several) {
    if (const auto n = number(name); n > 0) add(fmt::format("{} {}", jobs(n), n == 1 ? one : several));
  }
  // "2 jobs ..., the first until T"; without a time what is said instead.
  void add_spared(std::string_view name, std::string_view how, std::string_view until, std::string_view otherwise) {
    const auto n = number(name);
    if (n == 0) return;
    const std::string time = find(until)
                                 ? fmt::format(", {}until {}", n == 1 ? "" : "the first ", to_rfc3339({number(until)}))
                                 : std::string(otherwise);
    add(fmt::format("{} {} spared by {}{}", jobs(n), n == 1 ? "is" : "are", how, time));
  }

  void add_rules() {
    if (find("reclaim_never")) add("its own queue takes nothing back (reclaim: never)");
    if (const auto n = number("fenced"); n > 0)
      add(fmt::format("{} {} on the other side of the fence of queue {}", jobs(n), n == 1 ? "is" : "are",
                      reason_.lent->fence));
    add("not_lower", "is of no lower priority (reclaim: lower-priority)",
        "are of no lower priority (reclaim: lower-priority)");
  }

  void add_what_spares_them() {
    constexpr std::string_view kForbidden = "may not be stopped (preemption.allow: false)";
    add("unpreemptible", kForbidden, kForbidden);
    add_spared("in_min_runtime", "a minimum run time", "min_runtime_until_ms", ", which has not begun");
    add_spared("stopped_often", "the limit of stops within an hour", "stopped_often_until_ms", "");
    constexpr std::string_view kOnce = "stopped already since this one arrived, and may not be again";
    add("stopped_since", fmt::format("was {}", kOnce), fmt::format("were {}", kOnce));
    add("unreachable", "cannot be reached", "cannot be reached");
  }

  void add_who_may_be_stopped() {
    add("stopping", "is stopping already", "are stopping already");
    constexpr std::string_view kLater = "may be stopped if what stops already is not enough";
    add("stoppable", kLater, kLater);
    add("too_little", "may be stopped, but has too little", "may be stopped, but have too little");
    constexpr std::string_view kNotFirst = "may be stopped, but not before those that are spared for a time";
    add("not_first", kNotFirst, kNotFirst);
    constexpr std::string_view kNoNodes = "may be stopped, but that frees no nodes for the job";
    add("no_nodes", kNoNodes, kNoNodes);
  }

  std::string why_;
};

}  // namespace

std::string lent_out_text(const Reason& reason) { return reason.lent ? LentOutText(reason).run() : ""; }

}  // namespace ym::engine
