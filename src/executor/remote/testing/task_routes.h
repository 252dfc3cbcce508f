// The little HTTP that TaskServer needs: it parses requests and writes answers. Private to this library.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "executor/task_link.h"

namespace ym::remote::testing {

// Removes one whole request from the front of `received`. Empty: it is incomplete.
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
// Errors in the form of the API (RFC 9457).
Answer to_answer(const Result<std::string>& orders);
std::string to_http(const Answer& answer);

}  // namespace ym::remote::testing
