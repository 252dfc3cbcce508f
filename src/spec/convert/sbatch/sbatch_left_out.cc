#include "spec/convert/sbatch/sbatch_left_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ym::convert {
namespace {

constexpr std::array<Advice, 19> kLeftOut{
    {{"qos", "write priority: 0 to 100 (50 is usual), or choose a queue for such jobs"},
     {"constraint", "choose nodes by label: placement: {select: {LABEL: VALUE}}"},
     {"nodelist", "choose nodes by label: placement: {select: {LABEL: VALUE}}"},
     {"exclusive", "a job has its GPUs alone; for a whole node request all of its cpus"},
     {"dependency", "Yardmaster does not know jobs of Slurm; to start one job after another: ym wait JOB && ym submit"},
     {"mail-type", "call ym wait, then write the mail"},
     {"mail-user", "call ym wait, then write the mail"},
     {"begin", "let cron or at call ym submit"},
     {"switches", "write placement: {topology: {required: LEVEL}}"},
     {"reservation", "reservations are for users and queues: ym reservation list"},
     {"licenses", "licences are not counted yet"},
     {"nice", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
     {"priority", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
     {"hold", "ym hold keeps a waiting job from starting"},
     {"deadline", "write deadline: a time with a zone, such as 2026-01-01T12:00:00Z"},
     {"input", "read the file in the script"},
     {"ntasks-per-gpu", "a task is a node; for a process on each GPU write launcher: torchrun"},
     {"get-user-env", "a job does not get the user's environment; run it by #!/bin/bash -l"},
     {"time-min", "write time_limit, which is never shortened"}}};
// Without these a job does the same.
constexpr std::array<Advice, 12> kNoMatter{{{"output", "Yardmaster keeps the output of a job; ym logs shows it"},
                                            {"error", "Yardmaster keeps the output of a job; ym logs shows it"},
                                            {"requeue", "see retry for the retries of a job"},
                                            {"open-mode", "Yardmaster keeps the output of each attempt"},
                                            {"comment", "jobs have none"},
                                            {"wckey", "jobs have none; write project"},
                                            {"parsable", "ym submit -o name prints ids alone"},
                                            {"wait", "ym submit --wait waits"},
                                            {"verbose", "it concerns the output of sbatch"},
                                            {"quiet", "it concerns the output of sbatch"},
                                            {"kill-on-invalid-dep", "dependencies are left out"},
                                            {"gres-flags", "it concerns the tasks of Slurm within a node"}}};

template <class List>
std::string_view advice(const List& list, std::string_view name) {
  const auto* found = std::ranges::find(list, name, &Advice::key);
  return found == list.end() ? std::string_view() : found->text;
}

}  // namespace

std::vector<std::string_view> options_left_out() {
  std::vector<std::string_view> names;
  for (const auto& known : kLeftOut) names.push_back(known.key);
  for (const auto& known : kNoMatter) names.push_back(known.key);
  return names;
}

void leave_out(std::string_view name, const Field& option, Remarks& remarks) {
  if (name.empty())
    return remarks.warn(option, fmt::format("{} is not an option, and is left out; put a value with blanks into quotes",
                                            spec::quoted(option.value->text)));
  if (const auto text = advice(kNoMatter, name); !text.empty())
    return remarks.note(option, fmt::format("is left out; {}", text));
  const auto text = advice(kLeftOut, name);
  remarks.warn(option, fmt::format("is left out; {}", text.empty() ? "a job file has nothing like it" : text));
}

}  // namespace ym::convert
