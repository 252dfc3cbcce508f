#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "cli/autostart.h"
#include "cli/follow.h"
#include "cli/http/url.h"
#include "cli/log_printer.h"
#include "cli/term/text.h"
#include "cli/verbs/submit.h"
#include "cli/verbs/typing_mistakes.h"
#include "cli/verbs/verb.h"
#include "cli/verbs/wait.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/time_spent.h"
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

// Variables that the program needs to run as in this shell. With more of them, jobs would depend on the terminal that
// submitted them.
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

// "2" is a number in JSON, "t4:2" a text.
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

// The words of the command line that stand for a key of the job file.
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
    session.err << fmt::format("lost contact; job {} goes on\n", id);
    return report(session, job.error());
  }
  return say_how_it_ended(session, *job, options);
}

int run(Session& session, const RunOptions& options) {
  if (options.words.empty()) {
    session.err << "ym: write the program to run: ym run [OPTIONS] -- PROGRAM [ARGUMENT...]\n";
    return to_int(ExitCode::usage);
  }
  if (!options.detach && !session.is_table())
    return report(session,
                  Error{ErrorCode::invalid, "ym run -o needs -d: without -d, standard output shows the job's output"});
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
  auto* verb = verbs.add("run", "Run a program as a job and show its output; starts a server if none runs");
  verb->footer("ym run [OPTIONS] -- PROGRAM [ARGUMENT...]");
  verb->add_option("--name", options->name, "Name of the job; default: made from the program's name");
  verb->add_option("--gpus", options->gpus, "GPUs of each node: 2, or with a type t4:2");
  verb->add_option("--gpu-share", options->gpu_share, "Share of one GPU of each node, 500m; instead of --gpus");
  verb->add_option("--gpu-memory", options->gpu_memory, "With --gpu-share: memory of that GPU, 8GiB");
  verb->add_option("--mig", options->mig, "MIG slices of each node, 1g.10gb or 1g.10gb:2; instead of --gpus");
  verb->add_option("--cpus", options->cpus, "CPUs of each node: 4, 0.5 or 500m");
  verb->add_option("--memory", options->memory, "Memory of each node: 64GiB");
  verb->add_option("--nodes", options->nodes, "Number of nodes; all start at once");
  verb->add_option("--queue", options->queue, "Queue of the job");
  verb->add_option("--project", options->project, "Project of the job");
  verb->add_option("--priority", options->priority, "0 to 100; jobs with higher numbers start first");
  verb->add_option("--time-limit", options->time_limit, "Time limit of each attempt: 90s, 2h");
  verb->add_option("--launcher", options->launcher, "none or torchrun");
  verb->add_option("--env", options->env, "Variable of the job, NAME=VALUE; may be repeated")->allow_extra_args(false);
  verb->add_flag("-d,--detach", options->detach, "Print the job's id and do not wait for it");
  verb->add_option("--exit-code-from", options->exit_code_from,
                   "job: if the program fails, exit with its code, not with 1")
      ->check(one_of({"job"}));
  verb->add_flag("--raw", options->raw, "Keep terminal escapes of the output");
  verbs.add_global_flags(*verb);
  verb->fallthrough(false)->prefix_command();  // the first word that is not an option begins the program
  verb->callback([&verbs, verb, options] {
    options->words = verb->remaining();
    if (!options->words.empty() && options->words.front().starts_with('-'))
      throw CLI::ExtrasError({options->words.front()});  // a wrong option of `ym`, not a program
    options->words.insert(options->words.end(), verbs.program.begin(), verbs.program.end());
    verbs.chosen = [options](Session& session) { return run(session, *options); };
  });
}

}  // namespace ym::cli
