#include "cli/verbs/submit.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <random>
#include <set>

#include "cli/http/url.h"
#include "cli/input_file.h"
#include "cli/term/text.h"
#include "cli/verbs/verb.h"
#include "cli/verbs/wait.h"
#include "cli/views/deadline_view.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/request_text.h"
#include "cli/what_next.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

// A text that is one JSON object is sent as JSON: some escapes of JSON are not known to YAML.
std::string content_type_of(const std::string& text) {
  boost::system::error_code bad;
  const auto value = json::parse(text, bad);
  return !bad && value.is_object() ? "application/json" : "application/yaml";
}

struct SubmitOptions {
  std::string file;
  std::string key;
  bool dry_run = false;
  bool wait = false;
  std::string exit_code_from;
};

}  // namespace

std::string new_idempotency_key() {
  std::random_device device;
  std::string key;
  for (int i = 0; i < 4; ++i) key += fmt::format("{:08x}", device());
  return key;
}

// A submit without an answer may be repeated: with the same key the server creates the jobs only once.
Result<json::value> post_jobs(Session& session, const std::string& target, const PostBody& body,
                              const std::string& advice) {
  constexpr std::int64_t kTries = 4;
  bool unknown = false;
  Result<json::value> reply = fail(ErrorCode::unavailable, "not sent");
  for (std::int64_t i = 0; i < kTries && !session.interrupted(); ++i) {
    if (i == 1) session.err << fmt::format("ym: {}; trying again\n", printable(reply.error().message)) << std::flush;
    if (i > 0) session.sleep(Duration{250 << i});
    auto api = session.connect();
    reply = api ? api->post(target, body) : std::unexpected(api.error());
    if (reply || !api || reply.error().code != ErrorCode::unavailable) break;
    unknown |= api->was_sent() && !api->was_answered();
  }
  if (reply || reply.error().code != ErrorCode::unavailable) return reply;
  reply.error().message +=
      unknown ? "; whether anything was submitted is not known: " + advice : "; nothing was submitted";
  return reply;
}

void say_warnings(Session& session, const json::array& jobs) {
  std::set<std::string> said;
  for (const auto& job : jobs)
    for (const auto& warning : items_of(member(job, "warnings")))
      if (auto text = text_of(warning); said.insert(text).second)
        session.err << fmt::format("ym: warning: {}\n", printable(text));
  session.err << std::flush;
}

Error renamed(Error error, const std::function<std::string(const std::string& pointer)>& name) {
  for (auto& field : error.fields) {
    const auto before = field.pointer + ": ";
    field.pointer = name(field.pointer);
    if (error.message.starts_with(before)) error.message.replace(0, before.size(), field.pointer + ": ");
  }
  return error;
}

namespace {

void show_submitted(Session& session, const json::array& jobs) {
  if (session.format == Format::name) {
    print_each(session.out, jobs, id_of);
  } else if (!session.is_table()) {
    session.print(jobs);
  } else {
    job_table(jobs, session.now(), session.format == Format::wide).print(session.out, session.terminal.width);
  }
}

int show_dry_run(Session& session, const json::array& items) {
  if (session.format == Format::json || session.format == Format::yaml) return session.print(items), 0;
  Table table({{"NAME"}, {"JOBS", Table::Align::right}, {"QUEUE"}, {"PRI", Table::Align::right}, {"WANTS"}});
  for (const auto& item : items)
    table.add({name_of(item), text_at(item, "jobs"), text_at(item, "spec/queue"), text_at(item, "spec/priority"),
               request_text(item)});
  table.print(session.out, session.terminal.width);
  session.err << "a dry run: nothing was submitted\n";
  return 0;
}

int wait_for_all(Session& session, const json::array& jobs, const SubmitOptions& options) {
  WaitRequest request{.ids = {}, .timeout = {}, .exit_from = exit_from(options.exit_code_from)};
  for (const auto& job : jobs) request.ids.push_back(id_of(job));
  for (const auto& id : request.ids) session.err << fmt::format("submitted {}\n", id);
  session.err << std::flush;
  return wait_for(session, request);
}

int submit(Session& session, const SubmitOptions& options) {
  const auto text = read_text_file(session, options.file);
  if (!text) return report(session, text.error());
  const auto here = current_folder();
  if (!here) return report(session, here.error());
  const PostBody body{.content = *text,
                      .content_type = content_type_of(*text),
                      .idempotency_key = options.key.empty() ? new_idempotency_key() : options.key};
  const auto reply =
      post_jobs(session, target("/api/v1/jobs", {{"workdir", *here}, {"dry_run", options.dry_run ? "1" : ""}}), body,
                fmt::format("submitting it again with --idempotency-key {} is safe", body.idempotency_key));
  if (!reply) return report_in_file(session, options.file, reply.error());
  const auto& list = member(*reply, "items");
  const json::array jobs = list.is_array() ? items_of(list) : json::array{*reply};
  say_warnings(session, jobs);
  if (options.dry_run) return show_dry_run(session, jobs);
  if (options.wait) return wait_for_all(session, jobs, options);
  show_submitted(session, jobs);
  if (session.is_table()) say_deadlines(session, jobs);
  say_what_next_on_a_terminal(session, jobs);
  return 0;
}

}  // namespace

void add_submit(Verbs& verbs) {
  auto options = std::make_shared<SubmitOptions>();
  auto* verb = verbs.add("submit", "Submit the jobs of a file (YAML or JSON): all of them, or none");
  verb->add_option("FILE", options->file, "Job file; - for standard input")->required();
  verb->add_option("--idempotency-key", options->key, "Submits with the same key create the jobs only once");
  verb->add_flag("--dry-run", options->dry_run, "Let the server check the file and show the jobs; submit nothing");
  auto* wait = verb->add_flag("--wait", options->wait, "Wait until all jobs have ended; exit like ym wait");
  verb->add_option("--exit-code-from", options->exit_code_from,
                   "With --wait, job: exit with the code of the first failed job, not with 1")
      ->check(CLI::IsMember({"job"}))
      ->needs(wait);
  verbs.on(verb, options, submit);
}

}  // namespace ym::cli
