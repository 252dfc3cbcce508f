#include "api/openapi/answers.h"
#include "model/states.h"
#include "spec/progress_report.h"

namespace ym::api::openapi {
namespace {

constexpr std::int64_t kMostSteps = std::int64_t{1} << 53;

Schema culprit() {
  return members({
      {"task", whole(0)},
      {"node", text()},
      {"rank", or_null(whole(0)),
       "The worker's rank among the workers of all tasks, if the launcher names a worker. Then the members below "
       "describe the worker."},
      {"certainty", one_of<Certainty>(),
       "certain: its launcher names it, it was killed, or no other task failed. likely: it failed first, by a second "
       "or "
       "more. guessed: several failed at once, each in a way that the loss of a peer causes."},
      {"ended_by", one_of<EndedBy>()},
      {"exit_code", or_null(whole())},
      {"signal", or_null(whole())},
      {"message", text()},
  });
}

Schema attempt() {
  return members({
      {"number", whole(1)},
      {"state", one_of<AttemptState>()},
      {"cluster", text()},
      {"flavor", text(),
       "Its usage counts in this flavor. A job with an anchor may have two, the anchor's and that of the other nodes: "
       "h100+h100-spot."},
      {"placement", placement()},
      {"started_at", or_null(time())},
      {"ended_at", or_null(time())},
      {"exit_code", or_null(whole())},
      {"signal", or_null(whole())},
      {"ended_by", or_null(one_of<EndedBy>())},
      {"message", text()},
      {"progress", or_null(ref("Progress"))},
      {"resumes_from", or_null(ref("Checkpoint")), "Its user code gets it as YM_RESUME_FROM."},
      {"checkpoint_step", or_null(whole(0)), "Step of its newest checkpoint that is still known."},
      {"stop_cause", or_null(one_of<StopCause>()), "Why it was asked to stop: the first cause."},
      {"preemption", or_null(one_of<PreemptionCause>()),
       "With stop_cause preemption: the rule by which it was stopped. Else null."},
      {"stop_by", or_null(time()), "End of its grace. Then what is left of it is killed."},
      {"culprit", or_null(culprit()),
       "The member of a gang that failed first and by itself. The others ended because of it. Null: none did, or "
       "nothing shows which."},
      {"yields_to", or_null(text()), "The preempting job."},
      {"lost_gpu_seconds", or_null(number(0)),
       "GPU time that has to be repeated because the attempt ended, whatever ended it. It is known at the end: from "
       "the "
       "newest checkpoint that the job can continue from, else from the start, until the last process ended, the grace "
       "included; and the start of each GPU (`restart_cost`). 0: the job finished within the grace. For a preempted "
       "attempt it is the estimate until then, and also if it ended under a server that did not compute it yet. Null: "
       "neither is known, or the job ended with the attempt."},
      {"estimated_lost_gpu_seconds", or_null(number(0)),
       "Of a preempted attempt: the work to repeat, as estimated when the preemption was decided. Preempted jobs are "
       "chosen by it. It does not change during the grace."},
  });
}

Schema checkpoint() {
  return members({
      {"uri", text(), "A path, file:..., s3://..., as reported."},
      {"step", whole(0)},
      {"durable_at", time()},
      {"attempt", whole(1), "The attempt that saved it."},
  });
}

Schema progress() {
  return members({
      {"step", or_null(whole(0))},
      {"total_steps", or_null(whole(0))},
      {"metrics", map_of(or_null(number())), "By name. Finite numbers."},
      {"completed", flag()},
      {"at", time(), "Time of the newest report."},
  });
}

Schema reported_metrics() {
  const Schema named = members({{"name", text()}, {"value", or_null(either(number(), text()))}});
  return or_null(either(map_of(or_null(number())), list(named)));
}

Schema reported_checkpoint() {
  return members({
      {"uri", text({.least = 1, .most = kMaxCheckpointUri}), "A path, file:..., s3://..."},
      {"step", whole(0, kMostSteps), "Left out: that of the report.", kOptional},
      {"durable_at", or_null(time()), "When it was complete on storage that outlives the job. Left out: now.",
       kOptional},
      {"save_seconds", or_null(number(0)), "How long the save took. Accepted, but neither stored nor used yet.",
       kOptional},
  });
}

Schema progress_report() {
  return members({
      {"step", or_null(whole(0, kMostSteps)), "", kOptional},
      {"total_steps", or_null(whole(0, kMostSteps)), "", kOptional},
      {"metrics", reported_metrics(), "Finite numbers by name, or a list of names and values.", kOptional},
      {"checkpoint", or_null(reported_checkpoint()), "", kOptional},
      {"completed", or_null(flag()), "True: the job has done its work.", kOptional},
  });
}

Schema notice() {
  return members({
      {"reason", one_of<StopCause>()},
      {"deadline", time(), "Then what is left of the attempt is killed."},
      {"grace_seconds", number(0), "The whole grace."},
  });
}

Schema task_report() {
  return members(
      {{"v", whole()}, {"token", text()}, {"nonce", text()}, {"state", words({"waiting", "running", "ended"})}});
}

Schema task_orders() {
  return members({{"v", whole()}, {"version", whole()}, {"gate", words({"wait", "go", "release"})}});
}

}  // namespace

std::vector<Named> attempt_answers() {
  return {
      {"Attempt", attempt()},
      {"Checkpoint", checkpoint()},
      {"Progress", progress(), "The newest value of each field that the attempt has reported."},
      {"ProgressReport", progress_report(), "Each field is optional. At most 16 KiB."},
      {"Notice", notice()},
      {"TaskReport", opened(task_report()),
       "The state of a task, as its task agent reports it. The other members are between task agent and executor."},
      {"TaskOrders", opened(task_orders()),
       "What the task agent has to do. The other members are between task agent and executor."},
  };
}

}  // namespace ym::api::openapi
