#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include "cli/contact.h"
#include "cli/http/sse.h"
#include "cli/http/url.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/event_text.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct EventsOptions {
  std::string id;
  bool follow = false;
  std::int64_t after = 0;
  std::size_t limit = 10'000;
};

// Records of requests, and seals, are among the events for auditors. People who look at events want to see what
// happened.
bool is_record(const json::value& event) {
  const auto type = text_at(event, "type");
  return type == "audit.request" || type == "log.sealed";
}

std::string path_of(const EventsOptions& options) {
  return options.id.empty() ? "/api/v1/events" : job_target(options.id, "events");
}

std::string subject(const json::value& event) {
  const auto job = text_at(event, "job");
  const auto attempt = text_at(event, "attempt");
  return attempt.empty() ? job : job + "." + attempt;
}

std::string clock_of(const json::value& event) { return short_time(instant_at(event, "time")); }

void print_line(Session& session, const json::value& event) {
  if (session.format == Format::name) session.out << text_at(event, "seq") << '\n';
  else if (!session.is_table()) print_json_line(session.out, event);
  else
    session.out << fmt::format("{}  {:<20}  {:<12}  {:<10}  {}\n", clock_of(event), printable(text_at(event, "type")),
                               subject(event), printable(text_at(event, "actor")), printable(event_details(event)));
  session.out << std::flush;
}

int list(Session& session, const EventsOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto events =
      api->list(path_of(options), {{"after", options.after > 0 ? std::to_string(options.after) : ""}}, options.limit);
  if (!events) return report(session, events.error());
  if (!session.is_table()) {
    if (session.format != Format::name) session.print(events->items);
    else
      for (const auto& event : events->items) print_line(session, event);
  } else {
    Table table({{"SEQ", Table::Align::right}, {"TIME"}, {"TYPE"}, {"JOB"}, {"ACTOR"}, {"DETAILS"}});
    for (const auto& event : events->items) {
      if (is_record(event)) continue;
      table.add({text_at(event, "seq"), clock_of(event), text_at(event, "type"), subject(event),
                 text_at(event, "actor"), event_details(event)});
    }
    table.print(session.out, session.format == Format::wide ? 0 : session.terminal.width);
  }
  if (events->more)
    session.err << fmt::format("there are more events; continue with --after {}\n",
                               text_at(events->items.back(), "seq"));
  return 0;
}

// Prints one event a line until the job ends or Ctrl-C is pressed.
int follow(Session& session, const EventsOptions& options) {
  session.watch_interrupt();
  Contact contact(session, {});
  std::string path = path_of(options);
  if (!options.id.empty()) {
    // The name may soon belong to another job.
    const auto job = contact.call([&](Api& api) { return api.get(job_target(options.id)); });
    if (!job) return report(session, job.error());
    path = job_target(id_of(*job), "events");
  }
  std::int64_t after = options.after;
  bool over = false;
  const auto show = [&](const ServerEvent& event) {
    boost::system::error_code bad;
    const auto data = json::parse(event.data, bad);
    if (bad) return;
    after = integer_at(data, "seq").value_or(after);
    if (!session.is_table() || !is_record(data)) print_line(session, data);
    over |= !options.id.empty() && event.type == "job.finished";
  };
  const auto read_on = [&](Api& api) {
    SseReader reader(show);
    const StreamCallbacks callbacks{.head = [&](const HttpReply&) { contact.heard(); },
                                    .bytes = [&](std::string_view bytes) { reader.feed(bytes); },
                                    .keep_going = [&] { return !over && !session.interrupted(); }};
    return api.stream(target(path, {{"after", std::to_string(after)}}), "text/event-stream", callbacks);
  };
  while (!over && !session.interrupted()) {
    const auto read = contact.call(read_on);
    if (!read && !session.interrupted()) return report(session, read.error());
    if (!over) session.sleep(Duration{200});
  }
  return over ? 0 : to_int(ExitCode::interrupted);
}

int events(Session& session, const EventsOptions& options) {
  return options.follow ? follow(session, options) : list(session, options);
}

}  // namespace

void add_events(Verbs& verbs) {
  auto options = std::make_shared<EventsOptions>();
  auto* verb = verbs.add("events", "Show the events of a job, or all events");
  verb->add_option("ID", options->id, "Id or name of a job; default: all events");
  verb->add_flag("-f,--follow", options->follow, "Show new events, one a line, until the job ends");
  verb->add_option("--after", options->after, "Show only events after this number")->check(CLI::NonNegativeNumber);
  verb->add_option("--limit", options->limit, "Show at most this number of events")->check(CLI::PositiveNumber);
  verbs.on(verb, options, events);
}

}  // namespace ym::cli
