#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"

namespace ym::api {
namespace {

template <class Action>
void act(Context& context, Call call, Response (*render)(Context&, const CommandReply&, JobId)) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  if (auto refusal = refuse_content(call.request)) return call.responder.send(std::move(*refusal));
  auto id = job_of_path(context, call);
  if (!id) return call.responder.send(std::move(id.error()));
  const JobId job = *id;
  run_command(context, std::move(call), Action{job},
              [job, render](Context& shared, const CommandReply& reply) { return render(shared, reply, job); });
}

Response render_job(Context& context, JobId id) {
  const auto view = context.service.job(id);
  if (!view) return to_response(view.error());
  JsonWriter json;
  write_job(json, view->job, view->attempts);
  // 202: it was accepted, and the job is still on its way there.
  const bool done = view->job.state != JobState::stopping && !(view->job.cancel_requested && !view->job.ended_at);
  return json_response(std::move(json), done ? 200 : 202);
}

Response render_changed(Context& context, const CommandReply&, JobId id) { return render_job(context, id); }

Response render_retry(Context& context, const CommandReply& reply, JobId) {
  if (reply.jobs.empty()) return to_response(Error{ErrorCode::internal, "the retry made no job"});
  const Job& job = reply.jobs.front();
  Response response = job_response(context, job, 201);
  response.headers.push_back({"Location", "/api/v1/jobs/" + to_string(job.id)});
  return response;
}

}  // namespace

void cancel_job(Context& context, Call call) { act<CancelJob>(context, std::move(call), render_changed); }
void hold_job(Context& context, Call call) { act<HoldJob>(context, std::move(call), render_changed); }
void release_job(Context& context, Call call) { act<ReleaseJob>(context, std::move(call), render_changed); }
void retry_job(Context& context, Call call) { act<RetryJob>(context, std::move(call), render_retry); }

}  // namespace ym::api
