#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "cli/cancel_many.h"
#include "cli/http/url.h"
#include "cli/members.h"
#include "cli/term/text.h"
#include "cli/verbs/submit.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct ActOptions {
  std::string verb;
  std::vector<std::string> ids;
  bool only_failed = false;
};

// Whether the verb applies to a member in this state. The server uses the same rule for a whole array.
bool applies(const ActOptions& options, const json::value& member) {
  const auto state = state_of(member);
  if (options.only_failed) return has_failed(member);
  if (options.verb == "retry") return has_ended(member);
  if (options.verb == "hold") return state == "QUEUED";
  if (options.verb == "release") return state == "HELD";
  return !has_ended(member);
}

Error no_member(const ActOptions& options, const std::string& id) {
  const std::string_view what = options.verb == "retry"     ? "has ended"
                                : options.verb == "hold"    ? "waits, so none can be held"
                                : options.verb == "release" ? "is held"
                                                            : "has not ended";
  return {.code = ErrorCode::conflict, .message = fmt::format("no member of {} {}", id, what)};
}

// The ids of the members to which the verb applies. For a whole array the server finds them itself.
Result<std::vector<std::string>> chosen(Session& session, const ActOptions& options, const std::string& id) {
  if (!options.only_failed && !names_members(id)) return std::vector{id};
  auto api = session.connect();
  if (!api) return std::unexpected(api.error());
  const auto found = find_jobs(*api, id);
  if (!found) return std::unexpected(found.error());
  std::vector<std::string> ids;
  for (const auto& job : found->jobs)
    if (applies(options, job)) ids.push_back(id_of(job));
  if (ids.empty() && !options.only_failed) return std::unexpected(no_member(options, id));
  // Not an error: a script has what it wants.
  if (ids.empty()) session.err << fmt::format("nothing to retry: no job of {} has failed\n", printable(id));
  return ids;
}

Result<json::value> send(Session& session, Api& api, const ActOptions& options, const std::string& id) {
  const auto target = job_target(id, options.verb);
  if (options.verb != "retry") return api.post(target);
  // The key makes the server create one job only, even if the request is sent twice.
  auto made = post_jobs(session, target, {.content = {}, .content_type = {}, .idempotency_key = new_idempotency_key()});
  if (!made && made.error().code == ErrorCode::ambiguous)
    made.error().message += "; or write --failed to retry only its members that failed";
  return made;
}

int act(Session& session, const ActOptions& options) {
  std::vector<std::string> ids;
  int code = 0;
  for (const auto& id : options.ids) {
    const auto of_it = chosen(session, options, id);
    if (of_it) ids.insert(ids.end(), of_it->begin(), of_it->end());
    else code = worse(code, report(session, of_it.error()));
  }
  const bool many = options.verb == "cancel" && ids.size() > 1;
  const int acted = for_each_id(
      session, many ? cancel_requests(ids) : ids,
      [&](Api& api, const std::string& asked) {
        return many ? cancel_many(session, api, asked, code) : send(session, api, options, asked);
      },
      [&](const json::array& jobs) {
        for (const auto& job : jobs)
          session.out << fmt::format("{}  {}  {}\n", id_of(job), printable(name_of(job)), state_of(job));
      });
  return worse(code, acted);
}

}  // namespace

void add_act(Verbs& verbs) {
  for (const auto& [name, help] : std::initializer_list<std::pair<std::string, std::string>>{
           {"cancel", "Stop jobs for good; they never start again"},
           {"hold", "Keep waiting jobs from starting until they are released"},
           {"release", "Let held jobs start"},
           {"retry", "Submit ended jobs again, as new jobs"}}) {
    auto options = std::make_shared<ActOptions>();
    options->verb = name;
    auto* verb = verbs.add(name, help);
    const std::string help_of_ids =
        name == "retry" ? "Ids or names of jobs; sweep[3], sweep[1,4-6]: members of an array"
                        : "Ids or names of jobs; an array stands for all its members, sweep[1,4-6] for some";
    verb->add_option("ID", options->ids, help_of_ids)->required();
    if (name == "retry")
      verb->add_flag("--failed", options->only_failed,
                     "Retry only failed jobs; of an array, the members with a failed newest job");
    verbs.on(verb, options, act);
  }
}

}  // namespace ym::cli
