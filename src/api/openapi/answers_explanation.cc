#include "api/openapi/answers.h"
#include "engine/forecast/deadline_verdict.h"
#include "engine/forecast/forecast.h"
#include "model/states.h"

namespace ym::api::openapi {
namespace {

Schema reason() {
  return members({
      {"code", one_of<ReasonCode>()},
      {"message", text()},
      {"numbers", map_of(number()),
       "By name. CPUs and GPUs as in a job file (8, 0.5), memory in bytes, times in milliseconds since 1970. For a job "
       "within nominal quota that others borrow: `lent` (how much), `lent_to_jobs`, and for how many of these jobs "
       "which "
       "rule prevents a reclaim (reclaim_never, fenced, not_lower, unpreemptible, in_min_runtime with "
       "min_runtime_until_ms, stopped_often with stopped_often_until_ms, stopped_since, unreachable, stopping, "
       "stoppable, too_little, not_first, no_nodes)."},
  });
}

Schema job_ahead() {
  return members({
      {"id", text()},
      {"name", text()},
      {"user", text()},
      {"gpus", number(), "Of all its nodes together; of an elastic job at its smallest size."},
  });
}

Schema reserved_machines() {
  return members({
      {"from", time()},
      {"until", or_null(time()), "Null: the job has no time limit."},
      {"cluster", text()},
      {"flavor", text()},
      {"nodes", list(text())},
  });
}

Schema forecast_span() {
  return members({{"as_of", time()}, {"until", time(), "The forecast does not cover later starts."}});
}

Schema predicted_start() {
  return members({
      {"median", time()},
      {"low", time()},
      {"high", or_null(time()), "Null: later than the forecast covers."},
  });
}

Schema sooner_change() {
  return members({
      {"key", text(),
       "Key of the job file: queue, nodes, time_limit, resources.gpus (or gpu_share, mig), "
       "placement.topology.required."},
      {"value", text(), "The value to write there. none: remove the key."},
      {"message", text()},
  });
}

Schema move_advice() {
  const Schema move = members({{"job", text()}, {"lost_gpu_seconds", number()}});
  return members({{"saves", text(), "Waiting time that the moves save."}, {"moves", list(move)}});
}

Schema explanation() {
  return members({
      {"state", one_of<JobState>()},
      {"message", text(), "About the state, for people. It may be empty."},
      {"because", list(text()),
       "For people. For a running job: why it was placed there, which jobs may preempt it, and when it should end. For "
       "a job that is preempted: the preempting job, and the work lost."},
      {"dominant", or_null(ref("Reason")), "Null: the job does not wait."},
      {"also", list(ref("Reason"))},
      {"ahead", list(job_ahead())},
      {"ahead_total", whole()},
      {"reservation", or_null(reserved_machines()),
       "The machines that are reserved for the job. It starts there at that time, or earlier if other jobs end before "
       "their limit."},
      {"forecast", or_null(forecast_span()),
       "Source of predicted_start and sooner. Null: there is no forecast yet, or the job does not wait in the queue."},
      {"predicted_start", or_null(predicted_start()),
       "When the job will start if all goes as expected. Four of five jobs start between low and high. The range is as "
       "wide as recent predictions required. It is never a point and never in the past. Null: not known, or not yet."},
      {"no_estimate", or_null(one_of<engine::NoStart>()),
       "Why there is a forecast but no predicted_start. no-time-limit: the job waits for jobs without a time limit, "
       "and "
       "no similar job has ended. out-of-contact: it waits for jobs that are out of contact. beyond-horizon: it starts "
       "after the forecast's until. not-looked-at: the forecast did not get to the job, or is older than the job. "
       "nothing-expected: no expected event lets it start. Later versions may add values. Null: there is a "
       "predicted_start, or no forecast."},
      {"sooner", list(sooner_change(), 4),
       "With any of these changes the job would have started at the last forecast. Empty: no change that was tried "
       "does "
       "that, or it is not known yet."},
      {"promise", or_null(members({{"within", text()}, {"by", time()}})),
       "The wait promise of the job's queue: the time in which a job like it should start, and the end of that time."},
      {"deadline", or_null(ref("DeadlineVerdict")), "Null: the job has no deadline, or it is not judged yet."},
      {"consolidation", or_null(move_advice()),
       "Running jobs that could run on other nodes. Moving them would let the job start, and costs less than the "
       "waiting that it would end. Null: there are none, or the server does not look for them."},
  });
}

Schema deadline_verdict() {
  return members({
      {"verdict", one_of<engine::DeadlineVerdict::Outcome>(),
       "feasible: the job starts in time even if other jobs are slow. if-others-yield: it starts in time if the jobs "
       "in "
       "`yields` were stopped now, which no rule requires. infeasible: not even then. unknown: its run time is not "
       "known."},
      {"at", time(), "The deadline."},
      {"needed", or_null(text()), "Its time limit. Without one: the run time that nine of ten similar jobs needed."},
      {"latest_start", or_null(time()), "Latest start with which it ends in time."},
      {"start", or_null(time()),
       "Latest start that is expected. With if-others-yield: the start if the other jobs yield."},
      {"yields", list(text()), "Ids of jobs."},
  });
}

}  // namespace

std::vector<Named> explanation_answers() {
  return {
      {"Explanation", explanation()},
      {"Reason", reason()},
      {"DeadlineVerdict", deadline_verdict(), "Whether a job meets its deadline, by the newest forecast."},
  };
}

}  // namespace ym::api::openapi
