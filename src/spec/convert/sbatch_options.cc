#include "spec/convert/sbatch_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>

#include "spec/convert/pod.h"
#include "spec/convert/script_body.h"

namespace ym::convert {
namespace {

using Take = void (*)(Reading&, const Field&);

std::int64_t count_of(const Field& field) {
  const auto& text = field.value->text;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end == text.data() + text.size() && count >= 0 && count <= 1'000'000) return count;
  field.wrong(fmt::format("{} is not a number that counts; write it out", spec::quoted(text)));
  return 0;
}

// "8", "h100:8", of --gres "gpu:8" and "gpu:h100:8".
std::int64_t read_gpus(Reading& reading, const Field& field, std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon != text.npos) {
    reading.asked.part.amounts.gpu_type = text.substr(0, colon);
    std::ranges::transform(reading.asked.part.amounts.gpu_type, reading.asked.part.amounts.gpu_type.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  }
  const Value count{.kind = Value::Kind::string,
                    .text = std::string(text.substr(colon == text.npos ? 0 : colon + 1)),
                    .line = field.value->line};
  return count_of({&count, field.pointer, field.problems});
}

void take_gres(Reading& reading, const Field& field) {
  std::string_view rest = field.value->text;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto one = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    if (one == "gpu") reading.asked.gpus_per_node = 1;
    else if (one.starts_with("gpu:")) reading.asked.gpus_per_node = read_gpus(reading, field, one.substr(4));
    else
      reading.remarks.warn(field,
                           fmt::format("{} is left out; a job file has gpus, cpus, memory and shm", spec::quoted(one)));
  }
}

void take_nodes(Reading& reading, const Field& field) {
  const auto& text = field.value->text;
  const auto dash = text.find('-');
  const Value least{.kind = Value::Kind::string, .text = text.substr(0, dash), .line = field.value->line};
  reading.asked.part.nodes = count_of({&least, field.pointer, field.problems});
  reading.asked.nodes = reading.asked.part.nodes;
  if (dash == text.npos) return;
  const Value most{.kind = Value::Kind::string, .text = text.substr(dash + 1), .line = field.value->line};
  reading.asked.draft.min_nodes = reading.asked.part.nodes;
  reading.asked.part.nodes = count_of({&most, field.pointer, field.problems});
}

void take_time(Reading& reading, const Field& field) {
  const auto& text = field.value->text;
  if (text == "0" || text == "UNLIMITED" || text == "INFINITE") return;
  reading.asked.draft.time_limit = parse_slurm_time(text);
  if (!reading.asked.draft.time_limit) field.wrong(fmt::format("{} is not a time of Slurm's", spec::quoted(text)));
}

std::int64_t memory_of(const Field& field) {
  const auto bytes = parse_slurm_memory(field.value->text);
  if (!bytes)
    field.wrong(fmt::format("{} is not a size of Slurm's; write for example 64G", spec::quoted(field.value->text)));
  return bytes.value_or(0);
}

// "0-99", "0-99%10".
void take_array(Reading& reading, const Field& field) {
  const auto& text = field.value->text;
  const auto percent = text.find('%');
  const auto range = text.substr(0, percent);
  if (percent != text.npos)
    reading.remarks.warn(field, "runs some at once; all members of an array may run at once, a limit is the queue's");
  if (!range.starts_with("0-") || range.find_first_not_of("0123456789", 2) != range.npos)
    return field.wrong(
        fmt::format("{} does not count from 0 on, which arrays do here; write 0-N, and reckon with "
                    "YM_ARRAY_INDEX",
                    spec::quoted(range)));
  const Value last{.kind = Value::Kind::string, .text = range.substr(2), .line = field.value->line};
  reading.asked.draft.array = count_of({&last, field.pointer, field.problems}) + 1;
}

// "B:USR1@90".
void take_signal(Reading& reading, const Field& field) {
  std::string text = field.value->text;
  if (const auto colon = text.rfind(':'); colon != text.npos) text.erase(0, colon + 1);
  const auto at = text.find('@');
  auto name = text.substr(0, at);
  if (name == "10") name = "USR1";
  if (name == "12") name = "USR2";
  reading.asked.part.signal = name.starts_with("SIG") ? name : "SIG" + name;
  const Value ahead{
      .kind = Value::Kind::string, .text = at == text.npos ? "60" : text.substr(at + 1), .line = field.value->line};
  reading.asked.part.grace = seconds_text(std::min(count_of({&ahead, field.pointer, field.problems}), kLongestGrace));
  reading.remarks.note(field, "is sent when the job is to stop, for its time limit too; grace is how long it then has");
}

