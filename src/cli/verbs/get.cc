#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/members.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/culprit_view.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/request_text.h"
#include "cli/views/time_spent.h"
#include "cli/views/training_view.h"

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

// The attempt's message, unless the ending or the job's message repeats it.
std::string own_message(const json::value& job, const json::value& attempt) {
  auto message = text_at(attempt, "message");
  return message == ending(attempt) || message == text_at(job, "message") ? "" : message;
}

void show_attempts(Session& session, const json::value& job) {
  Table table({{"ATTEMPT"}, {"STATE"}, {"STARTED"}, {"TOOK"}, {"END"}, {"WHERE"}, {"MESSAGE"}});
  for (const auto& attempt : items_of(member(job, "attempts"))) {
    const auto started = instant_at(attempt, "started_at");
    const auto until = instant_at(attempt, "ended_at").value_or(session.now());
    table.add({text_at(attempt, "number"), text_at(attempt, "state"), short_time(started),
               started ? short_duration(until - *started) : "-", ending_with_loss(attempt), where(attempt, true),
               own_message(job, attempt)});
  }
  if (table.empty()) return;
  session.out << '\n';
  table.print(session.out, session.terminal.width);
}

std::string run_time_text(const json::value& predicted) {
  if (!predicted.is_object()) return "";
  const auto part = [&](std::string_view field) {
    const auto& seconds = member(predicted, field);
    return short_duration({static_cast<std::int64_t>(seconds.is_number() ? seconds.to_number<double>() * 1000 : 0)});
  };
  const auto* own = member(predicted, "of_same_user").if_bool();
  return fmt::format("~{} (80%: {} to {}), as {} {} took", part("p50_seconds"), part("p10_seconds"),
                     part("p90_seconds"), text_at(predicted, "samples"),
                     own != nullptr && *own ? "jobs like it" : "jobs of others");
}

void show_job(Session& session, const json::value& job) {
  session.out << fmt::format("{} ({})  {}  queue={}  priority {}  user {}\n", printable(name_of(job)), id_of(job),
                             state_and_time(job, session.now()), printable(text_at(job, "queue")),
                             text_at(job, "priority"), printable(text_at(job, "user")));
  line(session, "reason", text_at(job, "reason"));
  line(session, "message", text_at(job, "message"));
  line(session, "culprit", culprit_text(last_attempt(job)));
  line(session, "where", place(job, false));
  const auto groups = groups_of(job);
  if (groups.empty()) line(session, "run", program(job));
  line(session, "workdir", text_at(job, "spec/workdir"));
  if (groups.empty()) line(session, "wants", request_text(job));
  if (groups.empty()) line(session, "launcher", text_at(job, "spec/launcher"));
  for (const auto& group : groups)
    line(session, "group",
         fmt::format("{}: {}, launcher {}, runs {}", name_of(group), request_text(group),
                     text_at(group, "spec/launcher"), program(group)));
  line(session, "time limit", text_at(job, "spec/time_limit"));
  line(session, "run time", run_time_text(member(job, "predicted_run_time")));
  line(session, "checkpoint", text_at(job, "spec/checkpoint/dir"));
  line(session, "project", text_at(job, "project"));
  line(session, "array", text_at(job, "group_id"));
  line(session, "submitted", moment(job, "submitted_at", session.now()));
  line(session, "started", moment(job, "started_at", session.now()));
  line(session, "ended", moment(job, "ended_at", session.now()));
  show_training(session, job);
  show_attempts(session, job);
}

void show_members(Session& session, const json::array& members) {
  job_table(members, session.now(), session.format == Format::wide, Rows::each)
      .print(session.out, session.terminal.width);
}

void print(Session& session, const json::array& jobs, bool several) {
  if (session.format == Format::name) {
    print_each(session.out, jobs, id_of);
  } else if (several) {
    session.print(jobs);
  } else {
    session.print(jobs.front());
  }
}

int get(Session& session, const GetOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  json::array all;
  int code = 0;
  bool several = options.ids.size() > 1;
  for (const auto& id : options.ids) {
    auto found = cli::find_jobs(*api, id);
    if (!found) {
      code = worse(code, report(session, found.error()));
      continue;
    }
    several |= found->is_array;
    if (session.is_table()) {
      if (!all.empty()) session.out << '\n';
      if (found->is_array) show_members(session, found->jobs);
      else show_job(session, found->jobs.front());
    }
    all.insert(all.end(), found->jobs.begin(), found->jobs.end());
  }
  // One job gives an object. Several jobs, or an array, give an array.
  if (!session.is_table() && (several || !all.empty())) print(session, all, several);
  return code;
}

}  // namespace

void add_get(Verbs& verbs) {
  auto options = std::make_shared<GetOptions>();
  auto* verb = verbs.add("get", "Show a job with its attempts, or the members of an array");
  verb->add_option("ID", options->ids, "Ids or names of jobs")->required();
  verbs.on(verb, options, get);
}

}  // namespace ym::cli
