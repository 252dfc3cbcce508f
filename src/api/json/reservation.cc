#include "api/json/render.h"

namespace ym::api {
namespace {

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key).begin_array();
  for (const auto& name : names) json.value(name);
  json.end_array();
}

}  // namespace

void write_reservation(JsonWriter& json, const AdvanceReservation& reservation) {
  json.begin_object();
  json.field("name", reservation.name).field("from", reservation.from).field("until", reservation.until);
  write_names(json, "nodes", reservation.nodes);
  write_names(json, "users", reservation.users);
  write_names(json, "queues", reservation.queues);
  json.field("maintenance", reservation.is_maintenance());
  json.field("message", reservation.message).field("created_by", reservation.created_by);
  json.end_object();
}

}  // namespace ym::api
