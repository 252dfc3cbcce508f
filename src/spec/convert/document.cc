#include "spec/convert/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/resources.h"
#include "spec/convert/amounts.h"
#include "spec/convert/kubernetes/pod.h"

namespace ym::convert {
namespace {

Value text(std::string words) { return {.kind = Value::Kind::string, .text = std::move(words)}; }
Value number(std::int64_t count) { return {.kind = Value::Kind::number, .text = std::to_string(count)}; }

// Job files have numbers as text here. Whole numbers need no quotes.
Value word(const std::string& words) {
  const bool whole = !words.empty() && words.size() < 16 && (words.front() != '0' || words == "0") &&
                     words.find_first_not_of("0123456789") == words.npos;
  return {.kind = whole ? Value::Kind::number : Value::Kind::string, .text = words};
}

class Map {
 public:
  void add(const std::string& key, Value value) {
    value_.keys.push_back(key);
    value_.items.push_back(std::move(value));
  }
  void add(const std::string& key, const std::string& words) {
    if (!words.empty()) add(key, text(words));
  }
  void add(const std::string& key, const std::optional<std::int64_t>& count) {
    if (count) add(key, number(*count));
  }
  void add(const std::string& key, Map inner) {
    if (!inner.value_.items.empty()) add(key, std::move(inner.value_));
  }
  Value take() { return std::move(value_); }

