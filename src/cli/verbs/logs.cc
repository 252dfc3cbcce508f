#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <mutex>
#include <sstream>
#include <thread>

#include "cli/follow.h"
#include "cli/http/url.h"
#include "cli/log_printer.h"
#include "cli/members.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/culprit_view.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/request_text.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr std::int64_t kMostFollowed = 64;  // each takes a thread and a connection

struct LogsOptions {
  std::string id;
  bool follow = false;
  bool raw = false;
  std::optional<std::int64_t> last_lines;
  std::string rank;  // empty: the task that failed first, else 0
  std::optional<std::int64_t> attempt;
  std::string grep;
};

// An output for several threads. It writes each piece as a whole.
class SharedOutput final : public std::stringbuf {
 public:
  SharedOutput(std::ostream& out, std::mutex& mutex) : out_(out), mutex_(mutex) {}
  int sync() override {
    const std::scoped_lock lock(mutex_);
    out_ << str() << std::flush;
    str({});
    return 0;
  }

 private:
  std::ostream& out_;
  std::mutex& mutex_;
};

Result<LogStyle> style_of(Session& session, const LogsOptions& options) {
  LogStyle style{.clean = session.terminal.out && !options.raw, .live = options.follow};
  if (options.grep.empty()) return style;
  auto pattern = Pattern::compile(options.grep);
  if (!pattern) return std::unexpected(pattern.error());
  style.only = std::move(*pattern);
  return style;
}

const json::value& attempt_of(const LogsOptions& options, const json::value& job) {
  return options.attempt ? attempt_number(job, *options.attempt) : last_attempt(job);
}

// Tasks of the attempt that is read. An attempt of an elastic job may have fewer tasks than the job allows.
std::int64_t tasks_of(const LogsOptions& options, const json::value& job) {
  const auto& attempt = attempt_of(options, job);
  const auto placed = items_of(member(attempt, "placement")).size();
  return placed > 0 ? static_cast<std::int64_t>(placed) : nodes_of(job).most;
}

Result<std::vector<std::int64_t>> ranks_of(const LogsOptions& options, const json::value& job) {
  const auto nodes = tasks_of(options, job);
  const auto first = culprit_task(attempt_of(options, job)).value_or(0);
  if (options.rank.empty()) return std::vector{first};
  std::vector<std::int64_t> ranks;
  if (options.rank == "all") {
    if (options.follow && nodes > kMostFollowed)
      return fail(ErrorCode::invalid, fmt::format("at most {} ranks can be followed at once; name one", kMostFollowed));
    for (std::int64_t rank = 0; rank < nodes; ++rank) ranks.push_back(rank);
    if (first < nodes) std::rotate(ranks.begin(), ranks.begin() + first, ranks.begin() + first + 1);
    return ranks;
  }
  const bool digits = !options.rank.empty() && options.rank.size() < 6 &&
                      options.rank.find_first_not_of("0123456789") == std::string::npos;
  if (!digits || std::stoll(options.rank) >= nodes)
    return fail(ErrorCode::invalid, fmt::format("--rank: write 0 to {}, or all", nodes - 1));
  ranks.push_back(std::stoll(options.rank));
  return ranks;
}

// Says which task the log belongs to, if the user did not choose one.
void name_culprit(Session& session, const LogsOptions& options, const json::value& job) {
  if (!options.rank.empty() && options.rank != "all") return;
  const auto text = culprit_text(attempt_of(options, job));
  if (!text.empty()) session.err << "ym: failed first: " << printable(text) << '\n';
}

// Prints the present output once.
Result<void> print_rank(Api& api, const LogsOptions& options, std::int64_t rank, LogPrinter& printer) {
  const auto text = [](const std::optional<std::int64_t>& number) { return number ? std::to_string(*number) : ""; };
  const auto from =
      target(job_target(options.id, "logs"),
             {{"attempt", text(options.attempt)}, {"rank", std::to_string(rank)}, {"tail", text(options.last_lines)}});
  const StreamCallbacks callbacks{
      .head = {}, .bytes = [&](std::string_view bytes) { printer.write(bytes); }, .keep_going = [] { return true; }};
  auto read = api.stream(from, "text/plain", callbacks);
  printer.finish();
  return read;
}

