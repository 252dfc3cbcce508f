#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "cli/http/url.h"
#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/term/text.h"
#include "cli/verbs/submit.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct ActOptions {
  std::string verb;
  std::vector<std::string> ids;
};

Result<json::value> send(Session& session, Api& api, const ActOptions& options, const std::string& id) {
  const auto target = job_target(id, options.verb);
  if (options.verb != "retry") return api.post(target);
  // This makes a job: sent again, it must not make another.
  return post_jobs(session, target, {.content = {}, .content_type = {}, .idempotency_key = new_idempotency_key()});
}

int act(Session& session, const ActOptions& options) {
  return for_each_id(
      session, options.ids, [&](Api& api, const std::string& id) { return send(session, api, options, id); },
      [&](const json::array& jobs) {
        for (const auto& job : jobs)
          session.out << fmt::format("{}  {}  {}\n", id_of(job), printable(name_of(job)), state_of(job));
      });
}

}  // namespace

void add_act(Verbs& verbs) {
  for (const auto& [name, help] : std::initializer_list<std::pair<std::string, std::string>>{
           {"cancel", "Stop jobs for good: they never start again"},
           {"hold", "Keep waiting jobs from starting until they are released"},
           {"release", "Let held jobs start"},
           {"retry", "Submit finished jobs once more, as new jobs"}}) {
    auto options = std::make_shared<ActOptions>();
    options->verb = name;
    auto* verb = verbs.add(name, help);
    const std::string help_of_ids =
        name == "retry" ? "Ids or names of jobs" : "Ids or names of jobs; of an array: all its members";
    verb->add_option("ID", options->ids, help_of_ids)->required();
    verbs.on(verb, options, act);
  }
}

}  // namespace ym::cli
