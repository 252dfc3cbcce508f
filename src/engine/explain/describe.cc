// One sentence for each kind of reason.
#include <fmt/format.h>

#include "engine/engine.h"
#include "engine/explain/lent_out_text.h"
#include "engine/explain/never_text.h"
#include "engine/explain/reason_text.h"

namespace ym::engine {
namespace {

std::string is_are(std::int64_t count, std::string_view one, std::string_view several) {
  return std::string(count == 1 ? one : several);
}

std::string drained(std::int64_t count) {
  return count > 0 ? fmt::format(" ({} out of service)", nodes(count)) : std::string();
}

std::string owner_text(const std::string& user, const std::string& queue) {
  return user.empty() ? "of queue " + queue : fmt::format("of {} in queue {}", user, queue);
}

// What the queue itself is short of, and the rules about it.
struct QueueText {
  std::string operator()(const JobIsHeld& /*reason*/) const { return "the job is held until it is released"; }
  std::string operator()(const QueueIsHeld& reason) const {
    return fmt::format("queue {} is held: none of its jobs begins until that is over", reason.queue);
  }

  std::string operator()(const QueueIsFaulty& reason) const {
    const auto& queue = reason.queue;
    switch (reason.fault) {
      case QueueFault::none:
      case QueueFault::unknown: break;
      case QueueFault::is_cohort: return fmt::format("queue {} has queues below it; jobs can run only in those", queue);
      case QueueFault::no_parent: return fmt::format("queue {} is below a queue that does not exist", queue);
      case QueueFault::loop: return fmt::format("queue {} is below itself", queue);
      case QueueFault::below_fault:
        return fmt::format("a queue above queue {} is below itself, or below one that does not exist", queue);
    }
    return fmt::format("queue {} does not exist", queue);
  }

  std::string operator()(const NoFlavor& reason) const {
    return fmt::format("queue {} has quota of no flavor; the job needs {}", reason.queue, text(reason.needed));
  }
  std::string operator()(const MoreThanMaxQuota& reason) const {
    return fmt::format("queue {} may use at most {}; the job needs {}", reason.queue,
                       things(reason.max, reason.of, reason.flavor), text(reason.needed));
  }

  std::string operator()(const QuotaInUse& reason) const {
    const std::string need = "the job needs " + text(reason.needed);
    const Amount beyond{reason.used.value - reason.nominal.value, reason.used.unit};
    if (beyond.value <= 0)
      return fmt::format("queue {} uses {} of its {}; {} available, {}", reason.queue, text(reason.used),
                         things(reason.nominal, reason.of, reason.flavor), text(reason.available), need);
    const std::string used = things(reason.used, reason.of, reason.flavor);
    if (!reason.borrow)
      return fmt::format("queue {} uses {}, more than its {}; {}", reason.queue, used, text(reason.nominal), need);
    const std::string borrowed = reason.nominal.value == 0
                                     ? "all borrowed"
                                     : fmt::format("its {} and {} borrowed", text(reason.nominal), text(beyond));
    return fmt::format("queue {} uses {}: {}{}; {}", reason.queue, used, borrowed, more(reason, beyond), need);
  }

  std::string operator()(const TooManyJobs& reason) const {
    const std::string of = owner_text(reason.user, reason.queue);
    if (reason.used == 1) return fmt::format("1 job {} runs or is about to; at most {} may at once", of, reason.max);
    return fmt::format("{} jobs {} run or are about to; at most {} may at once", reason.used, of, reason.max);
  }
  std::string operator()(const TooManyGpus& reason) const {
    return fmt::format("jobs {} use {}; they may use at most {} at once, and the job needs {}",
                       owner_text(reason.user, reason.queue), things(reason.used, {}), text(reason.max),
                       text(reason.needed));
  }
  // The members that go first have not all started: they wait for something else.
  std::string operator()(const TooManyOfArray& reason) const {
    const auto first = reason.max - reason.used;
    const std::string behind =
        first <= 0 ? "" : fmt::format(", and {} of them go{} first", first, first == 1 ? "es" : "");
    return fmt::format(
        "array {} has parallel: {}, so at most {} of its jobs may run at once; {} run{} or {} about to{}", reason.array,
        reason.max, reason.max, reason.used, reason.used == 1 ? "s" : "", is_are(reason.used, "is", "are"), behind);
  }

  std::string operator()(const OverTheBudget& reason) const {
    const std::string_view unit = reason.unit == BudgetUnit::money ? "" : " GPU-hours";
    const std::string_view per = to_string(reason.per);
    const std::string budget =
        fmt::format("queue {} may spend {}{} a {}", reason.queue, text(reason.budget), unit, per);
    if (!reason.needed) return budget + "; a job of it needs a time limit, which says what it may cost at most";
    const std::string needed = text(*reason.needed);
    if (!reason.until)
      return fmt::format("{}; the job may cost {}{}, which is more than all of it", budget, needed, unit);
    return fmt::format("{}; {}{} are spent or promised, and the job may cost {}{}; the next {} begins at {}", budget,
                       text(reason.used), unit, needed, unit, per, to_utc_text(*reason.until));
  }

