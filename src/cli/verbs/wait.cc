#include "cli/verbs/wait.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <set>

#include "cli/contact.h"
#include "cli/http/sse.h"
#include "cli/http/url.h"
#include "cli/members.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/time_spent.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

// The feed reports each end. This interval is a precaution against a missed one.
constexpr Duration kLookAgain = seconds(30);

struct WaitOptions {
  std::vector<std::string> ids;
  std::string timeout;
  std::string exit_code_from;
};

class Waiter {
 public:
  Waiter(Session& session, std::optional<Instant> deadline)
      : session_(session),
        deadline_(deadline),
        contact_(session, {.deadline = deadline}),
        status_(session.err, session.terminal) {}

  // Returns when all jobs have ended, when the timeout ends, or after Ctrl-C.
  Result<void> run(const std::vector<std::string>& ids) {
    for (const auto& id : ids) {
      auto found = contact_.call([&](Api& api) { return find_jobs(api, id); });
      if (!found) return std::unexpected(found.error());
      jobs_.insert(jobs_.end(), found->jobs.begin(), found->jobs.end());
    }
    while (!stop()) {
      // Reads the position of the feed first and the jobs second: no event between the two is missed.
      if (auto feed = mark_feed(); !feed) return feed;
      if (auto looked = look_at_all(); !looked || all_ended()) return looked;
      const auto until = session_.now() + kLookAgain;
      while (!stop() && session_.now() < until && watch(until)) {
        if (auto looked = look_at_changed(); !looked) return looked;
      }
    }
    return {};
  }

  bool all_ended() const { return std::ranges::all_of(jobs_, has_ended); }
  bool timed_out() const { return deadline_ && session_.now() >= *deadline_; }
  const json::array& jobs() const { return jobs_; }

 private:
  bool stop() const { return all_ended() || timed_out() || session_.interrupted(); }

  Result<void> mark_feed() {
    const auto list = contact_.call([](Api& api) { return api.list("/api/v1/jobs", {}, 1); });
    if (!list) return std::unexpected(list.error());
    after_ = list->as_of;
    return {};
  }

  Result<void> look(json::value& job) {
    auto now = contact_.call([&](Api& api) { return api.get(job_target(id_of(job))); });
    if (!now) return std::unexpected(now.error());
    job = std::move(*now);
    return {};
  }

  Result<void> look_at_all() {
    for (auto& job : jobs_) {
      if (has_ended(job)) continue;
      if (auto looked = look(job); !looked) return looked;
    }
    return {};
  }

  Result<void> look_at_changed() {
    const auto changed = std::exchange(changed_, {});
    for (auto& job : jobs_) {
      if (has_ended(job) || !changed.contains(id_of(job))) continue;
      if (auto looked = look(job); !looked) return looked;
    }
    return {};
  }

  // Reads the feed until a job has ended: true. False: it is time to look at all jobs again.
  bool watch(Instant until) {
    SseReader reader([&](const ServerEvent& event) { note(event); });
    const StreamCallbacks callbacks{.head = {},
                                    .bytes = [&](std::string_view bytes) { reader.feed(bytes); },
                                    .keep_going =
                                        [&] {
                                          show();
                                          return changed_.empty() && !stop() && session_.now() < until;
                                        }};
    auto api = session_.connect();
    const auto read =
        api ? api->stream(target("/api/v1/events", {{"after", std::to_string(after_)}}), "text/event-stream", callbacks)
            : std::unexpected(api.error());
    // Looking finds out what is wrong. The pause prevents a busy loop.
    if (!read || changed_.empty()) session_.sleep(Duration{200});
    return read && !changed_.empty();
  }

  void note(const ServerEvent& event) {
    boost::system::error_code bad;
    const auto data = json::parse(event.data, bad);
    if (bad) return;
    after_ = integer_at(data, "seq").value_or(after_);
    if (event.type == "job.finished") changed_.insert(text_at(data, "job"));
  }

  void show() {
    const auto now = session_.now();
    if (!status_.active() || now - shown_at_ < Duration{250}) return;
    shown_at_ = now;
    const auto ended = std::ranges::count_if(jobs_, has_ended);
    std::string text = jobs_.size() == 1 ? "" : fmt::format("{} of {} ended: ", ended, jobs_.size());
    constexpr std::size_t kNamed = 5;
    std::size_t named = 0;
    for (const auto& job : jobs_)
      if (!has_ended(job) && named++ < kNamed) text += fmt::format("{} {}  ", name_of(job), state_and_time(job, now));
    status_.show(text);
  }

  Session& session_;
  std::optional<Instant> deadline_;
  Contact contact_;
  StatusLine status_;
  json::array jobs_;
  std::set<std::string> changed_;  // ids
  std::int64_t after_ = 0;
  Instant shown_at_;
};

void show_jobs(Session& session, const json::array& jobs) {
  if (session.format == Format::name) {
    print_each(session.out, jobs, id_of);
  } else if (session.is_table()) {
    job_table(jobs, session.now(), session.format == Format::wide).print(session.out, session.terminal.width);
  } else {
    session.print(jobs);
  }
}

int verdict(const json::array& jobs, ExitFrom from) {
  int code = 0;
  for (const auto& job : jobs) code = worse(code, exit_code_for(job, from));
  return code;
}

int wait(Session& session, const WaitOptions& options) {
  WaitRequest request{.ids = options.ids, .timeout = {}, .exit_from = exit_from(options.exit_code_from)};
  if (!options.timeout.empty()) {
    const auto timeout = parse_duration(options.timeout);
    if (!timeout) return report(session, timeout.error());
    request.timeout = *timeout;
  }
  return wait_for(session, request);
}

}  // namespace

ExitFrom exit_from(const std::string& text) { return text == "job" ? ExitFrom::job : ExitFrom::outcome; }

int wait_for(Session& session, const WaitRequest& request) {
  std::optional<Instant> deadline;
  if (request.timeout) deadline = session.now() + *request.timeout;
  session.watch_interrupt();
  std::optional<Waiter> waiter(std::in_place, session, deadline);
  const auto waited = waiter->run(request.ids);
  const json::array jobs = waiter->jobs();
  const bool late = !waiter->all_ended();
  waiter.reset();  // the destructor clears its status line
  if (session.interrupted()) return to_int(ExitCode::interrupted);
  if (!waited) return report(session, waited.error());
  show_jobs(session, jobs);
  if (!late) return verdict(jobs, request.exit_from);
  session.err << "ym: the timeout has ended; the jobs go on\n";
  return to_int(ExitCode::timed_out);
}

void add_wait(Verbs& verbs) {
  auto options = std::make_shared<WaitOptions>();
  auto* verb = verbs.add("wait", "Wait until jobs have ended; exit with 0 if all succeeded");
  verb->add_option("ID", options->ids,
                   "Ids or names of jobs; an array stands for all its members, sweep[1,4-6] for some")
      ->required();
  verb->add_option("--timeout", options->timeout, "Wait at most this time, 90s or 2h; then exit with 124");
  verb->add_option("--exit-code-from", options->exit_code_from,
                   "job: exit with the code of the first failed job, not with 1")
      ->check(CLI::IsMember({"job"}));
  verbs.on(verb, options, wait);
}

}  // namespace ym::cli
