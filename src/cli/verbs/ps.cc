#include <fmt/format.h>

#include <boost/json/array.hpp>

#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/verbs/verb.h"
#include "model/states.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct PsOptions {
  std::vector<std::string> states;
  std::string queue, project, user, name;
  bool all = false;
  std::size_t limit = 10'000;
};

Result<std::string> state_list(const PsOptions& options) {
  std::string list;
  const auto add = [&](std::string_view state) { list += (list.empty() ? "" : ",") + std::string(state); };
  for (auto text : options.states) {
    for (char& c : text) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (!parse_enum<JobState>(text))
      return fail(ErrorCode::invalid,
                  fmt::format("'{}' is not a state; write for example QUEUED, RUNNING or FAILED", text));
    add(text);
  }
  if (list.empty() && !options.all)
    for (const auto state : {JobState::held, JobState::queued, JobState::starting, JobState::running,
                             JobState::stopping, JobState::unreachable})
      add(to_string(state));
  return list;
}

Result<std::string> owner(Api& api, const PsOptions& options) {
  if (options.all || !options.user.empty()) return options.user;
  const auto me = api.get("/api/v1/whoami");
  if (!me) return std::unexpected(me.error());
  return text_at(*me, "user");
}

Result<Api::List> find_jobs(Session& session, const PsOptions& options) {
  const auto states = state_list(options);
  if (!states) return std::unexpected(states.error());
  auto api = session.connect();
  if (!api) return std::unexpected(api.error());
  const auto user = owner(*api, options);
  if (!user) return std::unexpected(user.error());
  // What a table shows is in the summary; whoever asks for JSON gets all of it.
  const bool full = !session.is_table() && session.format != Format::name;
  return api->list("/api/v1/jobs",
                   {{"spec", full ? "" : "summary"},
                    {"state", *states},
                    {"user", *user},
                    {"queue", options.queue},
                    {"project", options.project},
                    {"name", options.name}},
                   options.limit);
}

// An empty list is no answer to a question about a queue that is not there.
std::optional<Error> missing_queue(Session& session, const std::string& name) {
  auto api = session.connect();
  const auto queues = api ? api->list("/api/v1/queues", {}, kMostRows) : std::unexpected(api.error());
  if (!queues) return std::nullopt;
  std::string names;
  for (const auto& queue : queues->items) {
    if (name_of(queue) == name) return std::nullopt;
    names += (names.empty() ? "" : ", ") + name_of(queue);
  }
  return Error{ErrorCode::not_found, fmt::format("there is no queue '{}'; there are: {}", name, names)};
}

int ps(Session& session, const PsOptions& options) {
  const auto jobs = find_jobs(session, options);
  if (!jobs) return report(session, jobs.error());
  if (jobs->items.empty() && !options.queue.empty())
    if (const auto missing = missing_queue(session, options.queue)) return report(session, *missing);
  if (session.format == Format::name) {
    print_each(session.out, jobs->items, id_of);
  } else if (!session.is_table()) {
    session.print(jobs->items);
  } else if (jobs->items.empty()) {
    session.err << (options.all ? "no jobs\n"
                                : "no jobs of yours that have not ended; -A shows everybody's and finished ones\n");
  } else {
    job_table(jobs->items, session.now(), session.format == Format::wide).print(session.out, session.terminal.width);
  }
  if (jobs->more) session.err << fmt::format("there are more than {} jobs; see --limit\n", options.limit);
  return 0;
}

}  // namespace

void add_ps(Verbs& verbs) {
  auto options = std::make_shared<PsOptions>();
  auto* verb = verbs.add("ps", "List jobs: yours that have not ended, unless told otherwise");
  verb->add_option("--state", options->states, "Only jobs in these states, finished ones too")->delimiter(',');
  verb->add_option("--queue", options->queue, "Only jobs of this queue");
  verb->add_option("--project", options->project, "Only jobs of this project");
  verb->add_option("--user", options->user, "Only this user's jobs");
  verb->add_option("--name", options->name, "Only jobs of this name");
  verb->add_flag("-A,--all", options->all, "Everybody's, finished too");
  verb->add_option("--limit", options->limit, "At most so many, the newest")->check(CLI::PositiveNumber);
  verbs.on(verb, options, ps);
}

}  // namespace ym::cli
