#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/convert/amounts.h"
#include "spec/convert/kubernetes/pod.h"
#include "spec/keys/read.h"

namespace ym::convert {
namespace {

constexpr std::array<Advice, 7> kDroppedOfContainer{{
    {"envFrom", "write the variables into env; let the program read secrets from a file"},
    {"livenessProbe", "write time_limit, which ends a job that hangs"},
    {"readinessProbe", "the tasks of a gang start together and wait for each other"},
    {"startupProbe", "write time_limit, which ends a job that hangs"},
    {"lifecycle", "let the program do this when it receives preemption.signal"},
    {"securityContext", "the cluster's configuration sets this; tasks have no privileges"},
    {"volumeDevices", "let the cluster mount it, see mounts in the server's configuration"},
}};

constexpr std::array<UnneededKey, 9> kUnneededKeysOfContainer{{
    {"ports", "", "it only documents ports; a task may listen at any port"},
    {"imagePullPolicy", "IfNotPresent", "the cluster decides when to fetch images"},
    {"terminationMessagePath", "/dev/termination-log", "ym logs shows the output of a task"},
    {"terminationMessagePolicy", "File", "ym logs shows the output of a task"},
    {"stdin", "", "a task has no standard input"},
    {"stdinOnce", "", "a task has no standard input"},
    {"tty", "", "a task has no terminal"},
    {"restartPolicy", "", "Yardmaster retries the whole job, see retry"},
    {"resizePolicy", "", "the resources of a running task do not change"},
}};

bool is_index(const Field& source) {
  return text_under(field_under(source, "fieldRef"), "fieldPath").contains("job-completion-index");
}

std::string instead_of(const Field& source) {
  const auto path = text_under(field_under(source, "fieldRef"), "fieldPath");
  if (path.contains("job-completion-index") || path.contains("job-index") || path.contains("replica-index"))
    return "read YM_NODE_RANK, or in an array YM_ARRAY_INDEX";
  if (path == "status.podIP" || path == "status.podIPs") return "read item YM_NODE_RANK of YM_NODE_IPS";
  if (path.starts_with("metadata.")) return "read YM_JOB_ID and YM_NODE_RANK";
  if (field_under(source, "secretKeyRef")) return "let the program read a file that only your user may read";
  if (field_under(source, "configMapKeyRef")) return "write its value into env";
  return "write its value into env";
}

// Names and values that a job file would refuse.
std::string_view refusal(const std::string& name, const std::string& value) {
  if (name.starts_with("YM_") || name.starts_with("SLURM_")) return "the scheduler sets variables with such names";
  if (value.find_first_of("\r\n") != value.npos) return "a value is one line; put it into a file";
  constexpr std::string_view kDigits = "0123456789";
  const bool usable = !name.empty() && !kDigits.contains(name.front()) && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  return usable ? "" : "a variable's name has only letters, digits and '_'";
}

void read_variable(const Field& field, Part& part, Remarks& remarks) {
  Keys keys(field, remarks);
  const auto name = keys.require("name", "write the variable's name");
  const auto value = keys.find("value");
  const auto source = keys.find("valueFrom");
  keys.finish();
  if (!name) return;
  const auto key = spec::read_string(*name);
  if (!key) return;
  if (source) return part.unset.push_back({*key, *source, instead_of(*source), is_index(*source)});
  const auto text = value ? spec::read_scalar_text(*value) : std::string();
  if (!text) return;
  const auto why = refusal(*key, *text);
  if (why.empty()) set_variable(part.env, *key, *text);
  else remarks.warn(field, fmt::format("{} is left out; {}", spec::quoted(*key), why));
}

}  // namespace

std::optional<Words> read_words(const Field& field) {
  const auto items = spec::read_list(field, "words");
  if (!items) return std::nullopt;
  Words words;
  for (const auto& item : *items) {
    auto word = spec::read_scalar_text(item);
    if (!word) return std::nullopt;
    words.push_back(std::move(*word));
  }
  return words;
}

void read_command(Keys& keys, Part& part) {
  if (const auto image = keys.find("image")) part.image = ym::keys::read(*image, ym::keys::Image{}).value_or("");
  if (const auto command = keys.find("command")) part.command = read_words(*command);
  if (const auto args = keys.find("args")) part.args = read_words(*args);
}

void read_environment(const Field& list, Part& part, Remarks& remarks) {
  if (const auto items = spec::read_list(list, "variables"))
    for (const auto& item : *items) read_variable(item, part, remarks);
}

void read_container(const Field& container, Part& part, Remarks& remarks) {
  Keys keys(container, remarks);
  read_command(keys, part);
  if (const auto folder = keys.find("workingDir")) part.workdir = spec::read_string(*folder).value_or("");
  if (const auto env = keys.find("env")) read_environment(*env, part, remarks);
  if (const auto resources = keys.find("resources")) read_resources(*resources, remarks, part.amounts);
  keys.skip({"name", "volumeMounts"});  // read together with the volumes
  keys.note(kUnneededKeysOfContainer);
  keys.drop(kDroppedOfContainer);
  keys.finish();
}

}  // namespace ym::convert
