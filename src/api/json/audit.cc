#include "api/json/audit.h"

namespace ym::api {

void write_audit(JsonWriter& json, const Event& event, const RequestAudited& request) {
  const auto if_any = [](const std::string& text) { return text.empty() ? std::nullopt : std::optional(text); };
  json.begin_object().field("seq", event.seq).field("time", event.time).field("actor", if_any(event.actor));
  json.field("behalf", if_any(request.behalf)).field("verb", request.verb).field("object", if_any(request.object));
  json.field("outcome", to_string(request.outcome)).field("code", if_any(request.code)).field("count", request.count);
  json.key("events");
  if (request.from == 0) json.value(nullptr);
  else json.begin_object().field("from", request.from).field("to", event.seq - 1).end_object();
  json.field("token", if_any(request.token)).field("source", if_any(request.source));
  json.field("agent", if_any(request.agent)).field("request", if_any(request.request)).end_object();
}

void write_verification(JsonWriter& json, const VerifiedPart& part) {
  json.field("from", part.from)
      .field("to", part.end.head.to)
      .field("chain", part.end.head.chain)
      .field("seal", part.end.seal);
  json.field("erased", part.erased).field("more", part.more).key("heads").begin_array();
  for (const SealHead& head : part.heads)
    json.begin_object().field("to", head.to).field("chain", head.chain).end_object();
  json.end_array().key("fault");
  if (part.fault) json.begin_object().field("seq", part.fault->seq).field("message", part.fault->what).end_object();
  else json.value(nullptr);
  json.field("unsealed_since", part.unsealed_since);
}

}  // namespace ym::api
