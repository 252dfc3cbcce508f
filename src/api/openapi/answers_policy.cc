#include "api/openapi/answers.h"
#include "api/openapi/shown.h"
#include "model/keys/policy.h"

namespace ym::api::openapi {
namespace {

Member document_warnings() {
  return {"warnings", list(text()),
          "What the document says but the server does not do: words of an earlier version. Only if there is a warning.",
          kOptional};
}

Schema site_policy() {
  return extended(keys::all_set(keys::shown_keys<PolicySettings>()),
                  {
                      {"said_by", map_of(words({"api", "file", "default"})),
                       "Source of each setting, by name (\"scheduling.age_cap\"): `api` (set while the server runs), "
                       "`file` (its configuration) or `default`."},
                      document_warnings(),
                  });
}

Schema diff_job() { return members({{"id", text()}, {"name", text()}, {"user", text()}, {"queue", text()}}); }

Schema diff_stop() {
  return extended(diff_job(), {
                                  {"makes_room_for", or_null(text()),
                                   "The preempting job. Null: the job's queue is drained or loses quota."},
                                  {"drained_queue", or_null(text())},
                                  {"lost_gpu_seconds", number()},
                                  {"shrunk_queue", or_null(text()),
                                   "The queue that loses quota. The job is stopped after that queue's `shrink_after`."},
                              });
}

Schema diff_move() {
  return extended(diff_job(), {
                                  {"before", or_null(time()), "Null: later than the forecast covers."},
                                  {"after", or_null(time())},
                              });
}

Schema diff_totals() {
  return members({
      {"starts", whole()},
      {"keeps_waiting", whole()},
      {"stops", whole()},
      {"spares", whole()},
      {"sooner", whole()},
      {"later", whole()},
  });
}

Schema policy_diff() {
  const Schema jobs = list(ref("PolicyDiffJob")), stops = list(ref("PolicyDiffStop")),
               moves = list(ref("PolicyDiffMove"));
  return members({
      {"as_of", time()},
      {"until", time(), "Later starts are not compared."},
      {"waiting", whole(), "Number of jobs that wait."},
      {"totals", diff_totals(), "Number of jobs in each list. A list has at most 1,000 of them."},
      {"starts", jobs, "Jobs that would start at once, and do not without the change."},
      {"keeps_waiting", jobs, "Jobs that would not start at once, and do without the change."},
      {"stops", stops, "Jobs that would be stopped at once."},
      {"spares", stops, "Jobs that would not be stopped, and are without the change."},
      {"sooner", moves, "Jobs that would start earlier than without the change."},
      {"later", moves, "Jobs that would start later, or later than the forecast covers."},
      document_warnings(),
  });
}

}  // namespace

std::vector<Named> policy_answers() {
  return {
      {"Policy", site_policy(), "How the site schedules: each setting, and its source."},
      {"PolicyDiff", policy_diff()},
      {"PolicyDiffJob", diff_job()},
      {"PolicyDiffStop", diff_stop()},
      {"PolicyDiffMove", diff_move()},
  };
}

}  // namespace ym::api::openapi
