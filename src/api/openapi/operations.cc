#include "api/openapi/operations.h"

namespace ym::api::openapi {

Parameter query(std::string_view name, Schema schema, std::string_view meaning) {
  return {"query", {name, std::move(schema), meaning}};
}

Parameter header(std::string_view name, Schema schema, std::string_view meaning) {
  return {"header", {name, std::move(schema), meaning}};
}

Parameter limit() {
  return query("limit", with_default(whole(1, 1000), 100),
               "Items of a page. A page may have fewer if its items are large. `next` shows if there are more.");
}

Parameter cursor() { return query("cursor", text(), "`next` of the page before."); }

Schema switched() { return words({"0", "1", "true", "false"}); }

std::vector<Parameter> parameters_of_events() {
  return {query("after", whole(0), "Only events with a greater seq."), query("cursor", whole(0), "The same as after."),
          limit(), header("Last-Event-ID", whole(), "Overrides after. Browsers send it when they reconnect.")};
}

Answer events() {
  return {200,
          "A page. As text/event-stream: the stored events after the cursor (without a cursor: none), then new ones. "
          "`id` is the seq, `event` the type, `data` the event. A comment follows each 15 s of silence.",
          ref("EventList")};
}

}  // namespace ym::api::openapi
