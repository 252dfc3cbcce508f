#include <set>

#include "api/json/render.h"
#include "api/routes/named_page.h"
#include "spec/documents.h"

namespace ym::api {
namespace {

// The queues as they were set, without usage: the engine has not seen the change yet.
Response render_applied(const Asker& asker, const std::set<std::string>& names) {
  JsonWriter json;
  json.begin_object().key("items").begin_array();
  for (const auto& view : asker.reads().queues(asker.caller)) {
    if (names.contains(view.queue.name)) write_queue_object(json, view.queue);
  }
  json.end_array().end_object();
  return json_response(std::move(json));
}

Response render_removed(const Asker& asker, const std::string& name) {
  const bool stays =
      std::ranges::any_of(asker.reads().queues(asker.caller), [&](const auto& v) { return v.queue.name == name; });
  JsonWriter json;
  json.begin_object().field("name", name).field("removed", !stays).end_object();
  return json_response(std::move(json), stays ? 202 : 200);
}

// The answer is the queue as it was set.
void set_stop(Call call, StopPolicy stop) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  if (auto refusal = refuse_content(call.request)) return call.responder.send(std::move(*refusal));
  SetQueueStop command{.queue = call.parameter("id"), .stop = stop};
  run_command(std::move(call), command, [name = command.queue](const Asker& asker, const CommandReply&) {
    for (const auto& view : asker.reads().queues(asker.caller)) {
      if (view.queue.name != name) continue;
      JsonWriter json;
      write_queue_object(json, view.queue);
      return json_response(std::move(json));
    }
    return to_response(Error{ErrorCode::not_found, fmt::format("there is no queue '{}'", name)});
  });
}

}  // namespace

void hold_queue(Context&, Call call) { set_stop(std::move(call), StopPolicy::hold); }
void drain_queue(Context&, Call call) { set_stop(std::move(call), StopPolicy::hold_and_drain); }
void resume_queue(Context&, Call call) { set_stop(std::move(call), StopPolicy::none); }

void list_queues(Context&, Call call) {
  const std::uint64_t as_of = call.reads().last_seq();
  call.responder.send(named_page(
      call.request, "queues", call.reads().queues(call.caller), as_of,
      [](const QueueView& view) -> const std::string& { return view.queue.name; }, write_queue));
}

void apply_queues(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto queues = parse_queues(call.request.body);
  if (!queues) return call.responder.send(to_response(queues.error()));
  std::set<std::string> names;
  for (const auto& queue : queues->queues) names.insert(queue.name);
  ApplyQueues command{.queues = std::move(queues->queues),
                      .pointers = std::move(queues->pointers),
                      .says_stop = std::move(queues->says_stop)};
  std::string document = call.request.body;
  run_command(
      std::move(call), std::move(command),
      [names = std::move(names)](const Asker& asker, const CommandReply&) { return render_applied(asker, names); },
      std::move(document));
}

void remove_queue(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  std::string name = call.parameter("id");
  RemoveQueue command{name};
  run_command(std::move(call), std::move(command), [name = std::move(name)](const Asker& asker, const CommandReply&) {
    return render_removed(asker, name);
  });
}

}  // namespace ym::api
