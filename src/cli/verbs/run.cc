#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/autostart.h"
#include "cli/follow.h"
#include "cli/http/url.h"
#include "cli/job_view.h"
#include "cli/json_view.h"
#include "cli/log_printer.h"
#include "cli/term/text.h"
#include "cli/time_spent.h"
#include "cli/verbs/slips.h"
#include "cli/verbs/submit.h"
#include "cli/verbs/verb.h"
#include "cli/verbs/wait.h"
#include "cli/what_next.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

struct RunOptions {
  std::vector<std::string> words;
  std::string name, gpus, gpu_share, gpu_memory, mig, cpus, memory, queue, project, time_limit, launcher;
  std::optional<std::int64_t> nodes, priority;
  std::vector<std::string> env;
  bool detach = false;
  bool raw = false;
  std::string exit_code_from;
};

// What a program needs to run as it would here; more of the environment would make
// jobs depend on the terminal they were submitted from.
constexpr std::array<const char*, 5> kPassedOn{"PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "LD_LIBRARY_PATH"};

Result<json::object> environment_of(Session& session, const RunOptions& options) {
  json::object env;
  for (const auto* name : kPassedOn)
    if (const auto value = session.environment(name); value && !value->empty()) env[name] = *value;
  for (const auto& setting : options.env) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0)
      return fail(ErrorCode::invalid, fmt::format("--env: '{}' is not NAME=VALUE", setting));
    env[setting.substr(0, equals)] = setting.substr(equals + 1);
  }
  return env;
}

// "2" is a number in JSON, "t4:2" is text.
json::value number_or_text(const std::string& text) {
  const bool digits = text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
  if (digits) return json::value(static_cast<std::int64_t>(std::stoll(text)));
  return json::value(text);
}

Result<std::string> spec_of(Session& session, const RunOptions& options) {
  auto env = environment_of(session, options);
  if (!env) return std::unexpected(env.error());
  json::object spec;
  spec["run"] = json::array(options.words.begin(), options.words.end());
  spec["env"] = std::move(*env);
  const auto set = [&](const char* key, const std::string& value) {
    if (!value.empty()) spec[key] = value;
  };
  set("name", options.name);
  set("queue", options.queue);
  set("project", options.project);
  set("time_limit", options.time_limit);
  set("launcher", options.launcher);
  if (options.nodes) spec["nodes"] = *options.nodes;
  if (options.priority) spec["priority"] = *options.priority;
  json::object resources;
  if (!options.gpus.empty()) resources["gpus"] = number_or_text(options.gpus);
  if (!options.gpu_share.empty()) resources["gpu_share"] = options.gpu_share;
  if (!options.gpu_memory.empty()) resources["gpu_memory"] = options.gpu_memory;
  if (!options.mig.empty()) resources["mig"] = options.mig;
  if (!options.cpus.empty()) resources["cpus"] = options.cpus;
  if (!options.memory.empty()) resources["memory"] = options.memory;
  if (!resources.empty()) spec["resources"] = std::move(resources);
  return json::serialize(spec);
}

// What the user typed in place of the key of a job file.
std::string option_of(const std::string& pointer) {
  const std::string_view text = pointer;
  if (text == "/run" || text.starts_with("/run/")) return "the program";
  if (text.starts_with("/env/")) return fmt::format("--env {}", text.substr(5));
  constexpr std::string_view kResources = "/resources/";
  auto name = std::string(text.substr(text.starts_with(kResources) ? kResources.size() : 1));
  std::ranges::replace(name, '_', '-');
  return "--" + name;
}

Result<json::value> submit(Session& session, const RunOptions& options) {
  const auto spec = spec_of(session, options);
  if (!spec) return std::unexpected(spec.error());
  const auto here = current_folder();
  if (!here) return std::unexpected(here.error());
  if (auto ready = ensure_server(session); !ready) return std::unexpected(ready.error());
  auto job =
      post_jobs(session, target("/api/v1/jobs", {{"workdir", *here}}),
                {.content = *spec, .content_type = "application/json", .idempotency_key = new_idempotency_key()});
  if (!job && session.is_table()) return std::unexpected(renamed(job.error(), option_of));
  return job;
}

void say_job(Session& session, const json::value& job) {
  session.err << fmt::format("job {} ({}) in queue {}\n", id_of(job), printable(name_of(job)),
                             printable(text_at(job, "queue")));
  say_what_next(session, {job});
}

