#include <boost/json/parse.hpp>

#include "api/json/render.h"
#include "api/routes/named_page.h"

namespace ym::api {
namespace {

constexpr std::size_t kMaxMessage = 1024;

// {"message": "why"}, or nothing.
Result<std::string> read_message(std::string_view body) {
  if (body.empty()) return "";
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = 64;
  const auto value = boost::json::parse({body.data(), body.size()}, error, {}, options);
  if (error || !value.is_object()) return fail(ErrorCode::invalid, "the body is not a JSON object");
  std::string message;
  for (const auto& [key, content] : value.get_object()) {
    if (key != "message") return fail_field(fmt::format("/{}", std::string_view(key)), "unknown key; known: message");
    if (!content.is_string()) return fail_field("/message", "must be a string");
    message.assign(content.get_string().data(), content.get_string().size());
  }
  if (message.size() > kMaxMessage) return fail_field("/message", fmt::format("is over {} bytes", kMaxMessage));
  return message;
}

Response render_node(const Asker& asker, const std::string& name) {
  for (const auto& view : asker.reads().nodes(asker.caller)) {
    if (view.node.name != name) continue;
    JsonWriter json;
    write_node(json, view);
    return json_response(std::move(json));
  }
  return to_response(Error{ErrorCode::not_found, fmt::format("there is no node '{}'", name)});
}

void set_schedulable(Call call, bool schedulable) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto message = read_message(call.request.body);
  if (!message) return call.responder.send(to_response(message.error()));
  SetNodeSchedulable command{.node = call.parameter("id"), .schedulable = schedulable, .message = std::move(*message)};
  std::string name = call.parameter("id");
  run_command(std::move(call), std::move(command),
              [name = std::move(name)](const Asker& asker, const CommandReply&) { return render_node(asker, name); });
}

}  // namespace

void list_nodes(Context&, Call call) {
  const std::uint64_t as_of = call.reads().last_seq();
  call.responder.send(named_page(
      call.request, "nodes", call.reads().nodes(call.caller), as_of,
      [](const NodeView& view) -> const std::string& { return view.node.name; }, write_node));
}

void drain_node(Context&, Call call) { set_schedulable(std::move(call), false); }
void undrain_node(Context&, Call call) { set_schedulable(std::move(call), true); }

}  // namespace ym::api
