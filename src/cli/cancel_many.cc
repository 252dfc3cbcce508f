#include "cli/cancel_many.h"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/exit_code.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostInOne = 10'000;  // the server's limit

Error refusal_of(const json::value& refused) {
  const bool unknown = text_at(refused, "code") == "not_found";
  return {.code = unknown ? ErrorCode::not_found : ErrorCode::conflict, .message = text_at(refused, "detail")};
}

}  // namespace

std::vector<std::string> cancel_requests(const std::vector<std::string>& ids) {
  std::vector<std::string> requests;
  json::array jobs;
  for (const auto& id : ids) {
    jobs.emplace_back(id);
    if (jobs.size() < kMostInOne && &id != &ids.back()) continue;
    requests.push_back(json::serialize(json::object{{"jobs", std::move(jobs)}}));
    jobs = {};
  }
  return requests;
}

Result<json::value> cancel_many(Session& session, Api& api, const std::string& request, int& code) {
  auto answer = api.post("/api/v1/jobs:cancel", {.content = request, .idempotency_key = {}});
  if (!answer) return answer;
  for (const auto& refused : items_of(member(*answer, "refused")))
    code = worse(code, report(session, refusal_of(refused)));
  return answer;
}

}  // namespace ym::cli
