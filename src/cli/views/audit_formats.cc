#include "cli/views/audit_formats.h"

#include <fmt/format.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <utility>

#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::string_view kProduct = "Yardmaster";

// What all formats take of a record.
struct Record {
  std::string seq, time, actor, behalf, verb, kind, name, code, source, agent, request, token, first, last;
  std::int64_t time_ms = 0, count = 1;
  bool done = true;

  explicit Record(const json::value& from)
      : seq(text_at(from, "seq")),
        time(text_at(from, "time")),
        actor(text_at(from, "actor")),
        behalf(text_at(from, "behalf")),
        verb(text_at(from, "verb")),
        code(text_at(from, "code")),
        source(text_at(from, "source")),
        agent(text_at(from, "agent")),
        request(text_at(from, "request")),
        time_ms(instant_at(from, "time").value_or(Instant{}).ms),
        count(integer_at(from, "count").value_or(1)),
        done(text_at(from, "outcome") == "done") {
    const auto object = text_at(from, "object");
    // Of a refusal it is a method and a path.
    const auto colon = object.find(' ') < object.find(':') ? object.npos : object.find(':');
    kind = colon == object.npos ? "" : object.substr(0, colon);
    name = colon == object.npos ? object : object.substr(colon + 1);
    token = text_at(from, "token");
    first = text_at(from, "events/from");
    last = text_at(from, "events/to");
  }

  int status() const { return done ? 200 : code == "unauthenticated" ? 401 : 403; }
  // "jobs" of "jobs.cancel"
  std::string resource() const { return verb.substr(0, verb.find('.')); }
  std::string action() const { return verb.substr(verb.find('.') + 1); }
};

enum class Activity : std::uint8_t { create = 1, read, update, remove };

Activity activity_of(const Record& record) {
  const auto action = record.action();
  const auto is_one = [&](const auto&... words) { return ((action == words) || ...); };
  if (is_one("create", "retry")) return Activity::create;
  if (is_one("get", "list", "logs", "read")) return Activity::read;
  if (is_one("revoke", "delete", "unbind")) return Activity::remove;
  return Activity::update;
}

std::string as_kubernetes(const Record& r) {
  json::object user{{"username", r.actor}};
  json::object event{{"kind", "Event"},
                     {"apiVersion", "audit.k8s.io/v1"},
                     {"level", "Metadata"},
                     {"auditID", "yardmaster-" + r.seq},
                     {"stage", "ResponseComplete"},
                     {"verb", r.action()},
                     {"user", std::move(user)}};
  if (!r.behalf.empty()) event["impersonatedUser"] = json::object{{"username", r.behalf}};
  event["sourceIPs"] = r.source.empty() ? json::array() : json::array{json::value(r.source)};
  event["userAgent"] = r.agent;
  event["objectRef"] = json::object{{"resource", r.resource()}, {"name", r.name}};
  event["responseStatus"] = json::object{{"code", r.status()}, {"reason", r.code}};
  event["requestReceivedTimestamp"] = event["stageTimestamp"] = r.time;
  event["annotations"] = json::object{{"yardmaster/count", std::to_string(r.count)}, {"yardmaster/request", r.request}};
  return json::serialize(event);
}

std::string as_cadf(const Record& r) {
  constexpr std::array<std::string_view, 5> kActions{"unknown", "create", "read", "update", "delete"};
  const bool login = r.verb == "login";
  const auto action = kActions.at(static_cast<std::size_t>(activity_of(r)));
  return json::serialize(json::object{
      {"typeURI", "http://schemas.dmtf.org/cloud/audit/1.0/event"},
      {"id", "yardmaster:" + r.seq},
      {"eventType", "activity"},
      {"eventTime", r.time},
      {"action", login ? "authenticate/login" : fmt::format("{}/{}", action, r.verb)},
      {"outcome", r.done ? "success" : "failure"},
      {"reason", json::object{{"reasonCode", std::to_string(r.status())}, {"reasonType", "HTTP"}}},
      {"initiator", json::object{{"id", r.actor},
                                 {"typeURI", "service/security/account/user"},
                                 {"host", json::object{{"address", r.source}, {"agent", r.agent}}}}},
      {"target",
       json::object{{"id", r.name.empty() ? "site" : r.name}, {"typeURI", "service/compute/" + r.resource()}}},
      {"observer", json::object{{"id", "yardmaster"}, {"typeURI", "service/compute"}}}});
}