int say_how_it_ended(Session& session, const json::value& job, const RunOptions& options) {
  const auto message = text_at(job, "message");
  const auto why = message.empty() ? ending(last_attempt(job)) : message;
  const auto ran = time_spent(job, session.now());
  session.err << fmt::format("{} {}{}{}\n", printable(name_of(job)), state_of(job),
                             ran ? " after " + short_duration(*ran) : "",
                             has_succeeded(job) || why.empty() ? "" : ": " + printable(why));
  return exit_code_for(job, exit_from(options.exit_code_from));
}

int stream_output(Session& session, const RunOptions& options, const std::string& id) {
  session.watch_interrupt();
  Contact contact(session, {});
  LogPrinter printer(session.out, {.clean = session.terminal.out && !options.raw, .live = true});
  const auto job =
      follow(contact, {.id = id, .from_first_attempt = true}, [&](std::string_view bytes) { printer.write(bytes); });
  printer.finish();
  if (session.interrupted()) {
    session.err << fmt::format("\ndetached; job {} goes on. Its output: ym logs -f {}   Stop it: ym cancel {}\n", id,
                               id, id);
    return to_int(ExitCode::interrupted);
  }
  if (!job) {
    session.err << fmt::format("lost contact; job {} is not affected by that\n", id);
    return report(session, job.error());
  }
  return say_how_it_ended(session, *job, options);
}

int run(Session& session, const RunOptions& options) {
  if (options.words.empty()) {
    session.err << "ym: write what to run: ym run [OPTIONS] -- PROGRAM [ARGUMENT...]\n";
    return to_int(ExitCode::usage);
  }
  if (!options.detach && !session.is_table())
    return report(session, Error{ErrorCode::invalid, "ym run -o needs -d: without it, standard output is the job's"});
  const auto job = submit(session, options);
  if (!job) return report(session, job.error());
  say_warnings(session, {*job});
  say_job(session, *job);
  if (!options.detach) return stream_output(session, options, id_of(*job));
  if (session.format == Format::json || session.format == Format::yaml) session.print(*job);
  else session.out << id_of(*job) << '\n';
  return 0;
}

}  // namespace

void add_run(Verbs& verbs) {
  auto options = std::make_shared<RunOptions>();
  auto* verb = verbs.add("run", "Run a program as a job and show its output; needs no server yet");
  verb->footer("ym run [OPTIONS] -- PROGRAM [ARGUMENT...]");
  verb->add_option("--name", options->name, "Name of the job; made from the program without one");
  verb->add_option("--gpus", options->gpus, "GPUs of each node: 2, or with a type t4:2");
  verb->add_option("--gpu-share", options->gpu_share, "Instead of --gpus: a share of one GPU of each node, 500m");
  verb->add_option("--gpu-memory", options->gpu_memory, "With --gpu-share: so much of that GPU's memory, 8GiB");
  verb->add_option("--mig", options->mig, "Instead of --gpus: MIG slices of each node, 1g.10gb or 1g.10gb:2");
  verb->add_option("--cpus", options->cpus, "CPUs of each node: 4, 0.5 or 500m");
  verb->add_option("--memory", options->memory, "Memory of each node: 64GiB");
  verb->add_option("--nodes", options->nodes, "Nodes to run on at once");
  verb->add_option("--queue", options->queue, "Queue to wait in");
  verb->add_option("--project", options->project, "Project that it belongs to");
  verb->add_option("--priority", options->priority, "0 to 100, higher is more urgent");
  verb->add_option("--time-limit", options->time_limit, "Stop each attempt after this: 90s, 2h");
  verb->add_option("--launcher", options->launcher, "none or torchrun");
  verb->add_option("--env", options->env, "NAME=VALUE for the job's environment; may be repeated")
      ->allow_extra_args(false);
  verb->add_flag("-d,--detach", options->detach, "Print the job's id and leave it to itself");
  verb->add_option("--exit-code-from", options->exit_code_from,
                   "job: exit with the program's code when it failed, not with 1")
      ->check(one_of({"job"}));
  verb->add_flag("--raw", options->raw, "Leave terminal escapes of the output in");
  verbs.add_global_flags(*verb);
  verb->fallthrough(false)->prefix_command();  // the first word that is no option begins the program
  verb->callback([&verbs, verb, options] {
    options->words = verb->remaining();
    if (!options->words.empty() && options->words.front().starts_with('-'))
      throw CLI::ExtrasError({options->words.front()});  // a slip in our options, not a program
    options->words.insert(options->words.end(), verbs.program.begin(), verbs.program.end());
    verbs.chosen = [options](Session& session) { return run(session, *options); };
  });
}

}  // namespace ym::cli
