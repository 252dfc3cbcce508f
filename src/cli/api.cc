#include "cli/api.h"

#include <fmt/format.h>

#include <array>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include "cli/http/url.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kPage = 1000;

ErrorCode code_of_status(int status) {
  if (status == 401) return ErrorCode::unauthenticated;
  if (status == 403) return ErrorCode::forbidden;
  if (status == 404) return ErrorCode::not_found;
  if (status == 409) return ErrorCode::conflict;
  if (status == 413) return ErrorCode::too_large;
  if (status == 429) return ErrorCode::rate_limited;
  if (status >= 500) return ErrorCode::unavailable;
  return ErrorCode::invalid;
}

// The stable names of problem+json. A newer server may send a name that is not listed: then the status decides.
ErrorCode code_of(const std::string& name, int status) {
  constexpr std::array kCodes{
      ErrorCode::invalid,     ErrorCode::unauthenticated, ErrorCode::forbidden, ErrorCode::not_found,
      ErrorCode::conflict,    ErrorCode::ambiguous,       ErrorCode::too_large, ErrorCode::rate_limited,
      ErrorCode::unavailable, ErrorCode::corrupt,         ErrorCode::io,        ErrorCode::internal};
  for (const auto code : kCodes)
    if (name == to_string(code)) return code;
  return code_of_status(status);
}

Result<json::value> parse_reply(const HttpReply& reply) {
  boost::system::error_code bad;
  auto value = json::parse(reply.body, bad);
  if (bad) return fail(ErrorCode::unavailable, "the server's answer is not JSON; is this a Yardmaster server?");
  return value;
}

}  // namespace

Error error_of(const HttpReply& reply) {
  boost::system::error_code bad;
  const auto problem = json::parse(reply.body, bad);
  const auto body = bad ? json::value() : problem;
  Error error{.code = code_of(text_at(body, "code"), reply.status),
              .message = text_at(body, "detail"),
              .fields = {},
              .retryable = reply.status == 429 || reply.status >= 500};
  if (error.message.empty()) error.message = text_at(body, "title");
  if (error.message.empty()) error.message = fmt::format("the server answered with status {}", reply.status);
  for (const auto& item : items_of(member(body, "errors")))
    error.fields.push_back({text_at(item, "pointer"), text_at(item, "message")});
  return error;
}

Result<HttpReply> Api::successful(Result<HttpReply> reply) {
  answered_ = reply.has_value();
  if (!reply && !absent_.empty() && !transport_->was_sent())
    reply.error().message = fmt::format("{} ({})", absent_, reply.error().message);
  if (reply && (reply->status < 200 || reply->status > 299)) return std::unexpected(error_of(*reply));
  return reply;
}

Result<json::value> Api::get(const std::string& target) {
  const auto reply = successful(
      transport_->send({.method = "GET", .target = target, .headers = {{"Accept", "application/json"}}, .body = {}}));
  if (!reply) return std::unexpected(reply.error());
  return parse_reply(*reply);
}

Result<json::value> Api::post(const std::string& target, const PostBody& body) {
  HttpRequest request{.method = "POST", .target = target, .headers = {{"Accept", "application/json"}}, .body = {}};
  if (!body.content.empty()) request.headers["Content-Type"] = body.content_type;
  if (!body.idempotency_key.empty()) request.headers["Idempotency-Key"] = body.idempotency_key;
  request.body = body.content;
  const auto reply = successful(transport_->send(request));
  if (!reply) return std::unexpected(reply.error());
  return reply->body.empty() ? json::value() : parse_reply(*reply);
}

Result<json::value> Api::remove(const std::string& target) {
  const auto reply = successful(transport_->send(
      {.method = "DELETE", .target = target, .headers = {{"Accept", "application/json"}}, .body = {}}));
  if (!reply) return std::unexpected(reply.error());
  return reply->body.empty() ? json::value() : parse_reply(*reply);
}

Result<void> Api::stream(const std::string& target, const std::string& accept, const StreamCallbacks& callbacks) {
  const auto reply = successful(
      transport_->stream({.method = "GET", .target = target, .headers = {{"Accept", accept}}, .body = {}}, callbacks));
  if (!reply) return std::unexpected(reply.error());
  return {};
}

namespace {

// Lists are long, so items are moved.
void take_items(json::value& page, json::array& into) {
  auto* object = page.if_object();
  auto* items = object ? object->if_contains("items") : nullptr;
  if (items == nullptr || !items->is_array()) return;
  auto& list = items->get_array();
  into.insert(into.end(), std::make_move_iterator(list.begin()), std::make_move_iterator(list.end()));
}

}  // namespace

Result<Api::List> Api::list(const std::string& path, std::vector<std::pair<std::string, std::string>> parameters,
                            std::size_t limit) {
  List all;
  std::string cursor;
  while (true) {
    auto with_page = parameters;
    with_page.emplace_back("limit", std::to_string(std::min(limit - all.items.size(), kPage)));
    with_page.emplace_back("cursor", cursor);
    auto page = get(target(path, with_page));
    if (!page) return std::unexpected(page.error());
    take_items(*page, all.items);
    // `as_of` of the first page: a client that watches from there misses no event of the later pages.
    if (cursor.empty()) all.as_of = integer_at(*page, "as_of").value_or(0);
    cursor = text_at(*page, "next");
    all.more = !cursor.empty();
    if (!all.more || all.items.size() >= limit) return all;
  }
}

}  // namespace ym::cli
