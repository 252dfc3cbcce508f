// The keys of a queue, in the configuration file and in `ym queue apply`.
#pragma once

#include "model/keys/key.h"
#include "model/keys/kinds.h"
#include "model/queue.h"

namespace ym::keys {

inline constexpr Duration kLongestWait = hours(365 * 24);

template <>
struct Keys<MinRuntime> {
  using R = MinRuntime;
  static constexpr std::tuple list{
      Key{"priority", &R::priority, Span{{}, kLongestWait},
          About{"Time after its start in which each job of the queue is safe from more urgent jobs. A job may ask for "
                "more.",
                "5m"},
          Traits{.stored = "priority_ms", .in_rows = InRows::always}},
      Key{"reclaim", &R::reclaim, Span{{}, kLongestWait}, About{"The same, for queues that reclaim quota.", "10m"},
          Traits{.stored = "reclaim_ms", .in_rows = InRows::always}},
  };
};

template <>
struct Keys<AgeBoost> {
  using R = AgeBoost;
  static constexpr std::tuple list{
      Key{"every", &R::every, Span{seconds(1), kLongestWait}, About{"Time for which a job waits for each point.", "1h"},
          Traits{.stored = "every_ms",
                 .in_rows = InRows::always,
                 .required = "write how long a job waits for each point, for example 1h"}},
      Key{"most", &R::most, Whole{0, 100}, About{"Most points that a job gets.", "10"},
          Traits{.in_rows = InRows::always, .required = "write how many points it may get, for example 10"}},
  };
};

template <>
struct Keys<RunLimit> {
  using R = RunLimit;
  static constexpr std::tuple list{
      Key{"jobs", &R::jobs, Whole{0, 1'000'000, "jobs"}, About{"Jobs that run at once.", "100", "no limit"}},
      Key{"gpus", &R::gpus_milli, Amount{"GPUs"}, About{"GPUs in use at once.", "64", "no limit"},
          Traits{.stored = "gpus_milli"}},
  };
};

template <>
struct Keys<Budget> {
  using R = Budget;
  static constexpr std::tuple list{
      Form{"gpu_hours", ByHand{GpuHours{}}, About{"The amount.", "2000", "this or `money`"}},
      Form{"money", ByHand{Money{}}, About{"The amount, at the prices of the flavors.", "500", "this or `gpu_hours`"}},
      Key{"per", &R::per, OneOf<BudgetWindow>{}, About{"The period, in UTC. A week begins on Monday.", "month"},
          Traits{.in_rows = InRows::always, .required = "write day, week or month"}},
      Kept{"unit", &R::unit, InRows::always},
      Kept{"amount", &R::amount, InRows::always},
  };
};

template <>
struct Keys<WaitPromise> {
  using R = WaitPromise;
  static constexpr std::tuple list{
      Key{"priority", &R::priority, kPriority, About{"Jobs of at least this priority.", "80"},
          Traits{.in_rows = InRows::always}},
      Key{"within", &R::within, Span{seconds(1), kLongestWait}, About{"Time in which they should start.", "30m"},
          Traits{.stored = "within_ms",
                 .in_rows = InRows::always,
                 .required = "write within how long such jobs are to begin, for example 30m"}},
  };
};

template <>
struct Keys<DefaultFor> {
  using R = DefaultFor;
  static constexpr std::tuple list{
      Key{"users", &R::users, ByHand{ListOf{Text{.most = 255}, "users", 1'000}},
          About{"Jobs of these users go here if they name no queue.", "[ann]"}},
      Key{"projects", &R::projects, ByHand{ListOf{Name{}, "projects", 1'000}},
          About{"Jobs of these projects go here if they name no queue.", "[vision]"}},
  };
};

inline constexpr ListOf kServiceLevels{Span{seconds(1), hours(365 * 24 * 1000)}, "service levels", 16};

template <>
struct Keys<Queue> {
  using R = Queue;
  static constexpr std::tuple list{
      Key{"name", &R::name, Name{}, About{"Unique in the whole tree.", "a"},
          Traits{.in_rows = InRows::always, .required = "give the queue a name"}},
      Form{"children", ByHand{ChildQueues{}}, About{"Makes this queue a cohort."}},
      Key{"quota", &R::quota, ByHand{QuotaByFlavor{}},
          About{"Amounts by flavor and resource. See [quota](#quota).", "{t4: {gpus: 8}}", "[no quota](#no-quota)"}},
      section(
          "policy", "Order, preemption and limits of its jobs. See [policy](#policy-of-a-queue).",
          Key{"order", &R::order, OneOf<JobOrder>{},
              About{"Order of jobs of equal priority. Higher priority always comes first.", "deadline"},
              Traits{.in_rows = InRows::later}},
          Key{"service_levels", &R::service_levels, ByHand{kServiceLevels},
              About{"For `least-attained-service`: levels of GPU time, rising. Within a level the submit time decides.",
                    "[1h, 10h]"},
              Traits{.stored = "service_levels_ms"}},
          Key{"age_boost", &R::age_boost, MapOf<AgeBoost>{},
              About{"Adds 1 to the priority for each `every` of waiting, at most `most`. It does not change which jobs "
                    "the job may preempt.",
                    "{every: 1h, most: 10}"},
              Traits{.shown = Shown::null_if_empty}},
          Key{"fair_users", &R::fair_users, Flag{},
              About{"Among jobs of equal priority, the user with the least decayed usage in the queue comes first.",
                    "true"}},
          Key{"strict", &R::strict, Flag{},
              About{"No job of the queue overtakes the first one that waits for quota or machines. `false`: jobs "
                    "behind it that fit may start.",
                    "true"}},
          Key{"reservations", &R::reservations, Reservations{},
              About{"Number of the queue's jobs that have quota, lack machines, and get a backfill reservation: the "
                    "earliest machines that time limits guarantee. Other jobs may use these machines only if they end "
                    "in time, or if they are less urgent jobs of the same queue that can be preempted in time. With "
                    "`order: deadline`, name the number of deadlines that must be safe from other queues.",
                    "all"},
              Traits{.in_rows = InRows::later}},
          Key{"weight", &R::weight_milli, Amount{},
              About{"Share of borrowing beside the siblings. 0: after all others.", "2", "1"},
              Traits{.stored = "weight_milli", .in_rows = InRows::later}},
          Key{"when_can_borrow", &R::when_can_borrow, OneOf<FlavorSearch>{},
              About{"`try-next`: try all flavors without borrowing first.", "try-next"}},
          Key{"when_can_preempt", &R::when_can_preempt, OneOf<FlavorSearch>{},
              About{"`stop`: preempt in a flavor, or wait for jobs that stop there already, before the next flavor.",
                    "stop"},
              Traits{.in_rows = InRows::later}},
          Key{"preempt", &R::preempt, OneOf<PreemptRule>{},
              About{"Jobs of its own queue that a job may preempt. `any`: also newer jobs of the same priority.",
                    "never"},
              Traits{.in_rows = InRows::later}},
          Key{"reclaim", &R::reclaim, OneOf<PreemptRule>{},
              About{"Jobs of other queues from which a job may reclaim borrowed quota.", "lower-priority"},
              Traits{.in_rows = InRows::later}},
          Key{"preempt_to_borrow", &R::preempt_to_borrow, LowestPriority{},
              About{"A job that must borrow may preempt borrowing jobs of other queues with a lower priority than its "
                    "own and at most this one (Kueue's `borrowWithinCohort`). An error with `reclaim: never`.",
                    "{max_priority: 30}"}},
          Key{"min_runtime", &R::min_runtime, MapOf<MinRuntime>{},
              About{"Time for which running jobs of the queue are safe.", "{priority: 5m}"},
              Traits{.in_rows = InRows::later}},
          Key{"fence", &R::fence, Flag{},
              About{"Jobs outside do not preempt jobs of this queue and the queues below it, nor the reverse.", "true"},
              Traits{.in_rows = InRows::later}},
          Key{"shrink_after", &R::shrink_after, Span{{}, kLongestWait},
              About{"Time after a cut of the quota. Then borrowing jobs of the tree without quota are preempted, the "
                    "least urgent first, then the ones that lose least. Elastic jobs shrink before others are "
                    "preempted. If several cuts of a tree wait, the first that is over counts for all. `ym policy "
                    "diff` shows the jobs before.",
                    "10m", "never"},
              Traits{.stored = "shrink_after_ms"}},
          Key{"stop", &R::stop, OneOf<StopPolicy>{},
              About{"`hold`: no job of the queue or below starts. `hold-and-drain`: running jobs are preempted too, "
                    "and wait again.",
                    "hold"}},
          Form{"limits", RunLimits{},
               About{"What may run at once, in the queue and those below it together, and of each user there.",
                     "{gpus: 64, per_user: {jobs: 8}}", "no limit"}},
          Key{"budgets", &R::budgets, ListOf{MapOf<Budget>{}, "budgets", 16},
              About{"GPU-hours or money of a period. See below.", "[{gpu_hours: 2000, per: month}]"},
              Traits{.shown = Shown::apart}},
          Key{"wait_promises", &R::wait_promises, ListOf{MapOf<WaitPromise>{}, "promises", 16},
              About{"Jobs of at least `priority` should start `within` this time. It changes no order. "
                    "[Metrics](metrics.md) count it and `ym why` shows it.",
                    "[{priority: 80, within: 30m}]"}}),
      Key{"default_for", &R::default_for, ByHand{MapOf<DefaultFor>{}},
          About{"Jobs that go here if they name no queue. A job's user counts before its project.", "{users: [ann]}"}},
      Key{"age_cap", &R::age_cap, Span{seconds(1), kLongestWait},
          About{"The queue's own age cap.", "30m", "`scheduling.age_cap`"}, Traits{.stored = "age_cap_ms"}},
      Key{"parent", &R::parent, ByHand{Name{}},
          About{"The queue above it. Only `ym queue apply` takes it, for a parent that the document does not have.",
                "vision"},
          Traits{.in_rows = InRows::always, .shown = Shown::apart}},
      Kept{"run_limit", &R::run_limit},
      Kept{"user_run_limit", &R::user_run_limit},
      Kept{"shrunk_at", &R::shrunk_at},
      Kept{"accepts_jobs", &R::accepts_jobs, InRows::always},
      Kept{"managed_by", &R::managed_by, InRows::always},
      Kept{"applied", &R::applied},
  };
};

}  // namespace ym::keys
