#include "api/digest.h"
#include "api/http/media.h"
#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "spec/documents.h"

namespace ym::api {
namespace {

struct Submission {
  SubmitJobs command;
  bool one_document = false;
};

// The answer to a dry run: the specs with all defaults, and the number of jobs that each would make. `reply`: their
// queues and warnings.
Response render_dry_run(std::vector<JobSpec> specs, const CommandReply& reply) {
  JsonWriter json;
  json.begin_object().key("items").begin_array();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    JobSpec& spec = specs[i];
    if (i < reply.queues.size()) spec.queue = reply.queues[i];
    json.begin_object().field("name", spec.name).field("jobs", spec.array.value_or(1));
    write_spec(json.key("spec"), spec);
    if (i < reply.warnings.size()) write_warnings(json, spec, reply.warnings[i]);
    else write_warnings(json, spec);
    json.end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(json));
}

std::expected<Submission, Response> read_submission(const Request& request) {
  Parameters parameters(request, {"workdir", "dry_run"});
  const std::string workdir = parameters.text("workdir").value_or("/");
  const bool dry_run = parameters.flag("dry_run");
  if (!workdir.starts_with('/')) parameters.reject("workdir", "must be an absolute path");
  if (auto fault = parameters.fault()) return std::unexpected(std::move(*fault));
  Submission submission;
  submission.command.dry_run = dry_run;
  auto key = idempotency_key(request);
  if (!key) return std::unexpected(std::move(key.error()));
  submission.command.idempotency_key = std::move(*key);
  submission.one_document = is_media_type(request.header("Content-Type"), kJson);
  if (submission.one_document) {
    auto spec = parse_job_json(request.body, {.workdir = workdir});
    if (!spec) return std::unexpected(to_response(spec.error()));
    submission.command.specs.push_back(std::move(*spec));
  } else {
    auto specs = parse_job_yaml(request.body, {.workdir = workdir});
    if (!specs) return std::unexpected(to_response(specs.error()));
    submission.command.specs = std::move(*specs);
  }
  if (submission.command.idempotency_key) {
    // The same bytes have another meaning in the other syntax or another folder.
    submission.command.request_hash =
        sha256_hex(fmt::format("{}\n{}\n{}", submission.one_document ? kJson : kYaml, workdir, request.body));
  }
  return submission;
}

// Warnings of the jobs. They come one spec after the other.
class JobWarnings {
 public:
  explicit JobWarnings(const CommandReply& reply) : reply_(reply) {}

  std::span<const std::string> next(const Job& job) {
    if (last_ && *last_ != job.spec_id) spec_ += 1;
    last_ = job.spec_id;
    if (spec_ >= reply_.warnings.size()) return {};
    return reply_.warnings[spec_];
  }

 private:
  const CommandReply& reply_;
  std::size_t spec_ = 0;
  std::optional<SpecId> last_;
};

Response render_submitted(const Asker& asker, const CommandReply& reply, bool one_document) {
  // For a replay the first request may be old: show the present state of its jobs.
  const bool alone = one_document && reply.jobs.size() == 1;
  JobWarnings warnings(reply);
  JsonWriter json;
  if (!alone) json.begin_object().key("items").begin_array();
  for (const Job& job : reply.jobs) write_item(json, asker, job, reply.replayed, warnings.next(job));
  if (!alone) json.end_array().end_object();
  Response response = json_response(std::move(json), 201);
  if (alone) response.headers.push_back({"Location", "/api/v1/jobs/" + to_string(reply.jobs.front()->id)});
  if (reply.replayed) response.headers.push_back({"Idempotency-Replayed", "true"});
  return response;
}

}  // namespace

void submit_jobs(Context&, Call call) {
  auto submission = read_submission(call.request);
  if (!submission) return call.responder.send(std::move(submission.error()));
  if (submission->command.dry_run) {
    auto specs = submission->command.specs;
    return run_command(std::move(call), std::move(submission->command),
                       [specs = std::move(specs)](const Asker&, const CommandReply& reply) mutable {
                         return render_dry_run(std::move(specs), reply);
                       });
  }
  run_command(std::move(call), std::move(submission->command),
              [one_document = submission->one_document](const Asker& asker, const CommandReply& reply) {
                return render_submitted(asker, reply, one_document);
              });
}

}  // namespace ym::api
