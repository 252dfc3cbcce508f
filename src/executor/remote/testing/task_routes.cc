#include "executor/remote/testing/task_routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/whole_number.h"

namespace ym::remote::testing {
namespace {

std::string between(const std::string& text, const std::string& before, const std::string& ends) {
  const auto at = text.find(before);
  if (at == std::string::npos) return {};
  const auto begin = at + before.size();
  return text.substr(begin, text.find_first_of(ends, begin) - begin);
}

std::string lowered(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

std::optional<std::string> cut_request(std::string& received) {
  const auto end = received.find("\r\n\r\n");
  if (end == std::string::npos) return std::nullopt;
  const auto length = between(lowered(received.substr(0, end + 2)), "\r\ncontent-length: ", "\r");
  const auto size = end + 4 + whole_number<std::size_t>(length).value_or(0);
  if (received.size() < size) return std::nullopt;
  auto request = received.substr(0, size);
  received.erase(0, size);
  return request;
}

std::optional<TaskQuestion> read_question(const std::string& request) {
  const auto end = request.find("\r\n\r\n");
  const auto target = between(request, " ", " ");
  TaskQuestion question{.is_report = request.starts_with("POST "),
                        .bearer = between(request.substr(0, end), ": Bearer ", "\r"),
                        .body = request.substr(end + 4),
                        .nonce = between(target, "nonce=", "&"),
                        .version = whole_number<std::uint64_t>(between(target, "version=", "&")).value_or(0),
                        .wait = parse_duration(between(target, "wait=", "&")).value_or(seconds(30))};
  const auto job = parse_job_id(between(target, "/jobs/", "/"));
  const auto attempt = whole_number<std::int32_t>(between(target, "/attempts/", "/"));
  const auto task = whole_number<std::int32_t>(between(target, "/tasks/", "/"));
  const auto path = target.substr(0, target.find('?'));
  if (!job || !attempt || !task || !path.ends_with(question.is_report ? "/report" : "/orders")) return std::nullopt;
  question.task = {{*job, *attempt}, *task};
  return question;
}

Answer to_answer(const Result<std::string>& orders) {
  if (orders) return {.body = *orders};
  const auto code = orders.error().code;
  const int status = code == ErrorCode::not_found         ? 404
                     : code == ErrorCode::conflict        ? 409
                     : code == ErrorCode::invalid         ? 422
                     : code == ErrorCode::unauthenticated ? 401
                                                          : 503;
  return {.status = status,
          .body = fmt::format("{{\"code\":\"{}\"}}", to_string(code)),
          .type = "application/problem+json"};
}

std::string to_http(const Answer& answer) {
  return fmt::format("HTTP/1.1 {} X\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n{}", answer.status, answer.type,
                     answer.body.size(), answer.body);
}

}  // namespace ym::remote::testing
