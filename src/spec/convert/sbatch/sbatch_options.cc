#include "spec/convert/sbatch/sbatch_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>

#include "spec/convert/kubernetes/pod.h"
#include "spec/convert/sbatch/sbatch_left_out.h"
#include "spec/convert/sbatch/script_body.h"

namespace ym::convert {
namespace {

using Take = void (*)(Reading&, const Field&);

std::int64_t count_of(const Field& field) {
  const auto& text = field.value->text;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc{} && end == text.data() + text.size() && count >= 0 && count <= 1'000'000) return count;
  field.wrong(fmt::format("{} is not a positive integer", spec::quoted(text)));
  return 0;
}

// "8", "h100:8", "h100" (one); the values of --gres "gpu:8", "gpu:h100:8", "gpu:h100:8(S:0-1)".
std::int64_t read_gpus(Reading& reading, const Field& field, std::string_view text) {
  text = text.substr(0, text.find('('));
  const auto colon = text.rfind(':');
  auto type = colon == text.npos ? std::string_view() : text.substr(0, colon);
  auto number = text.substr(colon == text.npos ? 0 : colon + 1);
  if (colon == text.npos && !number.empty() && (number.front() < '0' || number.front() > '9')) {
    type = number;
    number = "1";
  }
  auto& gpu_type = reading.asked.part.amounts.gpu_type;
  if (!type.empty()) gpu_type = type;
  std::ranges::transform(gpu_type, gpu_type.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const Value count{.kind = Value::Kind::string, .text = std::string(number), .line = field.value->line};
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
  if (!reading.asked.draft.time_limit) field.wrong(fmt::format("{} is not a time of Slurm", spec::quoted(text)));
}

std::int64_t memory_of(Reading& reading, const Field& field) {
  if (const auto& text = field.value->text; !text.empty() && text.find_first_not_of('0') == text.npos) {
    reading.remarks.warn(field,
                         "requests all memory of its nodes, which a job file cannot express, and is left out; write "
                         "the amount: resources: {memory: 500GiB}");
    return 0;
  }
  const auto bytes = parse_slurm_memory(field.value->text);
  if (!bytes)
    field.wrong(fmt::format("{} is not a size of Slurm; write for example 64G", spec::quoted(field.value->text)));
  return bytes.value_or(0);
}

void take_array(Reading& reading, const Field& field) {
  auto array = parse_array_ids(field.value->text);
  if (!array) return field.wrong(array.error().message);
  reading.asked.draft.array = std::ssize(array->ids);
  reading.asked.draft.array_parallel = array->at_once;
  reading.remarks.note(
      field,
      fmt::format(
          "becomes an array of {}, counted from 0; the first lines of run set SLURM_ARRAY_TASK_ID from YM_ARRAY_INDEX",
          array->ids.size()));
  reading.asked.array = std::move(*array);
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
  reading.remarks.note(field,
                       "is sent when the job must stop, at its time limit too; grace is the time that it has then");
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
      reading.remarks.warn(field, fmt::format("{} is left out; a job does not get the submitter's environment, so "
                                              "write the variables that it needs into env",
                                              one));
  }
}

// Replaces characters that a name cannot have. The result may be empty.
void take_name(Reading& reading, const Field& field) {
  const auto& text = field.value->text;
  const auto name = name_like(text);
  reading.asked.draft.name = name;
  if (name.empty()) reading.remarks.warn(field, fmt::format("{} is left out; it cannot be a name", spec::quoted(text)));
  else if (name != text)
    reading.remarks.note(field, fmt::format("{} is written as {}; a name has letters, digits, '.', '_' and '-'",
                                            spec::quoted(text), name));
}

void take_partition(Reading& reading, const Field& field) {
  const auto& text = field.value->text;
  const auto comma = text.find(',');
  reading.asked.draft.queue = text.substr(0, comma);
  reading.remarks.note(field, "is written as queue; ym queue lists the queues");
  if (comma != text.npos)
    reading.remarks.warn(field, fmt::format("names several; a job waits in one queue, so {} is written",
                                            spec::quoted(reading.asked.draft.queue)));
}

const std::map<std::string_view, Take>& takers() {
  static const std::map<std::string_view, Take> kTakers{
      {"job-name", take_name},
      {"nodes", take_nodes},
      {"ntasks", [](Reading& r, const Field& f) { r.asked.tasks = count_of(f); }},
      {"ntasks-per-node", [](Reading& r, const Field& f) { r.asked.tasks_per_node = count_of(f); }},
      {"cpus-per-task", [](Reading& r, const Field& f) { r.asked.cpus_per_task = count_of(f); }},
      {"cpus-per-gpu", [](Reading& r, const Field& f) { r.asked.cpus_per_gpu = count_of(f); }},
      {"gres", take_gres},
      {"gpus", [](Reading& r, const Field& f) { r.asked.gpus = read_gpus(r, f, f.value->text); }},
      {"gpus-per-node", [](Reading& r, const Field& f) { r.asked.gpus_per_node = read_gpus(r, f, f.value->text); }},
      {"gpus-per-task", [](Reading& r, const Field& f) { r.asked.gpus_per_task = read_gpus(r, f, f.value->text); }},
      {"mem", [](Reading& r, const Field& f) { r.asked.part.amounts.memory = memory_of(r, f); }},
      {"mem-per-cpu", [](Reading& r, const Field& f) { r.asked.memory_per_cpu = memory_of(r, f); }},
      {"mem-per-gpu", [](Reading& r, const Field& f) { r.asked.memory_per_gpu = memory_of(r, f); }},
      {"time", take_time},
      {"array", take_array},
      {"signal", take_signal},
      {"export", take_export},
      {"chdir", [](Reading& r, const Field& f) { r.asked.part.workdir = f.value->text; }},
      {"exclude", [](Reading& r, const Field& f) { r.asked.part.exclude = node_patterns(f.value->text); }},
      {"partition", take_partition},
      {"account", [](Reading& r, const Field& f) { r.asked.draft.project = f.value->text; }},
      {"no-requeue",
       [](Reading& r, const Field&) { r.asked.draft.infra_retries = r.asked.draft.preempted_retries = 0; }}};
  return kTakers;
}

// Options may be shortened if only one option begins so: --depend.
std::string_view full_name(std::string_view name) {
  std::vector<std::string_view> longer;
  const auto look_at = [&](std::string_view known) {
    if (known == name) longer.insert(longer.begin(), known);
    else if (known.starts_with(name)) longer.push_back(known);
  };
  for (const auto& [known, taker] : takers()) look_at(known);
  for (const auto known : options_left_out()) look_at(known);
  const bool clear = longer.size() == 1 || (!longer.empty() && longer.front() == name);
  return clear && !name.empty() ? longer.front() : name;
}

}  // namespace

std::string name_like(std::string_view text) {
  constexpr std::size_t kLongest = 63;
  std::string name;
  for (const char c : text) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || (!name.empty() && (c == '_' || c == '-' || (c == '.' && name.back() != '.')))) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  name.resize(std::min(name.size(), kLongest));
  while (name.ends_with('-') || name.ends_with('.')) name.pop_back();
  return name;
}

std::string pointer_of(const ScriptOption& option) {
  if (option.name.empty()) return "#SBATCH";
  return option.name.starts_with('-') ? option.name : fmt::format("--{}", full_name(option.name));
}

void take(Reading& reading, const ScriptOption& option) {
  const Value value{.kind = Value::Kind::string, .text = option.value, .line = option.line};
  const Field field{&value, pointer_of(option), &reading.problems};
  const auto name = full_name(option.name);
  const auto taker = takers().find(name);
  if (taker != takers().end()) taker->second(reading, field);
  else leave_out(name, field, reading.remarks);
}

}  // namespace ym::convert
