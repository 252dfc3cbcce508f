#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/json/array.hpp>

#include "cli/members.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "model/states.h"
#include "spec/text/suggest.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct PsOptions {
  std::vector<std::string> states;
  std::string queue, project, user, name;
  bool all = false;
  std::size_t limit = 10'000;
};

// "did you mean RUNNING?", or a list of all states.
std::string which_there_are(const std::string& word, const std::vector<std::string>& known) {
  const auto near = spec::nearest(word, known);
  return near ? fmt::format("did you mean {}?", *near) : fmt::format("there are: {}", fmt::join(known, ", "));
}

std::string no_state(const std::string& text) {
  std::vector<std::string> states;
  for (auto at = JobState::held; at <= JobState::timed_out; at = static_cast<JobState>(static_cast<int>(at) + 1))
    states.emplace_back(to_string(at));
  return fmt::format("'{}' is not a state; {}", text, which_there_are(text, states));
}

Result<std::string> state_list(const PsOptions& options) {
  std::string list;
  const auto add = [&](std::string_view state) { list += (list.empty() ? "" : ",") + std::string(state); };
  for (auto text : options.states) {
    for (char& c : text) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (!parse_enum<JobState>(text)) return fail(ErrorCode::invalid, no_state(text));
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

using Filters = std::vector<std::pair<std::string, std::string>>;

Api::List only_in(const MemberRange& range, Api::List list) {
  json::array members;
  for (auto& job : list.items)
    if (range.has(integer_at(job, "group_index").value_or(-1))) members.push_back(std::move(job));
  list.items = std::move(members);
  return list;
}

// Jobs with this name, and members of the array with this name. For a range: those of its members.
Result<Api::List> find_named(Api& api, const Filters& others, const PsOptions& options) {
  std::optional<MemberRange> range;
  if (names_members(options.name)) {
    auto read = parse_members(options.name);
    if (!read) return std::unexpected(read.error());
    range = std::move(*read);
  }
  const auto with = [&](const std::string& key, const std::string& value) {
    Filters filters = others;
    filters.emplace_back(key, value);
    return api.list("/api/v1/jobs", std::move(filters), options.limit);
  };
  auto of_array = with("group", range ? range->array : options.name);
  if (range) return of_array ? only_in(*range, std::move(*of_array)) : std::move(of_array);
  auto named = with("name", options.name);
  // An array of this name need not exist.
  if (!named || !of_array) return named;
  named->items.insert(named->items.end(), of_array->items.begin(), of_array->items.end());
  named->more = named->more || of_array->more;
  return named;
}

Result<Api::List> find_jobs(Session& session, const PsOptions& options) {
  const auto states = state_list(options);
  if (!states) return std::unexpected(states.error());
  auto api = session.connect();
  if (!api) return std::unexpected(api.error());
  const auto user = owner(*api, options);
  if (!user) return std::unexpected(user.error());
  // The table needs the summary only. JSON gets everything.
  const bool full = !session.is_table() && session.format != Format::name;
  const Filters filters{{"spec", full ? "" : "summary"},
                        {"state", *states},
                        {"user", *user},
                        {"queue", options.queue},
                        {"project", options.project}};
  if (!options.name.empty()) return find_named(*api, filters, options);
  return api->list("/api/v1/jobs", filters, options.limit);
}

// An unknown queue is an error, not an empty list.
std::optional<Error> missing_queue(Session& session, const std::string& name) {
  auto api = session.connect();
  const auto queues = api ? api->list("/api/v1/queues", {}, kMostRows) : std::unexpected(api.error());
  if (!queues) return std::nullopt;
  std::vector<std::string> names;
  for (const auto& queue : queues->items) names.push_back(name_of(queue));
  if (std::ranges::find(names, name) != names.end()) return std::nullopt;
  return Error{ErrorCode::not_found, fmt::format("there is no queue '{}'; {}", name, which_there_are(name, names))};
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
                                : "you have no live jobs; -A shows the jobs of all users, ended ones too\n");
  } else {
    job_table(jobs->items, session.now(), session.format == Format::wide).print(session.out, session.terminal.width);
  }
  if (jobs->more) session.err << fmt::format("there are more than {} jobs; see --limit\n", options.limit);
  return 0;
}

}  // namespace

void add_ps(Verbs& verbs) {
  auto options = std::make_shared<PsOptions>();
  auto* verb = verbs.add("ps", "List jobs; default: your jobs that have not ended");
  verb->add_option("--state", options->states, "Show only jobs in these states, ended ones too")->delimiter(',');
  verb->add_option("--queue", options->queue, "Show only jobs of this queue");
  verb->add_option("--project", options->project, "Show only jobs of this project");
  verb->add_option("--user", options->user, "Show only jobs of this user");
  verb->add_option("--name", options->name,
                   "Show only jobs of this name, or of your array of this name; sweep[1,4-6]: some members");
  verb->add_flag("-A,--all", options->all, "Show the jobs of all users, ended ones too");
  verb->add_option("--limit", options->limit, "Show at most this number of jobs, the newest")
      ->check(CLI::PositiveNumber);
  verbs.on(verb, options, ps);
}

}  // namespace ym::cli
