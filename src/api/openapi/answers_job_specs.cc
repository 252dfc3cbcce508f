// The content of a job file, which answers show in the same form. It is made from the key table.
#include "api/openapi/answers.h"
#include "model/keys/job.h"
#include "spec/job_schema.h"
#include "spec/keys/describe.h"

namespace ym::api::openapi {
namespace {

Schema task_group() {
  Schema group = keys::schema_of(keys::rows_of_keys<TaskGroup>());
  Schema& resources = member_of(group, "resources");
  resources = referred(resources, "TaskResources");
  return group;
}

Schema job_spec() {
  Schema job = job_schema();
  job.erase("$schema");
  job.erase("title");
  Schema& resources = member_of(job, "resources");
  resources = referred(resources, "TaskResources");
  member_of(job, "groups")["items"] = ref("TaskGroup");
  return job;
}

Schema job_spec_summary() {
  Schema job = job_spec();
  return closed(members({
      {"nodes", member_of(job, "nodes")},
      {"resources", ref("TaskResources")},
      {"gpus", number(0), "Of all nodes together. Only for a job with groups.", kOptional},
  }));
}

}  // namespace

std::vector<Named> job_spec_answers() {
  return {
      {"JobSpec", job_spec(), "A job, with the keys of a job file."},
      {"JobSpecSummary", job_spec_summary(), "What a job asks for."},
      {"TaskGroup", task_group()},
      {"TaskResources", keys::schema_of(keys::rows_of_keys<TaskResources>())},
  };
}

}  // namespace ym::api::openapi
