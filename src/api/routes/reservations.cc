#include "api/json/render.h"
#include "api/routes/named_page.h"
#include "spec/reservation_decoder.h"

namespace ym::api {
namespace {

const std::string& name_of(const AdvanceReservation& reservation) { return reservation.name; }

}  // namespace

void list_reservations(Context&, Call call) {
  const std::uint64_t as_of = call.reads().last_seq();
  call.responder.send(named_page(call.request, "reservations", call.reads().reservations(call.caller), as_of, name_of,
                                 write_reservation));
}

void create_reservation(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto request = parse_reservation(call.request.body, call.reads().now());
  if (!request) return call.responder.send(to_response(request.error()));
  std::string name = request->wanted.name;
  run_command(std::move(call), CreateReservation{std::move(*request)},
              [name = std::move(name)](const Asker& asker, const CommandReply&) {
                const auto rows = asker.reads().reservations(asker.caller);
                const auto row = std::ranges::find(rows, name, name_of);
                if (row == rows.end())
                  return to_response(Error{ErrorCode::not_found, fmt::format("there is no reservation '{}'", name)});
                JsonWriter json;
                write_reservation(json, *row);
                return json_response(std::move(json), 201);
              });
}

void remove_reservation(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  std::string name = call.parameter("id");
  run_command(std::move(call), RemoveReservation{name}, [name](const Asker&, const CommandReply&) {
    JsonWriter json;
    json.begin_object().field("name", name).field("removed", true).end_object();
    return json_response(std::move(json));
  });
}

}  // namespace ym::api