Result<json::value> follow_rank(Session& session, const LogsOptions& options, std::int64_t rank, LogPrinter& printer,
                                bool tell) {
  Contact contact(session, {});
  const FollowRequest request{
      .id = options.id, .rank = rank, .attempt = options.attempt, .last_lines = options.last_lines, .tell = tell};
  auto job = follow(contact, request, [&](std::string_view bytes) { printer.write(bytes); });
  printer.finish();
  return job;
}

int follow_all(Session& session, const LogsOptions& options, const LogStyle& style,
               const std::vector<std::int64_t>& ranks) {
  session.watch_interrupt();
  std::mutex mutex;
  std::vector<std::optional<Error>> errors(ranks.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < ranks.size(); ++i)
      threads.emplace_back([&, i] {
        SharedOutput shared(session.out, mutex);
        std::ostream out(&shared);
        LogStyle mine = style;
        if (ranks.size() > 1) mine.prefix = fmt::format("[{}] ", ranks[i]);
        LogPrinter printer(out, mine);
        if (auto job = follow_rank(session, options, ranks[i], printer, i == 0); !job) errors[i] = job.error();
      });
  }
  if (session.interrupted()) return to_int(ExitCode::interrupted);
  for (const auto& error : errors)
    if (error) return report(session, *error);
  return 0;
}

int logs_of_one(Session& session, const LogsOptions& options) {
  const auto style = style_of(session, options);
  if (!style) return report(session, style.error());
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto job = api->get(job_target(options.id));
  if (!job) return report(session, job.error());
  const auto ranks = ranks_of(options, *job);
  if (!ranks) return report(session, ranks.error());
  const bool missing = options.attempt && attempt_number(*job, *options.attempt).is_null();
  if (!missing) name_culprit(session, options, *job);
  if (options.follow && !missing) return follow_all(session, options, *style, *ranks);
  for (const auto rank : *ranks) {
    LogStyle mine = *style;
    if (ranks->size() > 1) mine.prefix = fmt::format("[{}] ", rank);
    LogPrinter printer(session.out, mine);
    if (auto read = print_rank(*api, options, rank, printer); !read) return report(session, read.error());
  }
  return 0;
}

// Prints the logs of several members one after the other, each below its name, as `tail` does.
int logs(Session& session, const LogsOptions& options) {
  if (!names_members(options.id)) return logs_of_one(session, options);
  auto api = session.connect();
  const auto found = api ? find_jobs(*api, options.id) : std::unexpected(api.error());
  if (!found) return report(session, found.error());
  const bool several = found->jobs.size() > 1;
  if (several && options.follow)
    return report(session, {.code = ErrorCode::invalid, .message = "-f follows one member of an array; name one"});
  int code = 0;
  for (const auto& job : found->jobs) {
    LogsOptions of_member = options;
    of_member.id = id_of(job);
    if (several) session.out << fmt::format("==> {} <==\n", printable(name_of(job)));
    code = worse(code, logs_of_one(session, of_member));
  }
  return code;
}

}  // namespace

void add_logs(Verbs& verbs) {
  auto options = std::make_shared<LogsOptions>();
  auto* verb = verbs.add("logs", "Show the output of a job");
  verb->add_option("ID", options->id, "Id or name of a job; sweep[3], sweep[1,4-6]: members of an array")->required();
  verb->add_flag("-f,--follow", options->follow, "Show new output until the job ends; Ctrl-C does not stop the job");
  verb->add_option("-n,--tail", options->last_lines, "Show only this number of last lines")
      ->check(CLI::Range(0, 1'000'000));
  verb->add_option("--rank", options->rank, "Task of the gang, or all; default: the task that failed first, else 0");
  verb->add_option("--attempt", options->attempt, "Number of the attempt; default: the newest")
      ->check(CLI::Range(1, 1'000'000));
  verb->add_option("--grep", options->grep, "Show only lines that match this regular expression (RE2 syntax)");
  verb->add_flag("--raw", options->raw, "Keep terminal escapes, also on a terminal");
  verbs.on(verb, options, logs);
}

}  // namespace ym::cli
