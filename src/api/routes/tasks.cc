// Remote tasks: reports of the task agents, and their orders. The content of reports and orders is between task agent
// and executor.
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/route.h"
#include "api/routes/timed_poll.h"
#include "base/whole_number.h"
#include "executor/task_link.h"

namespace ym::api {
namespace {

struct Linked {
  std::shared_ptr<const Backend> backend;  // keeps the link alive
  TaskLink* link = nullptr;
  TaskKey task;
};

Result<Linked> link_of(const Call& call) {
  const auto number = whole_number<std::int32_t>(call.parameter("t"));
  if (!number) return fail(ErrorCode::not_found, "tasks are numbered from 0");
  const auto link = call.backend->tasks.task_link(call.caller, *call.caller.attempt);
  if (!link) return std::unexpected(link.error());
  return Linked{call.backend, *link, {*call.caller.attempt, *number}};
}

Response orders_response(std::string orders) { return {.body = std::move(orders)}; }

class OrdersPoll final : public TimedPoll {
 public:
  OrdersPoll(Linked linked, std::string nonce, std::uint64_t version, Duration wait)
      : TimedPoll(wait), linked_(std::move(linked)), nonce_(std::move(nonce)), version_(version) {}

  void start(std::function<void()> wake) override {
    watching_ = linked_.link->watch(linked_.task.attempt, std::move(wake));
  }

 private:
  std::optional<Response> news() override {
    auto orders = linked_.link->orders(linked_.task, nonce_, version_);
    if (!orders) return to_response(orders.error());
    return *orders ? std::optional(orders_response(std::move(**orders))) : std::nullopt;
  }

  Linked linked_;
  std::string nonce_;
  std::uint64_t version_;
};

}  // namespace

void report_task(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  const auto linked = link_of(call);
  if (!linked) return call.responder.send(to_response(linked.error()));
  auto orders = linked->link->report(linked->task, call.request.body);
  call.responder.send(orders ? orders_response(std::move(*orders)) : to_response(orders.error()));
}

void await_task_orders(Context&, Call call) {
  Parameters parameters(call.request, {"nonce", "version", "wait"});
  const auto nonce = parameters.text("nonce");
  const auto version = parameters.number("version");
  const Duration wait = read_wait(parameters);
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  const auto linked = link_of(call);
  if (!linked) return call.responder.send(to_response(linked.error()));
  Response response;
  response.poll = std::make_unique<OrdersPoll>(*linked, nonce.value_or(""), version.value_or(0), wait);
  call.responder.send(std::move(response));
}

}  // namespace ym::api