void take_export(Reading& reading, const Field& field) {
  std::string_view rest = field.value->text;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto one = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    const auto equals = one.find('=');
    if (equals != one.npos)
      set_variable(reading.asked.part.env, std::string(one.substr(0, equals)), std::string(one.substr(equals + 1)));
    else if (one != "NONE" && one != "NIL")
      reading.remarks.warn(field,
                           fmt::format("{} is left out; nothing of the submitter's environment goes along, write "
                                       "what is needed into env",
                                       one));
  }
}

const std::map<std::string_view, Take>& takers() {
  static const std::map<std::string_view, Take> kTakers{
      {"job-name", [](Reading& r, const Field& f) { r.asked.draft.name = f.value->text; }},
      {"nodes", take_nodes},
      {"ntasks", [](Reading& r, const Field& f) { r.asked.tasks = count_of(f); }},
      {"ntasks-per-node", [](Reading& r, const Field& f) { r.asked.tasks_per_node = count_of(f); }},
      {"cpus-per-task", [](Reading& r, const Field& f) { r.asked.cpus_per_task = count_of(f); }},
      {"gres", take_gres},
      {"gpus", [](Reading& r, const Field& f) { r.asked.gpus = read_gpus(r, f, f.value->text); }},
      {"gpus-per-node", [](Reading& r, const Field& f) { r.asked.gpus_per_node = read_gpus(r, f, f.value->text); }},
      {"gpus-per-task", [](Reading& r, const Field& f) { r.asked.gpus_per_task = read_gpus(r, f, f.value->text); }},
      {"mem", [](Reading& r, const Field& f) { r.asked.part.amounts.memory = memory_of(f); }},
      {"mem-per-cpu", [](Reading& r, const Field& f) { r.asked.memory_per_cpu = memory_of(f); }},
      {"mem-per-gpu", [](Reading& r, const Field& f) { r.asked.memory_per_gpu = memory_of(f); }},
      {"time", take_time},
      {"array", take_array},
      {"signal", take_signal},
      {"export", take_export},
      {"chdir", [](Reading& r, const Field& f) { r.asked.part.workdir = f.value->text; }},
      {"exclude", [](Reading& r, const Field& f) { r.asked.part.exclude = node_patterns(f.value->text); }},
      {"partition",
       [](Reading& r, const Field& f) {
         r.asked.draft.queue = f.value->text;
         r.remarks.note(f, "is written as queue; see ym queue for those that there are");
       }},
      {"account", [](Reading& r, const Field& f) { r.asked.draft.project = f.value->text; }},
      {"no-requeue",
       [](Reading& r, const Field&) { r.asked.draft.infra_retries = r.asked.draft.preempted_retries = 0; }}};
  return kTakers;
}

constexpr std::array<Advice, 16> kLeftOut{
    {{"qos", "write priority: 0 to 100 (50 is usual), or a queue that is for such jobs"},
     {"constraint", "nodes are chosen by label: placement: {select: {LABEL: VALUE}}"},
     {"nodelist", "nodes are chosen by label: placement: {select: {LABEL: VALUE}}"},
     {"exclusive", "GPUs are the job's alone anyway; for a whole node ask for all of its cpus"},
     {"dependency", "submit the jobs one after another, with ym wait in between"},
     {"mail-type", "have ym wait return, and write the mail then"},
     {"mail-user", "have ym wait return, and write the mail then"},
     {"begin", "let cron or at call ym submit"},
     {"switches", "write placement: {topology: {required: LEVEL}}"},
     {"reservation", "reservations are for users and queues: ym reservation list"},
     {"licenses", "licences are not counted yet"},
     {"nice", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
     {"priority", "write priority: 0 to 100 (50 is usual, higher is more urgent)"},
     {"hold", "ym hold keeps a waiting job from starting"},
     {"deadline", "write deadline: a time with a zone, such as 2026-01-01T12:00:00Z"},
     {"input", "read the file in the script"}}};
constexpr std::array<std::string_view, 13> kNoMatter{
    "requeue", "open-mode",           "comment",      "parsable", "wait",      "wckey", "ntasks-per-gpu", "verbose",
    "quiet",   "kill-on-invalid-dep", "get-user-env", "no-kill",  "gres-flags"};

}  // namespace

void take(Reading& reading, const ScriptOption& option) {
  const Value value{.kind = Value::Kind::string, .text = option.value, .line = option.line};
  const Field field{&value, "--" + option.name, &reading.problems};
  const auto taker = takers().find(option.name);
  if (taker != takers().end()) return taker->second(reading, field);
  if (option.name == "output" || option.name == "error")
    return reading.remarks.note(field, "is left out; what a job writes is kept, ym logs shows it");
  if (std::ranges::find(kNoMatter, option.name) != kNoMatter.end()) return;
  const auto* known = std::ranges::find(kLeftOut, option.name, &Advice::key);
  reading.remarks.warn(
      field, fmt::format("is left out; {}", known == kLeftOut.end() ? "a job file has nothing like it" : known->text));
}

}  // namespace ym::convert