 private:
  static std::string more(const QuotaInUse& reason, const Amount& beyond) {
    if (reason.available.value > 0) return fmt::format("; {} more available", text(reason.available));
    if (beyond.value == reason.borrow->value) return ", the most it may";
    if (beyond.value > reason.borrow->value) return fmt::format(", and may borrow only {}", text(*reason.borrow));
    return "; no more available";
  }
};

// What the machines lack.
struct MachineText {
  std::string operator()(const NodesInUse& reason) const {
    return fmt::format("the job needs {}{}{}; {} {} room now{}", nodes(reason.needed), per_node(reason.gpus_per_node),
                       of_one(reason.place), reason.free, is_are(reason.free, "has", "have"), drained(reason.drained));
  }
  std::string operator()(const ResourceInUse& reason) const {
    const std::string free = text(reason.free);
    return fmt::format("the job needs {}; {} {} free{}", things(reason.needed, reason.of, reason.flavor), free,
                       free == "1" ? "is" : "are", drained(reason.drained));
  }
  std::string operator()(const NodesNotMadeYet& reason) const {
    return fmt::format("the job needs {}{}; none is there now, and there may be at most {}{}", nodes(reason.needed),
                       per_node(reason.gpus_per_node), reason.most, of_flavor(reason.flavor));
  }

  std::string operator()(const AnchorApart& reason) const {
    return fmt::format("there is room for an anchor of {} and for {} beside it, but not in one {}",
                       nodes(reason.anchor), nodes(reason.others), one_place(reason.place));
  }
  std::string operator()(const GroupsApart& reason) const {
    return fmt::format("there is room for each of its {} groups, but not for all {} at once in one {}", reason.groups,
                       nodes(reason.needed), one_place(reason.place));
  }
  std::string operator()(const NodesApart& reason) const {
    return fmt::format("enough is free in total, but not together: the job needs {}{}, {} {} room",
                       nodes(reason.needed), of_one(reason.place), reason.free, is_are(reason.free, "has", "have"));
  }
  std::string operator()(const GpuMemoryApart& reason) const {
    return fmt::format("enough GPUs are free, but no GPU has enough free memory: the job needs {}, at most {} is free",
                       text(reason.needed), text(reason.largest));
  }
  std::string operator()(const ResourceApart& reason) const {
    const std::string free = things(reason.free, reason.of, reason.flavor);
    if (reason.nodes_needed)
      return fmt::format("{} are free, but scattered: the job needs {}{} with room for a task, {} {} it", free,
                         nodes(*reason.nodes_needed), of_one(reason.place), *reason.nodes_free,
                         is_are(*reason.nodes_free, "has", "have"));
    return fmt::format("{} are free, but at most {} {}; the job needs {}", free, text(reason.largest),
                       reason.of.as == Counted::As::share ? "of one" : "on one node", text(reason.needed));
  }

  std::string operator()(const ClusterUnreachable& reason) const {
    return fmt::format("the {} that the job could use {} in a cluster that cannot be reached",
                       nodes(reason.unavailable), is_are(reason.unavailable, "is", "are"));
  }

  std::string operator()(const NodesAreMade& reason) const {
    return fmt::format("{} more node{}{} {} being made, asked for at {} and expected by {}", reason.nodes,
                       reason.nodes == 1 ? "" : "s", of_flavor(reason.flavor), is_are(reason.nodes, "is", "are"),
                       to_utc_text(reason.since), to_utc_text(reason.until));
  }
};

// Other jobs, and times.
struct OrderText {
  std::string_view blocker{};

  std::string operator()(const NotEvaluated& /*reason*/) const { return "the job has not been looked at yet"; }
  std::string operator()(const OnlyCode& reason) const {
    return fmt::format("{}: its numbers come with the next decision", to_string(reason.code));
  }
  std::string operator()(const TriedAgainLater& reason) const {
    return fmt::format("the job is tried again from {} on", to_utc_text(reason.until));
  }

  std::string operator()(const BehindHead& reason) const {
    return fmt::format("{} goes first: queue {} is strict, so no job overtakes its first job", job(reason.blocker),
                       reason.queue);
  }
  std::string operator()(const BehindAgedJob& reason) const {
    return fmt::format("{} goes first: it has waited for longer than its age cap and is not passed any more",
                       job(reason.blocker));
  }

  std::string operator()(const NodesClosed& reason) const {
    return fmt::format(
        "there is room, but reservation {} sets nodes aside from {} until {}, and the job could still be there",
        reason.reservation, to_utc_text(reason.from), to_utc_text(reason.until));
  }
  std::string operator()(const ReservedForOther& reason) const {
    return fmt::format(
        "there is room, but it is promised to {} from {} on; with a time limit by which the job is gone then it "
        "might run now",
        job(reason.blocker), to_utc_text(reason.from));
  }

  std::string operator()(const RoomIsMade& reason) const {
    const std::string left = reason.stopping == 0   ? "what is left of it becomes free"
                             : reason.stopping == 1 ? "1 job has not left it yet"
                                                    : fmt::format("{} jobs have not left it yet", reason.stopping);
    return fmt::format("room is being made for the job: {}; the place is kept for it until {}", left,
                       to_utc_text(reason.until));
  }

 private:
  std::string job(JobId id) const {
    return blocker.empty() ? fmt::format("job {}", to_string(id)) : fmt::format("job {} ({})", to_string(id), blocker);
  }
};

// If a kind of reason has no sentence, this does not compile.
struct Sentence : QueueText, MachineText, OrderText, NeverText {
  using MachineText::operator();
  using NeverText::operator();
  using OrderText::operator();
  using QueueText::operator();
};

}  // namespace

std::string describe(const Reason& reason, std::string_view blocker) {
  Sentence sentence;
  sentence.blocker = blocker;
  return std::visit(sentence, reason.details) + (reason.lent ? lent_out_text(*reason.lent) : "");
}

}  // namespace ym::engine
