// The audit log: records of requests, as events of the one list.
#include "api/json/audit.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "control/audit/request_audit.h"

namespace ym::api {
namespace {

// Events that a page looks at. Without a record in them it is empty, and `next` goes on.
constexpr std::uint64_t kMostLookedAt = 200'000;
constexpr std::size_t kRecordsAtOnce = 512;

struct AuditSearch {
  std::optional<std::string> actor, verb, object, outcome;
  std::uint64_t after = 0;
  std::size_t limit = 100;

  bool takes(const Event& event) const {
    const auto& request = std::get<RequestAudited>(event.payload);
    const auto fits = [](const std::optional<std::string>& wish, std::string_view value) {
      return !wish || *wish == value;
    };
    return fits(actor, event.actor) && fits(verb, request.verb) && fits(object, request.object) &&
           fits(outcome, to_string(request.outcome));
  }
};

std::expected<AuditSearch, Response> read_search(const Request& request) {
  Parameters parameters(request, {"actor", "verb", "object", "outcome", "after", "cursor", "limit"});
  AuditSearch search{.actor = parameters.text("actor"),
                     .verb = parameters.text("verb"),
                     .object = parameters.text("object"),
                     .outcome = parameters.text("outcome"),
                     .limit = parameters.limit()};
  search.after = parameters.number("after").value_or(0);
  if (const auto cursor = parameters.number("cursor")) search.after = *cursor;
  if (search.outcome && !parse_enum<AuditOutcome>(*search.outcome))
    parameters.reject("outcome", "must be done or refused");
  if (auto fault = parameters.fault()) return std::unexpected(std::move(*fault));
  return search;
}

struct AuditPage {
  JsonWriter json;
  std::size_t count = 0;
  std::uint64_t last = 0;
  bool more = false;
};

Result<void> fill_page(const Asker& asker, const AuditSearch& search, std::uint64_t newest, AuditPage& page) {
  // Older records are in segments of the history: what is looked at begins with the first event that is here.
  const auto first = asker.reads().stored_events({.after = std::max<std::uint64_t>(search.after, 1)}, 1);
  if (!first) return std::unexpected(first.error());
  page.last = first->empty() ? search.after : std::max(search.after, first->front().seq - 1);
  const auto until = std::min(newest, page.last + kMostLookedAt);
  while (page.count < search.limit) {
    const auto events = asker.reads().stored_events({.after = page.last, .until = until, .type = RequestAudited::kType},
                                                    kRecordsAtOnce);
    if (!events) return std::unexpected(events.error());
    if (events->empty()) page.last = std::max(page.last, until);
    for (const Event& event : *events) {
      if (page.count == search.limit) break;
      page.last = event.seq;
      if (!search.takes(event)) continue;
      write_audit(page.json, event, std::get<RequestAudited>(event.payload));
      page.count += 1;
    }
    if (events->empty()) break;
  }
  page.more = page.last < newest;
  return {};
}

}  // namespace

void record_read(const Asker& asker, Permission permission, std::string_view owner, std::string object) {
  const Caller& caller = asker.caller;
  if (caller.kind != CallerKind::principal || !caller.origin) return;
  if (caller.principal == owner && caller.gateway.empty()) return;
  asker.backend->commands.note(audit_record(caller, to_string(permission), std::move(object), AuditOutcome::done));
}

void list_audit(Context&, Call call) {
  const std::uint64_t newest = call.reads().last_seq();
  auto search = read_search(call.request);
  if (!search) return call.responder.send(std::move(search.error()));
  AuditPage page;
  page.json.begin_object().key("items").begin_array();
  if (const auto filled = fill_page(call, *search, newest, page); !filled)
    return call.responder.send(to_response(filled.error()));
  page.json.end_array().key("next");
  if (page.more) page.json.value(page.last);
  else page.json.value(nullptr);
  page.json.field("as_of", newest).end_object();
  call.responder.send(json_response(std::move(page.json)));
}

void verify_audit(Context&, Call call) {
  Parameters parameters(call.request, {"to", "chain", "seal"});
  const VerifiedTo begin{
      .head = {.to = parameters.number("to").value_or(0), .chain = parameters.text("chain").value_or("")},
      .seal = parameters.number("seal").value_or(0)};
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  const std::uint64_t newest = call.reads().last_seq();
  const auto part = call.reads().verify(begin);
  if (!part) return call.responder.send(to_response(part.error()));
  JsonWriter json;
  write_verification(json.begin_object(), *part);
  json.field("as_of", newest).end_object();
  call.responder.send(json_response(std::move(json)));
}

}  // namespace ym::api
