// Cancels many jobs in one commit.
#include <algorithm>
#include <map>

#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "control/commands/submit.h"
#include "spec/cancel_decoder.h"

namespace ym::api {
namespace {

struct Refusal {
  std::string job;  // as the client wrote it
  Error error;
};

// The requested jobs, and the names that match no job.
struct Asked {
  CancelJobs command;
  std::map<JobId, std::string> written;
  std::vector<Refusal> refused;
};

void add_members(const Asker& asker, GroupId group, const std::string& text, Asked& asked) {
  JobFilter filter{.group = group};
  constexpr std::size_t kPage = 1'000;
  for (bool more = true; more;) {
    auto page = asker.reads().jobs(asker.caller, filter, kPage);
    if (!page) return asked.refused.push_back({text, page.error()});
    for (const auto& member : page->items)
      if (!is_terminal(member.job->state)) asked.command.jobs.push_back(member.job->id);
    filter.before = page->next;
    more = page->next.has_value();
  }
}

Asked resolve_all(const Asker& asker, const std::vector<std::string>& texts) {
  Asked asked;
  for (const auto& text : texts) {
    const auto id = asker.reads().resolve(asker.caller, text);
    if (id) {
      asked.command.jobs.push_back(*id);
      asked.written.emplace(*id, text);
      continue;
    }
    const bool is_array = id.error().code == ErrorCode::ambiguous;
    const auto group = is_array ? asker.reads().resolve_group(asker.caller, text) : std::unexpected(id.error());
    if (group) add_members(asker, *group, text, asked);
    else asked.refused.push_back({text, group.error()});
  }
  return asked;
}

Response render(const Asker& asker, const CommandReply& reply, const std::vector<Refusal>& refused) {
  JsonWriter json;
  json.begin_object();
  write_items(json.key("items"), asker, reply.jobs, true);
  json.key("refused").begin_array();
  for (const auto& refusal : refused) {
    json.begin_object().field("job", refusal.job).field("code", to_string(refusal.error.code));
    json.field("detail", refusal.error.message).end_object();
  }
  json.end_array().end_object();
  return json_response(std::move(json), std::ranges::all_of(reply.jobs, is_done) ? 200 : 202);
}

}  // namespace

void cancel_jobs(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  const auto texts = parse_cancel_request(call.request.body, kMaxJobsPerRequest);
  if (!texts) return call.responder.send(to_response(texts.error()));
  auto asked = resolve_all(call, *texts);
  auto command = std::move(asked.command);
  run_command(std::move(call), std::move(command),
              [asked = std::move(asked)](const Asker& asker, const CommandReply& reply) mutable {
                for (const auto& [job, error] : reply.refused) {
                  const auto written = asked.written.find(job);
                  asked.refused.push_back({written == asked.written.end() ? to_string(job) : written->second, error});
                }
                return render(asker, reply, asked.refused);
              });
}

}  // namespace ym::api
