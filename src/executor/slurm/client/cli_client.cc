#include "executor/slurm/client/cli_client.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <utility>

#include "executor/slurm/client/command_runner.h"
#include "executor/slurm/client/job_text.h"
#include "executor/slurm/client/node_text.h"
#include "executor/slurm/jobs/sbatch_words.h"

namespace ym::slurm {
namespace {

constexpr std::size_t kMostCancelled = 200;  // in one command

// Only what the commands need, because jobs inherit it. Times are printed in UTC.
std::map<std::string, std::string> clean_environment(const SlurmOptions& options) {
  std::map<std::string, std::string> env{{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LANG", "C.UTF-8"}};
  for (const char* name : {"PATH", "HOME", "USER", "LOGNAME", "SLURM_CONF"})
    if (const char* value = std::getenv(name)) env[name] = value;
  if (!options.conf.empty()) env["SLURM_CONF"] = options.conf;
  return env;
}

template <class Value>
Result<Value> parsed(const Result<std::string>& text, Result<Value> (*parse)(std::string_view)) {
  if (!text) return std::unexpected(text.error());
  return parse(*text);
}

class CliClient final : public SlurmClient {
 public:
  explicit CliClient(SlurmOptions options) : options_(std::move(options)), env_(clean_environment(options_)) {}

  std::expected<std::int64_t, SubmitError> submit(const Submission& submission) override {
    using Kind = SubmitError::Kind;
    const auto end = run("sbatch", sbatch_words(submission, options_), submission.script, env_);
    if (!end && end.error().code == ErrorCode::io)
      return std::unexpected(SubmitError{Kind::refused, end.error().message});
    if (!end) return std::unexpected(SubmitError{Kind::unclear, end.error().message});
    if (end->status != 0) return std::unexpected(submit_error_of(end->errors));
    if (const auto id = parse_job_number(end->output)) return *id;
    return std::unexpected(SubmitError{Kind::unclear, "sbatch printed no job id"});
  }

  Result<std::vector<JobRow>> jobs() override {
    return parsed(ask("squeue", {"--me", "-h", "-a", "-t", "all", "-O", std::string(squeue_columns())}), parse_squeue);
  }

  Result<std::vector<JobRow>> history(std::span<const std::string> names, Instant since) override {
    return parsed(ask("sacct", {"-X", "-n", "-P", "-D", fmt::format("--name={}", fmt::join(names, ",")), "-S",
                                to_rfc3339(since).substr(0, 19), "-o", std::string(sacct_columns())}),
                  parse_sacct);
  }

  Result<std::vector<NodeRow>> nodes() override {
    return parsed(ask("scontrol", {"-d", "-o", "show", "node"}), parse_nodes);
  }

  Result<Facts> facts() override {
    auto facts = parsed(ask("scontrol", {"show", "config"}), parse_config);
    if (!facts) return facts;
    const auto partitions = ask("scontrol", {"-a", "-o", "show", "partition"});
    if (!partitions) return std::unexpected(partitions.error());
    facts->partitions = parse_partitions(*partitions);
    // Without topology the command fails.
    if (const auto topology = ask("scontrol", {"-o", "show", "topology"})) facts->topology = parse_topology(*topology);
    return facts;
  }

  Result<void> cancel(std::span<const std::int64_t> ids, bool hard) override {
    for (; !ids.empty(); ids = ids.subspan(std::min(ids.size(), kMostCancelled))) {
      std::vector<std::string> words{"--quiet"};
      if (hard) words.insert(words.end(), {"--full", "--signal=KILL"});
      for (const auto id : ids.first(std::min(ids.size(), kMostCancelled))) words.push_back(std::to_string(id));
      if (const auto done = ask("scancel", std::move(words)); !done) return std::unexpected(done.error());
    }
    return {};
  }

 private:
  Result<CommandEnd> run(const char* program, std::vector<std::string> words, const std::string& input,
                         const std::map<std::string, std::string>& env) const {
    Command command{.env = env, .input = input, .timeout = options_.command_timeout};
    command.argv = {options_.bin_dir.empty() ? program : fmt::format("{}/{}", options_.bin_dir, program)};
    command.argv.insert(command.argv.end(), std::move_iterator(words.begin()), std::move_iterator(words.end()));
    return run_command(command);
  }

  // Its output, if it succeeded: the output of a failed command means nothing.
  Result<std::string> ask(const char* program, std::vector<std::string> words) const {
    auto env = env_;
    env["TZ"] = "UTC";
    auto end = run(program, std::move(words), {}, env);
    if (!end) return std::unexpected(end.error());
    if (end->status == 0) return std::move(end->output);
    return fail(ErrorCode::unavailable, fmt::format("{} failed: {}", program, end->errors.substr(0, 500)));
  }

  SlurmOptions options_;
  std::map<std::string, std::string> env_;
};

}  // namespace

std::unique_ptr<SlurmClient> make_cli_client(SlurmOptions options) {
  return std::make_unique<CliClient>(std::move(options));
}

}  // namespace ym::slurm
