#include "api/openapi/answers.h"
#include "model/states.h"

namespace ym::api::openapi {
namespace {

Schema job() {
  return members({
      {"id", text(), "Eight characters of Crockford base32. Text order is the order of submission."},
      {"name", text()},
      {"user", text()},
      {"project", text()},
      {"queue", text()},
      {"priority", whole(0, 100)},
      {"state", one_of<JobState>()},
      {"reason", or_null(one_of<ReasonCode>()),
       "While the job waits (QUEUED, HELD): the code of the dominant reason. Else null."},
      {"message", text(), "About the present state, for people. It may be empty."},
      {"group_id", or_null(text())},
      {"group_index", or_null(whole())},
      {"submitted_at", time()},
      {"started_at", or_null(time())},
      {"ended_at", or_null(time())},
      {"predicted_run_time", or_null(ref("PredictedRunTime")), "Null: too few similar jobs have ended."},
      {"checkpoints", list(ref("Checkpoint"), 3), "The durable ones, newest first."},
      {"work_at_risk_gpu_seconds", or_null(number(0)),
       "Work that would be lost if the job were stopped now: GPU-seconds since its newest checkpoint, or since its "
       "start. Null unless its user code runs."},
      {"preemptions", whole(0), "Number of attempts that were preempted."},
      {"hold", or_null(ref("Hold")),
       "Set while the job waits for the jobs that make room for it, or while it stops to continue there with more or "
       "fewer nodes."},
      {"attempts", list(ref("Attempt"))},
      {"spec", or_null(either(ref("JobSpec"), ref("JobSpecSummary"))),
       "A summary if the request asks for one. Null only in answers to large array submits, past 4 MiB."},
      {"warnings", list(text()),
       "What is valid in the spec but may not do what is intended. In the answer to a submit also that the job can "
       "never run on today's nodes. Only with the whole spec, and only if there is a warning.",
       kOptional},
  });
}

Schema predicted_run_time() {
  return members({
      {"p10_seconds", number()},
      {"p50_seconds", number()},
      {"p90_seconds", number()},
      {"samples", whole(1), "Number of similar jobs."},
      {"of_same_user", flag(), "False: the similar jobs are of any user that asked for as much, or all jobs."},
  });
}

Schema nomination() {
  return members({
      {"cluster", text()},
      {"flavor", text()},
      {"placement", placement()},
      {"victims", list(text()), "Ids of the jobs that are stopped for it."},
      {"expires_at", time(), "Then the place is given up."},
  });
}

Schema dry_run() {
  return members(
      {{"items",
        list(members({
            {"name", text()},
            {"jobs", whole(1), "Number of jobs that a submit would create."},
            {"spec", ref("JobSpec")},
            {"warnings", list(text()),
             "What is valid in the spec but may not do what is intended. Only if there is a warning.", kOptional},
        }))}});
}

}  // namespace

Schema placement() { return list(members({{"task", whole()}, {"node", text()}, {"devices", list(text())}})); }

std::vector<Named> job_answers() {
  return {
      {"Job", job()},
      {"JobList", page_of("Job")},
      {"JobItems", members({{"items", list(ref("Job"))}})},
      {"DryRun", dry_run()},
      {"Hold", nomination(), "A nominated placement: it is kept for the job while other jobs make it free."},
      {"PredictedRunTime", predicted_run_time(),
       "The expected run time, from similar jobs that ended by themselves or by their time limit. Half of them ran no "
       "longer than p50. Four of five such jobs should lie between p10 and p90. The range is wider if less is known: "
       "few samples, another program or size, jobs of other users. An estimate: no reservation depends on it."},
  };
}

}  // namespace ym::api::openapi
