#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "spec/convert/amounts.h"
#include "spec/convert/kinds.h"
#include "spec/convert/pod.h"

namespace ym::convert {
namespace {

constexpr std::string_view kStep = "trainer.kubeflow.org/trainjob-ancestor-step";
constexpr std::array<Advice, 6> kDropped{
    {{"initializer", "models and data sets have to be where the nodes see them; fetch them before, or in what is run"},
     {"podTemplateOverrides", "write what they change into the job file"},
     {"podSpecOverrides", "write what they change into the job file"},
     {"runtimePatches", "write what they change into the job file"},
     {"labels", "jobs have none"},
     {"annotations", "jobs have none; nearness is said by placement.topology"}}};

// "torch" in what the runtime does, or, where only its name is known, in that.
bool is_torch(const std::optional<Field>& runtime, const std::string& name) {
  if (runtime) return field_under(field_under(field_under(*runtime, "spec"), "mlPolicy"), "torch").has_value();
  return name.contains("torch");
}

bool is_trainer(const Field& replicated_job) {
  const auto metadata = field_under(field_under(replicated_job, "template"), "metadata");
  return text_under(field_under(metadata, "labels"), kStep) == "trainer" ||
         text_under(replicated_job, "name") == "node";
}

// The pods that train, of all those that a runtime has.
std::optional<JobPods> trainer_of(const Field& runtime, Remarks& remarks) {
  const auto jobs =
      field_under(field_under(field_under(field_under(runtime, "spec"), "template"), "spec"), "replicatedJobs");
  const auto items = jobs ? spec::read_list(*jobs, "replicated jobs") : std::nullopt;
  if (!items || items->empty()) return runtime.wrong("has no replicatedJobs in spec.template.spec"), std::nullopt;
  const auto trainer = std::ranges::find_if(*items, is_trainer);
  const auto& chosen = trainer == items->end() ? items->front() : *trainer;
  return read_replicated_job(chosen, "node", std::nullopt, remarks);
}

struct Policy {
  std::optional<std::int64_t> nodes;
  std::string workers;
};

Policy policy_of(const Field& runtime, Remarks& remarks) {
  Policy policy;
  const auto field = field_under(field_under(runtime, "spec"), "mlPolicy");
  if (!field) return policy;
  constexpr std::array<Advice, 1> kMpi{{{"mpi", "there is no launcher for MPI; what is run has to start its ranks"}}};
  Keys keys(*field, remarks);
  policy.nodes = read_count(keys, "numNodes");
  if (const auto torch = keys.find("torch")) policy.workers = text_under(torch, "numProcPerNode");
  keys.drop(kMpi);
  keys.finish();
  return policy;
}

// What the trainer says goes over what its runtime says.
void read_trainer(const Field& trainer, Part& part, Policy& policy, Remarks& remarks) {
  Keys keys(trainer, remarks);
  read_command(keys, part);
  if (const auto env = keys.find("env")) read_environment(*env, part, remarks);
  if (const auto nodes = read_count(keys, "numNodes")) policy.nodes = nodes;
  if (const auto workers = keys.find("numProcPerNode")) policy.workers = workers->value->text;
  if (const auto resources = keys.find("resourcesPerNode")) {
    const bool parted = field_under(*resources, "limits") || field_under(*resources, "requests");
    if (parted) read_resources(*resources, remarks, part.amounts);
    else read_quantities(*resources, remarks, part.amounts);
  }
  keys.finish();
}

std::string hint(const std::optional<Field>& runtime, const std::string& name) {
  if (runtime) return "write trainer: {command: [...]}";
  return fmt::format(
      "write trainer: {{command: [...]}}, or put its runtime into the same file (kubectl get "
      "clustertrainingruntime {} -o yaml)",
      name);
}

}  // namespace

std::optional<Draft> read_trainjob(const Field& document, const std::optional<Field>& runtime, Remarks& remarks) {
  Draft draft;
  Keys keys(document, remarks);
  read_metadata(keys, draft);
  const auto field = keys.require("spec", "write spec: {runtimeRef: ..., trainer: ...}");
  keys.finish();
  if (!field) return std::nullopt;
  Keys spec(*field, remarks);
  const auto reference = spec.find("runtimeRef");
  const auto name = text_under(reference, "name");
  if (reference && !runtime)
    remarks.warn(*reference,
                 fmt::format("{} is not in this file, so what it adds (image, command, resources, "
                             "placement) is missing; put it in: kubectl get clustertrainingruntime {} -o yaml",
                             spec::quoted(name), name));
  Part part{.at = *field};
  Policy policy;
  if (runtime) {
    auto pods = trainer_of(*runtime, remarks);
    policy = policy_of(*runtime, remarks);
    if (!pods) return std::nullopt;
    part = std::move(pods->part);
    draft.error_retries = pods->retries;
    draft.time_limit = pods->time_limit;
  }
  const auto trainer = spec.find("trainer");
  if (trainer) part.at = *trainer, read_trainer(*trainer, part, policy, remarks);
  if (const auto deadline = spec.find("activeDeadlineSeconds")) draft.time_limit = read_seconds(*deadline);
  read_lifecycle(spec, draft);
  spec.drop(kDropped);
  spec.finish();
  if (policy.nodes) part.nodes = *policy.nodes;
  part.of_torch = is_torch(runtime, name) || !policy.workers.empty();
  part.workers = part.program_workers = policy.workers;
  settle(part, remarks, hint(runtime, name));
  draft.min_nodes = 0;
  draft.parts.push_back(std::move(part));
  return draft;
}

}  // namespace ym::convert
