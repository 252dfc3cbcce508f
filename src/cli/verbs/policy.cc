// `ym policy diff`: what a change would do, before it is made.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/term/text.h"
#include "cli/verbs/submit.h"
#include "cli/verbs/verb.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct DiffOptions {
  std::string file;
};

std::string job_text(const json::value& job) {
  const auto name = text_at(job, "name");
  return name.empty() ? text_at(job, "id") : fmt::format("{} ({})", name, text_at(job, "id"));
}

std::string plain(const json::value&) { return ""; }

std::string stop_text(const json::value& stop) {
  const auto room = text_at(stop, "makes_room_for");
  const auto shrunk = text_at(stop, "shrunk_queue");
  const auto why = !room.empty()     ? "room for job " + room
                   : !shrunk.empty() ? "no quota left, as queue " + shrunk + " has less"
                                     : "queue " + text_at(stop, "drained_queue") + " is drained";
  return fmt::format("{}; {} GPU-seconds lost", why, text_at(stop, "lost_gpu_seconds"));
}

std::string start_text(const json::value& move, std::string_view field) {
  const auto time = instant_at(move, field);
  return time ? short_time(time).substr(0, 16) + " UTC" : "not in sight";
}

std::string move_text(const json::value& move) {
  return fmt::format("{} instead of {}", start_text(move, "after"), start_text(move, "before"));
}

// What is said of one kind of change.
struct Part {
  const char* field;
  const char* label;
  std::string (*text)(const json::value&);
};
constexpr Part kParts[] = {{"starts", "starts", plain},     {"keeps_waiting", "waits", plain},
                           {"stops", "stops", stop_text},   {"spares", "spares", stop_text},
                           {"sooner", "sooner", move_text}, {"later", "later", move_text}};

void show(Session& session, const json::value& diff) {
  Table table({{"CHANGE"}, {"JOB"}, {"USER"}, {"QUEUE"}, {"WHAT"}});
  bool any = false;
  for (const auto& part : kParts)
    for (const auto& one : items_of(member(diff, part.field))) {
      table.add({part.label, job_text(one), text_at(one, "user"), text_at(one, "queue"), part.text(one)});
      any = true;
    }
  if (any) table.print(session.out, session.terminal.width);
  else session.out << fmt::format("No job would start, stop or move; {} wait.\n", text_at(diff, "waiting"));
}

int diff(Session& session, const DiffOptions& options) {
  const auto text = read_input(session, options.file);
  if (!text) return report(session, text.error());
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto reply = api->post("/api/v1/policy/diff", {.content = *text, .content_type = "application/yaml"});
  if (!reply) return report_of_file(session, options.file, reply.error());
  if (session.is_table()) show(session, *reply);
  else session.print(*reply);
  return 0;
}

}  // namespace

void add_policy(Verbs& verbs) {
  auto* verb = verbs.add("policy", "Try a change of queues and settings before it is made");
  verb->require_subcommand(1);
  auto options = std::make_shared<DiffOptions>();
  auto* diff_verb = verb->add_subcommand("diff", "What the change would start, stop and delay; nothing is changed");
  diff_verb->add_option("-f,--file", options->file, "A configuration file, or a part of one; - for standard input")
      ->required();
  verbs.on(diff_verb, options, diff);
}

}  // namespace ym::cli
