
#include "api/http/media.h"
#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "api/sse.h"
#include "base/whole_number.h"

namespace ym::api {
namespace {

// A stored event may contain a spec of up to 1 MiB. It is rendered without the spec.
constexpr std::size_t kEventsPart = 64;
constexpr std::size_t kEventPageBytes = std::size_t{4} << 20;

struct Position {
  std::optional<std::uint64_t> after;
  std::size_t limit = 100;
};

// `cursor` means the same as `after`, so that events have pages like every other list. A browser that reconnects
// repeats the address and sends the last event that it has in Last-Event-ID.
std::expected<Position, Response> read_position(const Request& request, std::uint64_t newest) {
  Parameters parameters(request, {"after", "cursor", "limit"});
  Position position{.after = parameters.number("after"), .limit = parameters.limit()};
  if (const auto cursor = parameters.number("cursor")) position.after = cursor;
  if (auto fault = parameters.fault()) return std::unexpected(std::move(*fault));
  if (const auto last = request.header("Last-Event-ID"); !last.empty()) {
    position.after = whole_number<std::uint64_t>(last);
    if (!position.after) return std::unexpected(bad_header("Last-Event-ID", "must be the id of an event"));
  }
  if (position.after && *position.after > newest) {
    return std::unexpected(to_response(HttpFault::invalid_cursor,
                                       fmt::format("the newest event is {}; begin there or before it", newest)));
  }
  return position;
}

Response expired() {
  return to_response(HttpFault::expired_cursor,
                     "events that old are no longer kept; list the jobs and go on from as_of");
}

// Whether the event right after the cursor is not kept any more. Only the feed without filters has no gaps.
Result<bool> is_expired(const Asker& asker, std::uint64_t after, std::uint64_t newest) {
  if (after == newest) return false;
  const auto next = asker.reads().stored_events({.after = after}, 1);
  if (!next) return std::unexpected(next.error());
  return next->empty() || next->front().seq != after + 1;
}

struct EventPage {
  JsonWriter json;
  std::size_t count = 0;
  std::uint64_t last = 0;
  bool more = false;
};

Result<bool> add_part(const Asker& asker, EventFilter& filter, std::size_t limit, EventPage& page) {
  const std::size_t part = std::min(limit - page.count, kEventsPart);
  const auto events = asker.reads().events(asker.caller, filter, part);
  if (!events) return std::unexpected(events.error());
  for (const SeenEvent& seen : events->items) {
    write_event(page.json, seen.event, seen.outline ? EventParts::outline : EventParts::all);
    ++page.count;
  }
  filter.after = page.last = events->last;
  page.more = events->more;
  // Without any that the caller sees, the next request goes on.
  const bool is_hidden = events->items.empty();
  return page.more && !is_hidden && page.count < limit && page.json.size() < kEventPageBytes;
}

void send_page(Call call, EventFilter filter, std::size_t limit, std::uint64_t newest) {
  EventPage page;
  page.json.begin_object().key("items").begin_array();
  for (;;) {
    const auto again = add_part(call, filter, limit, page);
    if (!again) return call.responder.send(to_response(again.error()));
    if (!*again) break;
  }
  page.json.end_array().key("next");
  if (page.more) page.json.value(page.last);
  else page.json.value(nullptr);
  page.json.field("as_of", newest).end_object();
  call.responder.send(json_response(std::move(page.json)));
}

void serve_events(Context& context, Call call, std::optional<JobId> job) {
  // Read before the page, so that a client that continues from here misses nothing.
  const std::uint64_t newest = call.reads().last_seq();
  auto position = read_position(call.request, newest);
  if (!position) return call.responder.send(std::move(position.error()));
  const bool watch = asks_for(call.request.header("Accept"), kEventStream);
  const std::uint64_t after = position->after.value_or(watch ? newest : 0);
  if (!job && position->after) {
    const auto gone = is_expired(call, after, newest);
    if (!gone) return call.responder.send(to_response(gone.error()));
    if (*gone) return call.responder.send(expired());
  }
  if (!watch) return send_page(std::move(call), {.job = job, .after = after}, position->limit, newest);
  Response response{.content_type = kEventStream};
  response.headers.push_back({"X-Accel-Buffering", "no"});  // otherwise a proxy may collect events first
  response.stream = watch_events(context.backends, context.feed, call.caller,
                                 {.after = after, .job = job, .heartbeat = context.options.limits.heartbeat});
  call.responder.send(std::move(response));
}

}  // namespace

void list_events(Context& context, Call call) { serve_events(context, std::move(call), std::nullopt); }

void list_job_events(Context& context, Call call) {
  auto id = job_of_path(call);
  if (!id) return call.responder.send(std::move(id.error()));
  serve_events(context, std::move(call), *id);
}

}  // namespace ym::api
