#include "api/routes/command.h"

#include "api/json/render.h"
#include "api/problem.h"
#include "spec/documents.h"

namespace ym::api {
namespace {

constexpr std::size_t kMaxKey = 255;

}  // namespace

Response busy_stopping() { return busy("the server is stopping; try again"); }

void run_command(Call call, Command command, std::move_only_function<Response(const Asker&, CommandReply)> render,
                 std::string document) {
  using Replied = Result<CommandReply>;
  call.backend->commands.execute(
      call.caller, std::move(command),
      answer_to<Replied>(
          call, std::move(call.responder),
          [render = std::move(render), document = std::move(document)](const Asker& asker, Replied reply) mutable {
            return reply ? render(asker, std::move(*reply)) : to_response(with_lines(reply.error(), document));
          }));
}

std::expected<JobId, Response> job_of_path(const Call& call) {
  const auto id = call.reads().resolve(call.caller, call.parameter("id"));
  if (!id) return std::unexpected(to_response(id.error()));
  return *id;
}

std::expected<std::optional<std::string>, Response> idempotency_key(const Request& request) {
  if (request.count("Idempotency-Key") == 0) return std::nullopt;
  const auto key = request.header("Idempotency-Key");
  const bool printable = std::ranges::all_of(key, [](char c) { return c > ' ' && c < '\x7f'; });
  if (!key.empty() && key.size() <= kMaxKey && printable) return std::string(key);
  return std::unexpected(bad_header("Idempotency-Key", "must be 1 to 255 printable ASCII characters without blanks"));
}

std::optional<Response> refuse_content(const Request& request) {
  std::string_view body = request.body;
  std::string content;
  for (const char c : body) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') content += c;
    if (content.size() > 2) break;
  }
  if (content.empty() || content == "{}") return std::nullopt;
  return to_response(Error{ErrorCode::invalid, "this request takes no content; send no body, or {}"});
}

Response json_response(JsonWriter json, int status) { return {.status = status, .body = std::move(json).take()}; }

void write_item(JsonWriter& json, const Asker& asker, const Job& job, bool now, std::span<const std::string> more) {
  const SpecDetail detail = json.size() < kSpecBytes ? SpecDetail::full : SpecDetail::none;
  const Instant time = asker.reads().now();
  if (now) {
    if (const auto view = asker.reads().job(asker.caller, job.id)) {
      if (!view->is_outline) record_read(asker, Permission::jobs_get, job.owner, "job:" + to_string(job.id));
      return write_job(json, view->job, view->attempts, time, detail, more);
    }
  }
  write_job(json, job, {}, time, detail, more);
}

bool is_done(const Job& job) { return job.state != JobState::stopping && !(job.cancel_requested && !job.ended_at); }

void write_items(JsonWriter& json, const Asker& asker, const std::vector<Shared<Job>>& jobs, bool now) {
  json.begin_array();
  for (const Job& job : jobs) write_item(json, asker, job, now);
  json.end_array();
}

Response items_response(const Asker& asker, const std::vector<Shared<Job>>& jobs, bool now, int status) {
  JsonWriter json;
  json.begin_object();
  write_items(json.key("items"), asker, jobs, now);
  json.end_object();
  return json_response(std::move(json), status);
}

Response job_response(const Asker& asker, const Job& job, int status) {
  JsonWriter json;
  const Instant now = asker.reads().now();
  if (const auto view = asker.reads().job(asker.caller, job.id)) write_job(json, view->job, view->attempts, now);
  else write_job(json, job, {}, now);
  return json_response(std::move(json), status);
}

}  // namespace ym::api
