#include "cli/verbs/queue_stops.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "cli/http/url.h"
#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/term/text.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct StopOptions {
  std::string verb;
  std::vector<std::string> names;
};

int stop_queues(Session& session, const StopOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  json::array done;
  int code = 0;
  for (const auto& name : options.names) {
    auto queue = api->post(fmt::format("/api/v1/queues/{}/{}", percent_encoded(name), options.verb), {});
    if (!queue) code = worse(code, report(session, queue.error()));
    else if (session.is_table())
      session.out << fmt::format("{}  stop: {}\n", printable(name), text_at(*queue, "policy/stop"));
    if (queue) done.push_back(std::move(*queue));
  }
  if (session.format == Format::name) print_each(session.out, done, name_of);
  else if (!session.is_table()) session.print(done);
  return code;
}

}  // namespace

void add_queue_stops(Verbs& verbs, CLI::App& queue) {
  for (const auto& [name, help] : std::initializer_list<std::pair<std::string, std::string>>{
           {"hold", "Start none of their jobs; what runs goes on"},
           {"drain", "Start none of their jobs, and stop what runs: it waits again"},
           {"resume", "End a hold or a drain"}}) {
    auto stop = std::make_shared<StopOptions>();
    stop->verb = name;
    auto* stop_verb = queue.add_subcommand(name, help);
    stop_verb->add_option("NAME", stop->names, "Names of queues; those below them are meant too")->required();
    verbs.on(stop_verb, stop, stop_queues);
  }
}

}  // namespace ym::cli
