#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/http/url.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/deadline_view.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/time_spent.h"
#include "cli/views/training_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct WhyOptions {
  std::string id;
};

void why_line(Session& session, std::string_view label, const std::string& text) {
  session.out << fmt::format("{:<10}  {}\n", label, printable(text));
}

std::string reason_text(const json::value& reason) {
  return fmt::format("{:<18}  {}", text_at(reason, "code"), text_at(reason, "message"));
}

std::string ahead_text(const json::value& why) {
  std::string text;
  constexpr std::int64_t kShown = 5;
  std::int64_t shown = 0;
  for (const auto& job : items_of(member(why, "ahead"))) {
    if (shown++ == kShown) break;
    text += fmt::format("{}{} ({}, {} GPU{})", text.empty() ? "" : ", ", name_of(job), text_at(job, "user"),
                        text_at(job, "gpus"), text_at(job, "gpus") == "1" ? "" : "s");
  }
  shown = std::min(shown, kShown);
  const auto total = integer_at(why, "ahead_total").value_or(0);
  if (total > shown) text += fmt::format(" and {} more", total - shown);
  return text.empty() ? "no job" : text;
}

// The time of a start; "-": unknown.
std::string clock_time(const json::value& of, std::string_view field, Instant now) {
  const auto time = instant_at(of, field);
  return time ? start_time(*time, now) : "-";
}

// An unknown cause (of a newer server), or none (of an older one), is shown like `beyond`.
std::string no_start_text(const json::value& why, Instant now) {
  const auto cause = text_at(why, "no_estimate");
  if (cause == "no-time-limit") return "no estimate: jobs that it waits for have no time limit";
  if (cause == "out-of-contact") return "no estimate: jobs that it waits for are out of contact";
  if (cause == "not-looked-at") return "no estimate: the last forecast did not reach this job";
  if (cause == "nothing-expected") return "no estimate: no expected event lets it start";
  return fmt::format("no estimate: not before {} UTC", clock_time(member(why, "forecast"), "until", now));
}

std::string start_text(const json::value& why, Instant now) {
  const auto& prediction = member(why, "predicted_start");
  if (!prediction.is_object()) return member(why, "forecast").is_object() ? no_start_text(why, now) : "not predicted";
  const auto low = clock_time(prediction, "low", now), high = clock_time(prediction, "high", now);
  const auto range =
      member(prediction, "high").is_null() ? fmt::format("from {} on", low) : fmt::format("{} to {}", low, high);
  return fmt::format("~{} UTC (80%: {})", clock_time(prediction, "median", now), range);
}

// "from 12:05 UTC on n1, n2"
std::string reservation_text(const json::value& reservation, Instant now) {
  constexpr std::size_t kShown = 8;
  std::string nodes;
  const auto& all = items_of(member(reservation, "nodes"));
  for (std::size_t i = 0; i < std::min(kShown, all.size()); ++i)
    nodes += (i == 0 ? "" : ", ") + printable(text_of(all[i]));
  if (all.size() > kShown) nodes += fmt::format(" and {} more", all.size() - kShown);
  return fmt::format("from {} UTC on {}, or earlier", clock_time(reservation, "from", now), nodes);
}

// "to begin within 30m, by 12:05 UTC: broken"
std::string promise_text(const json::value& promise, Instant now) {
  const auto by = instant_at(promise, "by");
  return fmt::format("to begin within {}, by {} UTC{}", text_at(promise, "within"), clock_time(promise, "by", now),
                     by && *by < now ? ": this is broken" : "");
}

// "00000002, 00000005 would let it start now, 2h earlier; 90 GPU-seconds lost"
std::string advice_text(const json::value& advice) {
  std::vector<std::string> jobs;
  double lost = 0;
  for (const auto& move : items_of(member(advice, "moves"))) {
    jobs.push_back(printable(text_at(move, "job")));
    lost += member(move, "lost_gpu_seconds").to_number<double>();
  }
  return fmt::format("{} would let it start, up to {} earlier; {:.0f} GPU-seconds would be lost", fmt::join(jobs, ", "),
                     text_at(advice, "saves"), lost);
}

std::string sooner_text(const json::value& change) {
  return fmt::format("{}: {}  -> now", text_at(change, "key"), text_at(change, "value"));
}

