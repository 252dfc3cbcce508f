#include "executor/slurm/jobs/sbatch_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/whole_number.h"

namespace ym::slurm {
namespace {

void add_site(std::vector<std::string>& words, const SlurmOptions& site) {
  const auto add = [&](std::string_view option, const std::string& value) {
    if (!value.empty()) words.push_back(fmt::format("--{}={}", option, value));
  };
  add("partition", site.partition);
  add("account", site.account);
  add("qos", site.qos);
  add("reservation", site.reservation);
}

std::string gres_of(const Submission& submission) {
  if (submission.gpu_type.empty()) return fmt::format("--gres=gpu:{}", submission.gpus_per_node);
  return fmt::format("--gres=gpu:{}:{}", submission.gpu_type, submission.gpus_per_node);
}

// Messages of the controller for a job that it will never accept.
constexpr std::array<std::string_view, 12> kNeverPassed{"Requested node configuration is not available",
                                                        "Invalid partition name specified",
                                                        "Invalid account or account/partition combination specified",
                                                        "Invalid qos specification",
                                                        "Invalid node name specified",
                                                        "Requested reservation is invalid",
                                                        "Access denied to requested reservation",
                                                        "Invalid generic resource",
                                                        "Invalid feature specification",
                                                        "User's group not permitted to use this partition",
                                                        "Requested time limit is invalid",
                                                        "Node count specification invalid"};

// Messages of sbatch if it does not know what became of the job.
constexpr std::array<std::string_view, 10> kNotHeard{"Unable to contact slurm controller",
                                                     "Socket timed out",
                                                     "Zero Bytes were transmitted",
                                                     "Connection refused",
                                                     "Connection timed out",
                                                     "Connection reset",
                                                     "Broken pipe",
                                                     "temporarily unable",
                                                     "standby mode",
                                                     "Transport endpoint"};

template <class Texts>
bool holds_one(std::string_view text, const Texts& texts) {
  return std::ranges::any_of(texts, [&](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

constexpr std::string_view kFailed = "Batch job submission failed: ";

}  // namespace

std::vector<std::string> sbatch_words(const Submission& submission, const SlurmOptions& site) {
  std::vector<std::string> words{"--parsable",
                                 "--job-name=" + submission.name,
                                 "--comment=" + submission.comment,
                                 "--dependency=singleton",
                                 "--no-requeue",
                                 "--export=ALL",  // of sbatch, which has almost none
                                 "--input=/dev/null",
                                 "--output=/dev/null",
                                 "--open-mode=append",
                                 "--chdir=/",
                                 fmt::format("--nodes={}", submission.nodes),
                                 fmt::format("--ntasks={}", submission.nodes * submission.tasks_per_node),
                                 fmt::format("--ntasks-per-node={}", submission.tasks_per_node),
                                 fmt::format("--cpus-per-task={}", submission.cpus_per_task)};
  words.push_back(submission.minutes ? fmt::format("--time={}", *submission.minutes) : "--time=UNLIMITED");
  if (submission.memory_mib > 0) words.push_back(fmt::format("--mem={}M", submission.memory_mib));
  if (submission.gpus_per_node > 0) words.push_back(gres_of(submission));
  if (!submission.node_list.empty())
    words.push_back(fmt::format("--nodelist={}", fmt::join(submission.node_list, ",")));
  if (submission.warn_seconds) words.push_back(fmt::format("--signal=TERM@{}", *submission.warn_seconds));
  add_site(words, site);
  return words;
}

SubmitError submit_error_of(std::string_view errors) {
  using Kind = SubmitError::Kind;
  std::string said{errors.substr(0, 2000)};
  while (!said.empty() && said.back() == '\n') said.pop_back();
  if (holds_one(errors, kNotHeard)) return {Kind::unclear, said};
  if (holds_one(errors, kNeverPassed)) return {Kind::permanent, said};
  // The controller has answered, so there is no job.
  if (errors.find(kFailed) != std::string_view::npos) return {Kind::refused, said};
  return {Kind::unclear, said.empty() ? "sbatch failed and did not say why" : said};
}

std::optional<std::int64_t> parse_job_number(std::string_view output) {
  output = output.substr(0, output.find('\n'));
  const auto number = whole_number<std::int64_t>(output.substr(0, output.find(';')));
  return number && *number > 0 ? number : std::nullopt;
}

}  // namespace ym::slurm
