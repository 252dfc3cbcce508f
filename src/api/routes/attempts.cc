// Routes for user code of an attempt: progress, and the notice to stop.
#include "api/json/render.h"
#include "api/notifier.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "api/routes/timed_poll.h"
#include "base/whole_number.h"
#include "spec/progress_report.h"

namespace ym::api {
namespace {

std::expected<AttemptKey, Response> attempt_of_path(const Call& call) {
  // A job's token is valid only for the attempt in the path; that was checked before.
  if (call.caller.attempt) return *call.caller.attempt;
  auto id = job_of_path(call);
  if (!id) return std::unexpected(std::move(id.error()));
  const auto number = whole_number<std::int32_t>(call.parameter("n"));
  if (!number || *number < 1)
    return std::unexpected(to_response(Error{ErrorCode::not_found, "attempts are numbered from 1"}));
  return AttemptKey{*id, *number};
}

Response no_content() { return {.status = 204}; }

// Nothing: the attempt has no notice.
std::optional<Response> notice_response(const Backend& backend, const Caller& caller, AttemptKey attempt) {
  const auto notice = backend.tasks.notice(caller, attempt);
  if (!notice) return to_response(notice.error());
  if (!*notice) return std::nullopt;
  JsonWriter json;
  write_notice(json, **notice);
  return json_response(std::move(json));
}

class NoticePoll final : public TimedPoll {
 public:
  NoticePoll(Context& context, Caller caller, AttemptKey attempt, Duration wait)
      : TimedPoll(wait), context_(context), caller_(std::move(caller)), attempt_(attempt) {}

  void start(std::function<void()> wake) override { watching_ = context_.notices.watch(attempt_, std::move(wake)); }

 private:
  std::optional<Response> news() override { return notice_response(*context_.backends.current(), caller_, attempt_); }

  Context& context_;
  const Caller caller_;
  AttemptKey attempt_;
};

}  // namespace

void report_progress(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto attempt = attempt_of_path(call);
  if (!attempt) return call.responder.send(std::move(attempt.error()));
  auto report = parse_progress_report(call.request.body, call.reads().now());
  if (!report) return call.responder.send(to_response(report.error()));
  run_command(std::move(call), ReportProgress{*attempt, std::move(*report)},
              [](const Asker&, const CommandReply&) { return no_content(); });
}

void await_notice(Context& context, Call call) {
  Parameters parameters(call.request, {"wait"});
  const Duration wait = read_wait(parameters);
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto attempt = attempt_of_path(call);
  if (!attempt) return call.responder.send(std::move(attempt.error()));
  Response response;
  response.poll = std::make_unique<NoticePoll>(context, std::move(call.caller), *attempt, wait);
  call.responder.send(std::move(response));
}

}  // namespace ym::api