 private:
  Value value_{.kind = Value::Kind::map};
};

Value list_of(const Words& words) {
  Value list{.kind = Value::Kind::list};
  for (const auto& each : words) list.items.push_back(word(each));
  return list;
}

Map resources_of(const Amounts& amounts) {
  Map map;
  if (amounts.gpus > 0) {
    if (amounts.gpu_type.empty()) map.add("gpus", number(amounts.gpus));
    else map.add("gpus", text(fmt::format("{}:{}", amounts.gpu_type, amounts.gpus)));
  }
  if (amounts.slices > 0)
    map.add("mig", amounts.slices == 1 ? amounts.profile : fmt::format("{}:{}", amounts.profile, amounts.slices));
  if (amounts.cpus && *amounts.cpus % kMilli == 0) map.add("cpus", number(*amounts.cpus / kMilli));
  else if (amounts.cpus) map.add("cpus", fmt::format("{}m", *amounts.cpus));
  if (amounts.memory > 0) map.add("memory", bytes_text(amounts.memory));
  if (amounts.shm > 0) map.add("shm", bytes_text(amounts.shm));
  return map;
}

Map env_of(const Variables& env) {
  Map map;
  for (const auto& [name, value] : env) map.add(name, word(value));
  return map;
}

Map placement_of(const Part& part) {
  Map map, select, topology, slice;
  for (const auto& [key, value] : part.select) select.add(key, word(value));
  map.add("select", std::move(select));
  if (!part.exclude.empty()) map.add("exclude", list_of(part.exclude));
  topology.add("required", part.topology.required);
  topology.add("preferred", part.topology.preferred);
  if (!part.topology.slice_level.empty()) {
    slice.add("level", part.topology.slice_level);
    slice.add("nodes", number(part.topology.slice_nodes));
  }
  topology.add("slice", std::move(slice));
  map.add("topology", std::move(topology));
  return map;
}

Map retry_of(const Draft& draft) {
  Map map;
  map.add("infra", draft.infra_retries);
  map.add("error", draft.error_retries);
  map.add("preempted", draft.preempted_retries);
  return map;
}

Map preemption_of(const Part& part) {
  Map map;
  map.add("signal", part.signal);
  map.add("grace", part.grace);
  return map;
}

// Keys that all groups share are written once, at the job.
struct Shared {
  bool run, env, launcher;
};

template <class Get>
bool alike(const std::vector<Part>& parts, Get get) {
  return std::ranges::all_of(parts, [&](const Part& part) { return get(part) == get(parts.front()); });
}

Shared shared_of(const std::vector<Part>& parts) {
  return {.run = alike(parts, [](const Part& part) { return part.run; }),
          .env = alike(parts, [](const Part& part) { return part.env; }),
          .launcher = alike(parts, [](const Part& part) { return part.torchrun; })};
}

Value group_of(const Part& part, const Shared& shared) {
  Map map;
  map.add("name", part.name);
  map.add("nodes", number(part.nodes));
  map.add("resources", resources_of(part.amounts));
  if (!shared.launcher && part.torchrun) map.add("launcher", text("torchrun"));
  if (!shared.env) map.add("env", env_of(part.env));
  if (!shared.run) map.add("run", list_of(part.run));
  return map.take();
}

// Checks the keys that all groups of a job must share.
void merge_groups(const std::vector<Part>& parts, Part& job, Remarks& remarks) {
  const auto check = [&](bool same, const char* what) {
    if (!same)
      remarks.warn(
          parts.back().at,
          fmt::format("has a different {} from the first group; a job has one {}, and the first group's is written",
                      what, what));
  };
  check(alike(parts, [](const Part& part) { return part.image; }), "image");
  check(alike(parts, [](const Part& part) { return part.workdir; }), "workdir");
  check(alike(parts, [](const Part& part) { return std::pair(part.select, part.exclude); }), "choice of nodes");
  check(alike(parts, [](const Part& part) { return part.grace; }), "grace");
  const bool same_level = alike(parts, [](const Part& part) { return part.topology; });
  if (!same_level || !job.topology.slice_level.empty()) {
    remarks.warn(job.at,
                 "has its own topology, which is left out; a job's topology is for all of its groups together: "
                 "placement: {topology: {required: LEVEL}}");
    job.topology = {};
  } else if (job.topology != Topology{}) {
    remarks.warn(job.at, "has a topology in each group; here it applies to all groups together");
  }
}

void add_array(Map& map, const Draft& draft) {
  if (draft.array == 0) return;
  if (draft.array_parallel == 0 || draft.array_parallel >= draft.array) return map.add("array", number(draft.array));
  Map some;
  some.add("count", number(draft.array));
  some.add("parallel", number(draft.array_parallel));
  map.add("array", std::move(some));
}

void add_size(Map& map, const Draft& draft, const Part& part) {
  if (draft.min_nodes > 0 && draft.min_nodes < part.nodes) {
    Map size;
    size.add("min", number(draft.min_nodes));
    size.add("max", number(part.nodes));
    map.add("nodes", std::move(size));
  } else if (part.nodes != 1) {
    map.add("nodes", number(part.nodes));
  }
  add_array(map, draft);
}

}  // namespace

Value document_of(const Draft& draft, Remarks& remarks) {
  Part part = draft.parts.front();
  const bool grouped = draft.parts.size() > 1;
  const auto shared = shared_of(draft.parts);
  if (grouped) merge_groups(draft.parts, part, remarks);
  Map map;
  map.add("name", draft.name);
  map.add("project", draft.project);
  map.add("queue", draft.queue);
  map.add("image", part.image);
  map.add("workdir", part.workdir);
  if (!grouped) add_size(map, draft, part);
  if (shared.launcher && part.torchrun) map.add("launcher", text("torchrun"));
  if (!grouped) map.add("resources", resources_of(part.amounts));
  if (draft.time_limit) map.add("time_limit", seconds_text(*draft.time_limit));
  map.add("retry", retry_of(draft));
  map.add("placement", placement_of(part));
  map.add("preemption", preemption_of(part));
  if (shared.env) map.add("env", env_of(part.env));
  if (shared.run) map.add("run", list_of(part.run));
  if (!grouped) return map.take();
  Value groups{.kind = Value::Kind::list};
  for (const auto& each : draft.parts) groups.items.push_back(group_of(each, shared));
  map.add("groups", std::move(groups));
  return map.take();
}

}  // namespace ym::convert
