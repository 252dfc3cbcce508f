// `ym policy`: shows how the site schedules, previews a change, and applies it.
#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "cli/input_file.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct FileOptions {
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

// The lines for one kind of change.
struct Part {
  const char* field;
  const char* label;
  std::string (*text)(const json::value&);
};
constexpr Part kParts[] = {{"starts", "starts", plain},     {"keeps_waiting", "waits", plain},
                           {"stops", "stops", stop_text},   {"spares", "spares", stop_text},
                           {"sooner", "sooner", move_text}, {"later", "later", move_text}};

void show_changes(Session& session, const json::value& diff) {
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

void say_warnings(Session& session, const json::value& reply) {
  for (const auto& warning : items_of(member(reply, "warnings")))
    session.err << fmt::format("ym: warning: {}\n", printable(text_of(warning)));
  session.err << std::flush;
}

// Sends the document and returns the server's answer.
int send(Session& session, const FileOptions& options, const char* path, void (*show)(Session&, const json::value&)) {
  const auto text = read_text_file(session, options.file);
  if (!text) return report(session, text.error());
  auto api = session.connect();
  if (!api) return report(session, api.error());
  const auto reply = api->post(path, {.content = *text, .content_type = "application/yaml"});
  if (!reply) return report_in_file(session, options.file, reply.error());
  say_warnings(session, *reply);
  if (session.is_table()) show(session, *reply);
  else session.print(*reply);
  return 0;
}

int diff(Session& session, const FileOptions& options) {
  return send(session, options, "/api/v1/policy/diff", show_changes);
}

void show_settings(Session& session, const json::value& policy) {
  Table table({{"SETTING"}, {"VALUE"}, {"SOURCE"}});
  const auto& set_by = member(policy, "said_by");
  for (const auto* section : {"scheduling", "preemption"}) {
    const auto& settings = member(policy, section);
    if (!settings.is_object()) continue;
    for (const auto& entry : settings.get_object()) {
      const auto setting = fmt::format("{}.{}", section, std::string_view(entry.key()));
      table.add({setting, text_at(settings, entry.key()), text_of(member(set_by, setting))});
    }
  }
  table.print(session.out, session.terminal.width);
}

int apply(Session& session, const FileOptions& options) {
  return send(session, options, "/api/v1/policy", show_settings);
}

int answer(Session& session, const Result<json::value>& reply) {
  if (!reply) return report(session, reply.error());
  if (session.is_table()) show_settings(session, *reply);
  else session.print(*reply);
  return 0;
}

int show(Session& session, const NoOptions&) {
  auto api = session.connect();
  return api ? answer(session, api->get("/api/v1/policy")) : report(session, api.error());
}

int reset(Session& session, const NoOptions&) {
  auto api = session.connect();
  return api ? answer(session, api->remove("/api/v1/policy")) : report(session, api.error());
}

}  // namespace

void add_policy(Verbs& verbs) {
  auto* verb = verbs.add("policy", "Show how the site schedules; preview and apply changes of settings and queues");
  verb->require_subcommand(1);
  verbs.on(verb->add_subcommand("show", "Show each setting with its source: api, file or default"),
           std::make_shared<NoOptions>(), show);
  auto compared = std::make_shared<FileOptions>();
  auto* diff_verb = verb->add_subcommand("diff", "Show what a change would start, stop and delay; changes nothing");
  diff_verb->add_option("-f,--file", compared->file, "Configuration file, or a part of one; - for standard input")
      ->required();
  verbs.on(diff_verb, compared, diff);
  auto applied = std::make_shared<FileOptions>();
  auto* apply_verb =
      verb->add_subcommand("apply", "Apply a change; its settings take precedence over the configuration file");
  apply_verb
      ->add_option("-f,--file", applied->file, "File with queues, scheduling and preemption; - for standard input")
      ->required();
  verbs.on(apply_verb, applied, apply);
  verbs.on(verb->add_subcommand("reset", "Restore all settings of the configuration file"),
           std::make_shared<NoOptions>(), reset);
  add_tune(verbs, *verb);
}

}  // namespace ym::cli