// The jobs that stop for this job, and until when each may take.
void show_nomination(Session& session, Api& api, const json::value& job) {
  constexpr std::size_t kShown = 5;
  const auto& preempted_jobs = items_of(at(job, "hold/victims"));
  for (std::size_t i = 0; i < std::min(kShown, preempted_jobs.size()); ++i) {
    const auto id = text_of(preempted_jobs[i]);
    const auto preempted = api.get(job_target(id));
    if (!preempted) {
      why_line(session, "waits for", id);
      continue;
    }
    const auto deadline = moment_ahead(instant_at(last_attempt(*preempted), "stop_by"), session.now());
    const bool stops = state_of(*preempted) == "STOPPING";
    why_line(session, "waits for",
             fmt::format("{} ({})  {}{}", name_of(*preempted), id, state_of(*preempted),
                         !stops             ? ", has made room"
                         : deadline.empty() ? ""
                                            : ", ends by " + deadline));
  }
  if (preempted_jobs.size() > kShown)
    why_line(session, "waits for", fmt::format("{} more", preempted_jobs.size() - kShown));
  if (const auto kept = place_kept(job, session.now()); !kept.empty()) why_line(session, "place kept", kept);
}

void show_waiting(Session& session, Api& api, const json::value& job, const json::value& why) {
  const auto total = integer_at(why, "ahead_total").value_or(0);
  session.out << fmt::format("{} ({})  {}  queue={}  {} ahead\n", printable(name_of(job)), id_of(job),
                             state_and_time(job, session.now()), printable(text_at(job, "queue")), total);
  why_line(session, "blocked by", reason_text(member(why, "dominant")));
  for (const auto& reason : items_of(member(why, "also"))) why_line(session, "also", reason_text(reason));
  if (const auto& promise = member(why, "promise"); promise.is_object())
    why_line(session, "promised", promise_text(promise, session.now()));
  show_nomination(session, api, job);
  why_line(session, "ahead", ahead_text(why));
  if (const auto& reservation = member(why, "reservation"); reservation.is_object())
    why_line(session, "reserved", reservation_text(reservation, session.now()));
  if (const auto& advice = member(why, "consolidation"); advice.is_object())
    why_line(session, "moving", advice_text(advice));
  why_line(session, "start", start_text(why, session.now()));
  if (const auto& deadline = member(why, "deadline"); deadline.is_object())
    why_line(session, "deadline", deadline_text(deadline, session.now()));
  for (const auto& change : items_of(member(why, "sooner"))) why_line(session, "sooner", sooner_text(change));
}

// A job that does not wait is not an error: its present state is the answer.
void show_other(Session& session, const json::value& job, const json::value& why) {
  session.out << fmt::format("{} ({})  {}  queue={}\n", printable(name_of(job)), id_of(job),
                             state_and_time(job, session.now()), printable(text_at(job, "queue")));
  const auto end = ending(last_attempt(job));
  const auto message = remark(job);
  if (has_ended(job) && !end.empty()) why_line(session, "ended", end);
  if (!message.empty() && message != end) why_line(session, has_ended(job) ? "because" : "message", message);
  if (const auto nodes = place(job, false); !nodes.empty()) why_line(session, "where", nodes);
  for (const auto& reason : items_of(member(why, "because"))) why_line(session, "because", text_of(reason));
  if (const auto& deadline = member(why, "deadline"); deadline.is_object())
    why_line(session, "deadline", deadline_text(deadline, session.now()));
  const bool waits_there = state_of(job) == "STARTING" && !message.empty();
  if (!has_ended(job))
    session.out << (waits_there ? "It has its nodes and waits there to start.\n" : "It does not wait.\n");
}

int why(Session& session, const WhyOptions& options) {
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto why = api->get(job_target(options.id, "why"));
  if (!why) return report(session, why.error());
  if (session.format == Format::name) {
    if (const auto code = text_at(*why, "dominant/code"); !code.empty()) session.out << code << '\n';
    return 0;
  }
  if (!session.is_table()) return session.print(*why), 0;
  const auto job = api->get(job_target(options.id));
  if (!job) return report(session, job.error());
  if (member(*why, "dominant").is_object() && is_waiting(*job)) show_waiting(session, *api, *job, *why);
  else show_other(session, *job, *why);
  return 0;
}

}  // namespace

void add_why(Verbs& verbs) {
  auto options = std::make_shared<WhyOptions>();
  auto* verb = verbs.add("why", "Explain why a job waits, with numbers");
  verb->add_option("ID", options->id, "Id or name of a job")->required();
  verbs.on(verb, options, why);
}

}  // namespace ym::cli