// Class and activity: https://schema.ocsf.io/1.5.0
struct OcsfClass {
  int category, uid, activity;
};
OcsfClass class_of(const Record& r) {
  if (r.verb == "login") return {3, 3002, 1};
  if (r.verb == "roles.bind") return {3, 3005, 1};
  if (r.verb == "roles.unbind") return {3, 3005, 2};
  return {6, 6003, static_cast<int>(activity_of(r))};
}

std::string as_ocsf(const Record& r) {
  const auto [category, uid, activity] = class_of(r);
  json::object event{
      {"class_uid", uid},
      {"category_uid", category},
      {"activity_id", activity},
      {"type_uid", uid * 100 + activity},
      {"time", r.time_ms},
      {"count", r.count},
      {"severity_id", r.done ? 1 : 2},
      {"status_id", r.done ? 1 : 2},
      {"status_detail", r.code},
      {"metadata", json::object{{"version", "1.5.0"},
                                {"uid", r.seq},
                                {"product", json::object{{"name", kProduct}, {"vendor_name", kProduct}}}}},
      {"actor", json::object{{"user", json::object{{"name", r.actor}}}}},
      {"src_endpoint", json::object{{"ip", r.source}}},
      {"http_request", json::object{{"user_agent", r.agent}, {"uid", r.request}}}};
  if (uid == 6003) event["api"] = json::object{{"operation", r.verb}, {"response", json::object{{"code", r.status()}}}};
  else event["user"] = json::object{{"name", uid == 3002 ? r.actor : r.name}};
  event["resources"] = json::array{json::object{{"type", r.kind}, {"name", r.name}}};
  return json::serialize(event);
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      out += c == '\n' ? "\\n" : "\\r";
      continue;
    }
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') {
      out += '?';
      continue;
    }
    if (c == '\\' || special.find(c) != special.npos) out += '\\';
    out += c;
  }
  return out;
}

std::string as_cef(const Record& r) {
  std::string line =
      fmt::format("CEF:0|{0}|{0}|{1}|{2}|{2}|{3}|", kProduct, YM_VERSION, escaped(r.verb, "|"), r.done ? 3 : 6);
  // The first follows the head.
  std::string_view between;
  const auto add = [&](std::string_view key, std::string_view value) {
    if (!value.empty()) line += fmt::format("{}{}={}", std::exchange(between, " "), key, escaped(value, "="));
  };
  add("rt", std::to_string(r.time_ms));
  add("externalId", r.seq);
  add("suser", r.actor);
  add("duser", r.behalf);
  add("src", r.source);
  add("requestClientApplication", r.agent);
  add("outcome", r.done ? "success" : "failure");
  add("reason", r.code);
  add("cnt", std::to_string(r.count));
  add("cs2Label", r.token.empty() ? "" : "token");
  add("cs2", r.token);
  add("cs3Label", r.request.empty() ? "" : "request");
  add("cs3", r.request);
  if (!r.first.empty()) {
    add("cs4Label", "events");
    add("cs4", fmt::format("{}-{}", r.first, r.last));
  }
  if (!r.name.empty()) {
    add("cs1Label", "object");
    add("cs1", r.kind.empty() ? r.name : fmt::format("{}:{}", r.kind, r.name));
  }
  return line;
}

}  // namespace

std::string audit_line(const json::value& record, AuditFormat format) {
  switch (format) {
    case AuditFormat::jsonl: return json::serialize(record);
    case AuditFormat::k8s: return as_kubernetes(Record(record));
    case AuditFormat::cadf: return as_cadf(Record(record));
    case AuditFormat::ocsf: return as_ocsf(Record(record));
    case AuditFormat::cef: return as_cef(Record(record));
  }
  return {};
}

}  // namespace ym::cli
