#include "engine/explain/lent_out_text.h"

#include <fmt/format.h>

#include "engine/explain/reason_text.h"

namespace ym::engine {
namespace {

class LentOutText {
 public:
  explicit LentOutText(const LentOut& lent) : lent_(lent) {}

  std::string run() {
    add_rules();
    add_what_spares_them();
    add_stoppable();
    return fmt::format(
        "; the job is within the nominal quota of queue {}, but what is lent to {} ({}) is not given back: {}",
        lent_.queue, lent_.to, things(lent_.lent, lent_.of, lent_.flavor), why_);
  }

 private:
  void add(const std::string& why) { why_ += (why_.empty() ? "" : ", ") + why; }
  void add(std::int64_t count, std::string_view one, std::string_view several) {
    if (count > 0) add(fmt::format("{} {}", jobs(count), count == 1 ? one : several));
  }
  // "2 jobs ..., the first until T"; without a time it adds `otherwise`.
  void add_spared(std::int64_t count, std::string_view how, const std::optional<Instant>& until,
                  std::string_view otherwise) {
    if (count == 0) return;
    const std::string time = until ? fmt::format(", {}until {}", count == 1 ? "" : "the first ", to_utc_text(*until))
                                   : std::string(otherwise);
    add(fmt::format("{} {} spared by {}{}", jobs(count), count == 1 ? "is" : "are", how, time));
  }

  void add_rules() {
    if (lent_.reclaim_never > 0) add("its own queue takes nothing back (reclaim: never)");
    if (const auto n = lent_.fenced; n > 0)
      add(fmt::format("{} {} on the other side of the fence of queue {}", jobs(n), n == 1 ? "is" : "are", lent_.fence));
    add(lent_.not_lower, "is of no lower priority (reclaim: lower-priority)",
        "are of no lower priority (reclaim: lower-priority)");
  }

  void add_what_spares_them() {
    constexpr std::string_view kForbidden = "may not be stopped (preemption.allow: false)";
    add(lent_.unpreemptible, kForbidden, kForbidden);
    add_spared(lent_.in_min_runtime, "a minimum run time", lent_.min_runtime_until, ", which has not begun");
    add_spared(lent_.stopped_often, "the limit of stops within an hour", lent_.stopped_often_until, "");
    constexpr std::string_view kOnce = "stopped already since this one arrived, and may not be again";
    add(lent_.stopped_since, fmt::format("was {}", kOnce), fmt::format("were {}", kOnce));
    add(lent_.unreachable, "cannot be reached", "cannot be reached");
  }

  void add_stoppable() {
    add(lent_.stopping, "is stopping already", "are stopping already");
    constexpr std::string_view kLater = "may be stopped if what stops already is not enough";
    add(lent_.stoppable, kLater, kLater);
    add(lent_.too_little, "may be stopped, but has too little", "may be stopped, but have too little");
    constexpr std::string_view kNotFirst = "may be stopped, but not before jobs that are protected for a time";
    add(lent_.not_first, kNotFirst, kNotFirst);
    constexpr std::string_view kNoNodes = "may be stopped, but that frees no nodes for the job";
    add(lent_.no_nodes, kNoNodes, kNoNodes);
  }

  const LentOut& lent_;
  std::string why_;
};

}  // namespace

std::string lent_out_text(const LentOut& lent) { return LentOutText(lent).run(); }

}  // namespace ym::engine
