#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/http/url.h"
#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/term/text.h"
#include "cli/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct GetOptions {
  std::vector<std::string> ids;
};

std::string program(const json::value& job) {
  const auto& run = at(job, "spec/run");
  if (!run.is_array()) return text_of(run);
  std::string line;
  for (const auto& word : items_of(run)) line += (line.empty() ? "" : " ") + text_of(word);
  return line;
}

void line(Session& session, std::string_view label, const std::string& text) {
  if (!text.empty()) session.out << fmt::format("{:<10}  {}\n", label, printable(text));
}

std::string moment(const json::value& job, std::string_view field, Instant now) {
  const auto time = instant_at(job, field);
  return time ? fmt::format("{} UTC ({} ago)", short_time(time), short_duration(now - *time)) : "";
}

void show_attempts(Session& session, const json::value& job) {
  Table table({{"ATTEMPT"}, {"STATE"}, {"STARTED"}, {"TOOK"}, {"END"}, {"WHERE"}, {"MESSAGE"}});
  for (const auto& attempt : items_of(member(job, "attempts"))) {
    const auto started = instant_at(attempt, "started_at");
    const auto until = instant_at(attempt, "ended_at").value_or(session.now());
    table.add({text_at(attempt, "number"), text_at(attempt, "state"), short_time(started),
               started ? short_duration(until - *started) : "-", ending(attempt), where(attempt, true),
               text_at(attempt, "message")});
  }
  if (table.empty()) return;
  session.out << '\n';
  table.print(session.out, session.terminal.width);
}

void show(Session& session, const json::value& job) {
  session.out << fmt::format("{} ({})  {} {}  queue={}  priority {}  user {}\n", printable(name_of(job)), id_of(job),
                             state_of(job), age(job, session.now()), printable(text_at(job, "queue")),
                             text_at(job, "priority"), printable(text_at(job, "user")));
  line(session, "reason", remark(job));
  line(session, "run", program(job));
  line(session, "workdir", text_at(job, "spec/workdir"));
  line(session, "wants", wants(job));
  line(session, "launcher", text_at(job, "spec/launcher"));
  line(session, "time limit", text_at(job, "spec/time_limit"));
  line(session, "project", text_at(job, "project"));
  line(session, "array", text_at(job, "group_id"));
  line(session, "submitted", moment(job, "submitted_at", session.now()));
  line(session, "started", moment(job, "started_at", session.now()));
  line(session, "ended", moment(job, "ended_at", session.now()));
  show_attempts(session, job);
}

int get(Session& session, const GetOptions& options) {
  // One id gives one object, several give an array.
  if (options.ids.size() == 1 && !session.is_table() && session.format != Format::name) {
    auto api = session.connect();
    if (!api) return report(session, api.error());
    const auto job = api->get(job_target(options.ids.front()));
    if (!job) return report(session, job.error());
    session.print(*job);
    return 0;
  }
  return for_each_id(
      session, options.ids, [](Api& api, const std::string& id) { return api.get(job_target(id)); },
      [&](const json::array& jobs) {
        for (std::size_t i = 0; i < jobs.size(); ++i) {
          if (i > 0) session.out << '\n';
          show(session, jobs[i]);
        }
      });
}

}  // namespace

void add_get(Verbs& verbs) {
  auto options = std::make_shared<GetOptions>();
  auto* verb = verbs.app.add_subcommand("get", "Show a job with its attempts");
  verb->add_option("ID", options->ids, "Ids or names of jobs")->required();
  verbs.on(verb, options, get);
}

}  // namespace ym::cli
