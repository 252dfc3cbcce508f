// The little of HTTP that TaskServer needs: requests taken apart, answers put together. Private to this library.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "executor/task_link.h"

namespace ym::remote::testing {

// One whole request, taken off the front of what was received; nothing: more is to come.
std::optional<std::string> cut_request(std::string& received);

// POST /api/v1/jobs/ID/attempts/N/tasks/T/report, or GET .../tasks/T/orders?nonce=&version=&wait=30s.
struct TaskQuestion {
  bool is_report = false;
  TaskKey task;
  std::string bearer, body, nonce;
  std::uint64_t version = 0;
  Duration wait;
};
std::optional<TaskQuestion> read_question(const std::string& request);

struct Answer {
  int status = 200;
  std::string body{};
  std::string type = "application/json";
};
// Errors as the API tells them (RFC 9457).
Answer to_answer(const Result<std::string>& orders);
std::string to_http(const Answer& answer);

}  // namespace ym::remote::testing
