#include "cli/verbs/queue_stops.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "cli/http/url.h"
#include "cli/term/text.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct StopOptions {
  std::string verb;
  std::vector<std::string> names;
};

int stop_queues(Session& session, const StopOptions& options) {
  return for_each_id(
      session, options.names,
      [&](Api& api, const std::string& name) {
        return api.post(fmt::format("/api/v1/queues/{}/{}", percent_encoded(name), options.verb));
      },
      [&](const json::array& queues) {
        for (const auto& queue : queues)
          session.out << fmt::format("{}  stop: {}\n", printable(name_of(queue)), text_at(queue, "policy/stop"));
      },
      "name");
}

}  // namespace

void add_queue_stops(Verbs& verbs, CLI::App& queue) {
  for (const auto& [name, help] : std::initializer_list<std::pair<std::string, std::string>>{
           {"hold", "Start none of their jobs; running jobs go on"},
           {"drain", "Start none of their jobs and stop the running ones, which wait again"},
           {"resume", "End a hold or a drain"}}) {
    auto stop = std::make_shared<StopOptions>();
    stop->verb = name;
    auto* stop_verb = queue.add_subcommand(name, help);
    stop_verb->add_option("NAME", stop->names, "Names of queues; queues below them are included")->required();
    verbs.on(stop_verb, stop, stop_queues);
  }
}

}  // namespace ym::cli
