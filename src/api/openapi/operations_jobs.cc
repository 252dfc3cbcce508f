#include "api/openapi/operations.h"
#include "control/commands/submit.h"

namespace ym::api::openapi {
namespace {

using enum Method;

constexpr std::string_view kJob =
    "An id, or the name of the caller's newest unfinished job, else of the newest that has ended. A member of an "
    "array: sweep[3].";
constexpr std::string_view kJobOrArray =
    "An id, or the name of the caller's newest unfinished job, else of the newest that has ended. The id or name of an "
    "array: all its members to which the operation applies. A member of an array: sweep[3].";

Parameter idempotency_key() {
  return header("Idempotency-Key", text({.least = 1, .most = 255, .pattern = "^[!-~]+$"}),
                "The same request under the same key answers with the jobs that the first one made. Another request "
                "under that key is a conflict.");
}

Member replayed() {
  return {"Idempotency-Replayed", text(), "\"true\" if an earlier request with this key made the jobs."};
}

std::vector<Answer> changed_jobs() {
  const Schema one_or_more = either(ref("Job"), ref("JobItems"));
  return {
      {200, "The job as it is now. For an array: the members that the operation applies to, as items.", one_or_more},
      {202, "Accepted. The job is not there yet.", one_or_more}};
}

Schema cancel_request() {
  return closed(members({
      {"jobs", list(text({.least = 1}), kMaxJobsPerRequest),
       "Ids and names of jobs, and of arrays (all members that have not ended)."},
  }));
}

Schema cancelled_jobs() {
  const Schema refusal = members({{"job", text(), "As in the request."}, {"code", text()}, {"detail", text()}});
  return members({{"items", list(ref("Job"))}, {"refused", list(refusal)}});
}

std::vector<Operation> operations_that_read_jobs() {
  return {
      {.method = get,
       .path = "/api/v1/jobs",
       .id = "listJobs",
       .summary = "All jobs, newest first, ended ones included.",
       .parameters = {query("user", text(), "The user that submitted them."),
                      query("owner", text(), "The same as user."), query("queue", text(), "Their queue."),
                      query("name", text(), "Their name."), query("project", text(), "Their project."),
                      query("group", text(), "Members of this array: its group_id, or its name if it is the caller's."),
                      query("state", text(), "A comma-separated list of states."),
                      query("spec", with_default(words({"full", "summary"}), "full"),
                            "How much of each job's spec: all, or only what it asks for (`nodes`, `resources`)."),
                      limit(), cursor()},
       .answers = {{200, "A page.", ref("JobList")}},
       .errors = {{404}}},
      {.method = get,
       .path = "/api/v1/jobs/{id}",
       .id = "getJob",
       .summary = "One job.",
       .object = kJob,
       .answers = {{200, "The job.", ref("Job")}}},
      {.method = get,
       .path = "/api/v1/jobs/{id}/events",
       .id = "listJobEvents",
       .summary = "What happened to a job.",
       .object = kJob,
       .parameters = parameters_of_events(),
       .answers = {events()}},
      {.method = get,
       .path = "/api/v1/jobs/{id}/logs",
       .id = "readJobLog",
       .summary = "What a task of a job wrote.",
       .object = kJob,
       .parameters = {query("attempt", whole(1), "Number of the attempt. Left out: the newest."),
                      query("rank", with_default(whole(0), 0), "Number of the task."),
                      query("follow", switched(),
                            "Continue until the task has ended. It also waits for a job's first attempt."),
                      query("tail", whole(0, 1'000'000),
                            "Begin this many lines before the end. A carriage return ends a line too, as in progress "
                            "bars. Only the last 64 MiB are searched; of a longer line its end is sent."),
                      query("offset", whole(0), "Begin at this byte.")},
       .answers = {{200,
                    "The text, as it was written.",
                    text(),
                    {{"Log-Offset", whole(), "Where in the log the answer begins. Absent while there is no log."}}}}},
      {.method = get,
       .path = "/api/v1/jobs/{id}/why",
       .id = "explainJob",
       .summary = "Why a job waits.",
       .object = kJob,
       .answers = {{200, "The reasons. For a job that does not wait: its state.", ref("Explanation")}}},
  };
}

std::vector<Operation> operations_that_change_jobs() {
  return {
      {.method = post,
       .path = "/api/v1/jobs",
       .id = "submitJobs",
       .summary = "Submit one job (JSON), or one or more (YAML): all or none.",
       .parameters = {query("workdir", with_default(text(), "/"),
                            "An absolute folder. A relative workdir starts there, and it is the workdir of a job "
                            "without one, except if tasks run in containers: they use the image's own."),
                      query("dry_run", switched(), "Only check the request. No job is made."), idempotency_key()},
       .content = ref("JobSpec"),
       .yaml = "One or more documents.",
       .answers = {{200, "After a dry run: the specs with all defaults.", ref("DryRun")},
                   {201,
                    "The job. If YAML was sent, or the spec is an array of more than one: all of them, as items.",
                    either(ref("Job"), ref("JobItems")),
                    {{"Location", text(), "The job's address, if there is one job."}, replayed()}}},
       .errors = {{409},
                  {422, "The content is well-formed, but fields of it are wrong, or it makes more than 10,000 jobs."},
                  {429, "Too many requests, or too many jobs that have not ended."}}},
      {.method = post,
       .path = "/api/v1/jobs:cancel",
       .id = "cancelJobs",
       .summary = "Cancel many jobs in one commit.",
       .description = "Each job is cancelled or refused by itself. `refused` has the jobs that cannot be cancelled.",
       .content = cancel_request(),
       .answers = {{200, "Cancelled.", cancelled_jobs()},
                   {202, "Cancelled. Some jobs still use their grace.", cancelled_jobs()}}},
      {.method = post,
       .path = "/api/v1/jobs/{id}/cancel",
       .id = "cancelJob",
       .summary = "Cancel a job: it never starts again.",
       .object = kJobOrArray,
       .answers = changed_jobs()},
      {.method = post,
       .path = "/api/v1/jobs/{id}/hold",
       .id = "holdJob",
       .summary = "Keep a waiting job from starting.",
       .object = kJobOrArray,
       .answers = changed_jobs()},
      {.method = post,
       .path = "/api/v1/jobs/{id}/release",
       .id = "releaseJob",
       .summary = "Let a held job start.",
       .object = kJobOrArray,
       .answers = changed_jobs()},
      {.method = post,
       .path = "/api/v1/jobs/{id}/retry",
       .id = "retryJob",
       .summary = "Submit the spec of an ended job again. A member of an array keeps its index.",
       .object = kJob,
       .parameters = {idempotency_key()},
       .answers = {{201, "The new job.", ref("Job"), {{"Location", text(), "The job's address."}, replayed()}}}},
  };
}

}  // namespace

Group job_operations() {
  Group jobs{"jobs", operations_that_read_jobs()};
  for (Operation& operation : operations_that_change_jobs()) jobs.operations.push_back(std::move(operation));
  return jobs;
}

}  // namespace ym::api::openapi
