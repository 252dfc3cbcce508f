#include "api/cursor.h"
#include "api/http/text.h"
#include "api/json/render.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/command.h"
#include "spec/text/field.h"

namespace ym::api {
namespace {

// A page is read in parts, and ends when its text has this size. Specs may be large, so both the answer and the rows
// for it must be bounded.
constexpr std::size_t kJobPageBytes = std::size_t{4} << 20;
constexpr std::size_t kCautiousPart = 32;
constexpr std::size_t kJobsPart = 256;
constexpr std::size_t kSmallItem = std::size_t{8} << 10;

void read_states(Parameters& parameters, JobFilter& filter) {
  const auto text = parameters.text("state");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const auto name = take_until(rest, ',');
    const auto state = parse_enum<JobState>(name);
    if (!state) {
      return parameters.reject("state",
                               "must be a comma-separated list of HELD, QUEUED, STARTING, RUNNING, STOPPING, "
                               "UNREACHABLE, SUCCEEDED, FAILED, CANCELLED, TIMED_OUT");
    }
    filter.states.push_back(*state);
  }
}

JobFilter read_filter(Parameters& parameters) {
  JobFilter filter;
  filter.owner = parameters.text("user");
  const auto owner = parameters.text("owner");
  if (owner && filter.owner) parameters.reject("owner", "means the same as user; give one of them");
  if (owner) filter.owner = owner;
  filter.queue = parameters.text("queue");
  filter.name = parameters.text("name");
  filter.project = parameters.text("project");
  read_states(parameters, filter);
  return filter;
}

// The id of a group, or the name of an array of the caller's.
std::optional<Response> read_group(const Asker& asker, Parameters& parameters, JobFilter& filter) {
  const auto text = parameters.text("group");
  if (text && !spec::is_name(*text)) parameters.reject("group", "must be the id or the name of an array");
  if (auto fault = parameters.fault()) return fault;
  if (!text) return std::nullopt;
  const auto group = asker.reads().resolve_group(asker.caller, *text);
  if (!group) return to_response(group.error());
  filter.group = *group;
  return std::nullopt;
}

// Everything that selects the jobs of a list. A cursor is valid only for the same selection.
std::string scope_of(const Request& request) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : request.query) {
    if (name != "cursor" && name != "limit")
      parts.push_back(fmt::format("{}:{}={}:{}", name.size(), name, value.size(), value));
  }
  std::ranges::sort(parts);
  return fmt::format("jobs {}", fmt::join(parts, " "));
}

SpecDetail read_detail(Parameters& parameters) {
  const auto text = parameters.text("spec");
  if (text && *text != "full" && *text != "summary") parameters.reject("spec", "must be full or summary");
  return text == "summary" ? SpecDetail::summary : SpecDetail::full;
}

struct JobPage {
  SpecDetail detail = SpecDetail::full;
  JsonWriter json;
  std::size_t count = 0;
  std::optional<JobId> last;
  bool more = false;
  std::uint64_t as_of = 0;
  std::vector<JobId> others{};  // shown with their specifications, of other owners than the caller
};

// Adds one part. False: the page is complete.
Result<bool> add_part(const Asker& asker, JobFilter& filter, std::size_t limit, JobPage& page) {
  const bool small = page.count > 0 && page.json.size() / page.count < kSmallItem;
  const std::size_t part = std::min(limit - page.count, small ? kJobsPart : kCautiousPart);
  const auto jobs = asker.reads().jobs(asker.caller, filter, part);
  if (!jobs) return std::unexpected(jobs.error());
  if (page.count == 0) page.as_of = jobs->as_of;
  const Instant now = asker.reads().now();
  for (const auto& view : jobs->items) {
    if (page.json.size() >= kJobPageBytes) {
      page.more = true;
      return false;
    }
    write_job(page.json, view.job, view.attempts, now, page.detail);
    const bool is_own = view.job->owner == asker.caller.principal && asker.caller.gateway.empty();
    if (page.detail == SpecDetail::full && !view.is_outline && !is_own) page.others.push_back(view.job->id);
    page.last = view.job->id;
    ++page.count;
  }
  page.more = jobs->next.has_value();
  filter.before = jobs->next;
  return page.more && page.count < limit;
}

}  // namespace

void list_jobs(Context&, Call call) {
  Parameters parameters(call.request,
                        {"user", "owner", "queue", "name", "project", "group", "state", "spec", "limit", "cursor"});
  JobFilter filter = read_filter(parameters);
  JobPage page{.detail = read_detail(parameters)};
  const std::size_t limit = parameters.limit();
  const auto cursor = parameters.text("cursor");
  if (auto refusal = read_group(call, parameters, filter)) return call.responder.send(std::move(*refusal));
  const std::string scope = scope_of(call.request);
  if (cursor) {
    const auto position = read_cursor(*cursor, scope);
    filter.before = position ? parse_job_id(*position) : std::nullopt;
    if (!filter.before) {
      return call.responder.send(to_response(
          HttpFault::invalid_cursor, "use `next` of the page before, with the same filters, or leave the cursor out"));
    }
  }
  page.json.begin_object().key("items").begin_array();
  for (;;) {
    const auto again = add_part(call, filter, limit, page);
    if (!again) return call.responder.send(to_response(again.error()));
    if (!*again) break;
  }
  if (!page.others.empty())
    record_read(call, Permission::jobs_get, {},
                fmt::format("jobs:{} to {}", to_string(page.others.back()), to_string(page.others.front())));
  page.json.end_array().key("next");
  if (page.more && page.last) page.json.value(make_cursor(to_string(*page.last), scope));
  else page.json.value(nullptr);
  page.json.field("as_of", page.as_of).end_object();
  call.responder.send(json_response(std::move(page.json)));
}

void get_job(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto id = job_of_path(call);
  if (!id) return call.responder.send(std::move(id.error()));
  const auto view = call.reads().job(call.caller, *id);
  if (!view) return call.responder.send(to_response(view.error()));
  if (!view->is_outline) record_read(call, Permission::jobs_get, view->job->owner, "job:" + to_string(*id));
  JsonWriter json;
  write_job(json, view->job, view->attempts, call.reads().now());
  call.responder.send(json_response(std::move(json)));
}

void explain_job(Context&, Call call) {
  Parameters parameters(call.request, {});
  if (auto fault = parameters.fault()) return call.responder.send(std::move(*fault));
  auto id = job_of_path(call);
  if (!id) return call.responder.send(std::move(id.error()));
  const auto explanation = call.backend->advice.why(call.caller, *id);
  if (!explanation) return call.responder.send(to_response(explanation.error()));
  JsonWriter json;
  write_explanation(json, *explanation);
  call.responder.send(json_response(std::move(json)));
}

}  // namespace ym::api
