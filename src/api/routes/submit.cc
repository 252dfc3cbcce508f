#include "api/digest.h"
#include "api/http/media.h"
#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "spec/documents.h"

namespace ym::api {
namespace {

constexpr std::size_t kMaxKey = 255;
// Once an answer is this long, its further jobs come without their specs: the members
// of an array share one that may be large, and an answer has to stay bounded.
constexpr std::size_t kSpecBytes = std::size_t{4} << 20;

struct Submission {
  SubmitJobs command;
  bool one_document = false;
};

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

std::optional<Response> read_key(const Request& request, SubmitJobs& command) {
  if (request.count("Idempotency-Key") == 0) return std::nullopt;
  const auto key = request.header("Idempotency-Key");
  if (key.empty() || key.size() > kMaxKey || !is_printable(key)) {
    return bad_header("Idempotency-Key", "must be 1 to 255 printable ASCII characters without blanks");
  }
  command.idempotency_key = std::string(key);
  return std::nullopt;
}

std::expected<Submission, Response> read_submission(const Request& request) {
  Parameters parameters(request, {"workdir"});
  const std::string workdir = parameters.text("workdir").value_or("/");
  if (!workdir.starts_with('/')) parameters.reject("workdir", "must be an absolute path");
  if (auto fault = parameters.fault()) return std::unexpected(std::move(*fault));
  Submission submission;
  if (auto fault = read_key(request, submission.command)) return std::unexpected(std::move(*fault));
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
    // The same bytes mean something else in the other syntax or another folder.
    submission.command.request_hash =
        sha256_hex(fmt::format("{}\n{}\n{}", submission.one_document ? kJson : kYaml, workdir, request.body));
  }
  return submission;
}

void write_submitted(JsonWriter& json, Context& context, const Job& job, bool replayed) {
  const SpecDetail detail = json.size() < kSpecBytes ? SpecDetail::full : SpecDetail::none;
  if (replayed) {
    // The first request may be long ago: show how its jobs fare now.
    if (const auto view = context.service.job(job.id)) {
      write_job(json, view->job, view->attempts, detail);
      return;
    }
  }
  write_job(json, job, {}, detail);
}

Response render_submitted(Context& context, const CommandReply& reply, bool one_document) {
  JsonWriter json;
  const bool alone = one_document && reply.jobs.size() == 1;
  if (!alone) json.begin_object().key("items").begin_array();
  for (const auto& job : reply.jobs) write_submitted(json, context, job, reply.replayed);
  if (!alone) json.end_array().end_object();
  Response response = json_response(std::move(json), 201);
  if (alone) response.headers.push_back({"Location", "/api/v1/jobs/" + to_string(reply.jobs.front().id)});
  if (reply.replayed) response.headers.push_back({"Idempotency-Replayed", "true"});
  return response;
}

}  // namespace

void submit_jobs(Context& context, Call call) {
  auto submission = read_submission(call.request);
  if (!submission) return call.responder.send(std::move(submission.error()));
  run_command(context, std::move(call), std::move(submission->command),
              [one_document = submission->one_document](Context& shared, const CommandReply& reply) {
                return render_submitted(shared, reply, one_document);
              });
}

}  // namespace ym::api
