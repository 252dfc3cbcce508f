#include "executor/remote/wire.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "executor/remote/wire_fields.h"
#include "model/json/row_decoder.h"

namespace ym::remote {
namespace {

namespace bj = boost::json;

// --- writing
template <class Number>
  requires std::is_arithmetic_v<Number>
bj::value to_json(Number number) {
  return number;
}
bj::value to_json(const std::string& text) { return bj::string(text); }
bj::value to_json(Instant t) { return t.ms; }
bj::value to_json(Duration d) { return d.ms; }
bj::value to_json(const Token& token) { return bj::string(to_string(token)); }
template <class Enum>
  requires std::is_enum_v<Enum>
bj::value to_json(Enum value) {
  return bj::string(to_string(value));
}
template <json::Described T>
bj::value to_json(const T& row);

template <class T>
bj::value to_json(const std::vector<T>& items) {
  bj::array list;
  for (const auto& item : items) list.push_back(to_json(item));
  return list;
}
bj::value to_json(const std::map<std::string, std::string>& entries) {
  bj::object object;
  for (const auto& [key, value] : entries) object[key] = to_json(value);
  return object;
}

template <class Owner, class Member>
void add_field(bj::object& object, const json::Field<Owner, Member>& f, const Owner& row) {
  const Member& value = row.*f.member;
  if (!f.leaves_out(value)) object[f.name] = to_json(value);
}
template <class Owner, class T>
void add_field(bj::object& object, const json::Field<Owner, std::optional<T>>& f, const Owner& row) {
  const auto& value = row.*f.member;
  if (value) object[f.name] = to_json(*value);
}

template <json::Described T>
void add_fields(bj::object& object, const T& row) {
  json::for_each_member(json::Fields<T>::list, [&](const auto& f) { add_field(object, f, row); });
}
template <json::Described T>
bj::value to_json(const T& row) {
  bj::object object;
  add_fields(object, row);
  return object;
}

template <class T>
std::string message(const T& row) {
  bj::object object;
  object["v"] = kWireVersion;
  add_fields(object, row);
  return bj::serialize(object);
}

// --- reading
bool understood(const bj::value* version) {
  if (!version || !version->is_int64()) return false;
  const auto v = version->get_int64();
  return v >= 1 && (v == kWireVersion || v == kWireVersion - 1);
}

// Text from user code may not be UTF-8.
constexpr bj::parse_options kOptions = [] {
  bj::parse_options options;
  options.max_depth = 8;
  options.allow_invalid_utf8 = true;
  return options;
}();

template <class T>
Result<T> parse(std::string_view text, std::size_t most) {
  if (text.size() > most)
    return fail(ErrorCode::invalid, "the message has more than " + std::to_string(most) + " bytes");
  boost::system::error_code error;
  auto value = bj::parse(text, error, {}, kOptions);
  if (error || !value.is_object()) return fail(ErrorCode::invalid, "the message is not a JSON object");
  if (!understood(value.get_object().if_contains("v")))
    return fail_field("/v", "is not a version that this build understands");
  value.get_object().erase("v");
  auto message = json::RowDecoder::walk<T>(value);
  if (!message) return fail_field(message.error().pointer, message.error().message);
  return std::move(*message);
}

Result<void> check(std::string pointer, std::string_view text, std::size_t most) {
  if (text.size() <= most) return {};
  return fail_field(std::move(pointer), "is longer than " + std::to_string(most) + " bytes");
}

Result<void> check_claim(const TaskReport& report) {
  const auto& claim = report.claim;
  if (report.nonce.empty()) return fail_field("/nonce", "is empty");
  if (auto good = check("/nonce", report.nonce, kMaxNonce); !good) return good;
  if (claim.nonce != report.nonce) return fail_field("/claim/nonce", "differs from that of the report");
  if (claim.port < 0 || claim.port > 65'535) return fail_field("/claim/port", "is not a port");
  if (auto good = check("/claim/address", claim.address, kMaxName); !good) return good;
  return check("/claim/node", claim.node, kMaxName);
}

Result<void> check_progress(const std::vector<RawProgress>& progress) {
  if (progress.size() > kMostProgress) return fail_field("/progress", "has too many entries");
  std::int64_t before = 0;
  for (std::size_t i = 0; i < progress.size(); ++i) {
    const auto at = "/progress/" + std::to_string(i);
    if (progress[i].number <= before) return fail_field(at + "/number", "does not grow");
    before = progress[i].number;
    if (auto good = check(at + "/text", progress[i].text, kMaxProgressText); !good) return good;
  }
  return {};
}

Result<void> check_rest(const TaskReport& report) {
  const bool ended = report.state == TaskReport::State::ended;
  if (report.exit.has_value() != ended) return fail_field("/exit", "must be set exactly if the task has ended");
  if (report.exit)
    if (auto good = check("/exit/message", report.exit->message, kMaxMessage); !good) return good;
  if (report.log_bytes < 0 || report.log_dropped < 0) return fail_field("/log_bytes", "is negative");
  if (report.checkpoints_gone.size() > kKeptCheckpoints) return fail_field("/checkpoints_gone", "has too many entries");
  return {};
}

Result<void> check_launch(const TaskLaunch& launch) {
  if (launch.argv.empty() || launch.argv.front().empty()) return fail_field("/launch/argv", "names no program");
  for (const auto& report : launch.argv)
    if (report.contains('\0')) return fail_field("/launch/argv", "has a NUL");
  for (const auto& [name, value] : launch.env)
    if (name.empty() || name.contains('=') || name.contains('\0') || value.contains('\0'))
      return fail_field("/launch/env", "has a name or a value that no environment can hold");
  if (launch.port < 0 || launch.port > 65'535) return fail_field("/launch/port", "is not a port");
  if (launch.checkpoints.size() > kKeptCheckpoints) return fail_field("/launch/checkpoints", "has too many entries");
  return {};
}

}  // namespace

std::string encode(const TaskReport& report) { return message(report); }
std::string encode(const TaskOrders& orders) { return message(orders); }

Result<TaskReport> decode_report(std::string_view text) {
  auto report = parse<TaskReport>(text, kMaxReportBytes);
  if (!report) return report;
  if (auto good = check_claim(*report); !good) return std::unexpected(good.error());
  if (auto good = check_progress(report->progress); !good) return std::unexpected(good.error());
  if (auto good = check_rest(*report); !good) return std::unexpected(good.error());
  return report;
}

Result<TaskOrders> decode_orders(std::string_view text) {
  auto orders = parse<TaskOrders>(text, kMaxOrdersBytes);
  if (!orders) return orders;
  if (orders->launch)
    if (auto good = check_launch(*orders->launch); !good) return std::unexpected(good.error());
  if (orders->stop && orders->stop->grace.ms < 0) return fail_field("/stop/grace", "is negative");
  return orders;
}

}  // namespace ym::remote
