// A job on its way into a job file: what was read, not yet written.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "spec/convert/remarks.h"

namespace ym::convert {

using Words = std::vector<std::string>;
using Variables = std::vector<std::pair<std::string, std::string>>;  // in their order, each name once

// What one task asks for.
struct Amounts {
  std::int64_t gpus = 0;
  std::string gpu_type;  // empty: any
  std::string profile;   // of MIG slices; empty: none
  std::int64_t slices = 0;
  std::optional<std::int64_t> cpus;  // thousandths; nothing: not said
  std::int64_t memory = 0, shm = 0;  // bytes; 0: not said
  bool operator==(const Amounts&) const = default;
};

struct Topology {
  std::string required, preferred, slice_level;  // empty: none
  std::int64_t slice_nodes = 0;
  bool operator==(const Topology&) const = default;
};

// A variable whose value only the cluster knows.
struct Unset {
  std::string name;
  Field at;
  std::string instead;  // what to do about it
  bool index = false;   // its pod's among those of an Indexed Job
};

// Tasks that are alike: what a pod template, or all of a script, comes to.
struct Part {
  Field at;  // what is complained about
  std::string name{};
  std::int64_t nodes = 1;
  // As Kubernetes has them; `run` is made of both.
  std::optional<Words> command{}, args{};
  Words run{};
  Variables env{};
  std::vector<Unset> unset{};
  bool indexed = false;  // of an Indexed Job: the index of a pod is told, if not torchrun starts what runs
  bool torchrun = false;
  // Its pods are set up for torch: the launcher is torchrun's, whatever starts the program there.
  bool of_torch = false;
  std::string workers{};  // a node, of torchrun's; empty: not said
  std::optional<Field> workers_at{};
  std::string program_workers{};  // the same where torchrun did not start the program
  std::string image{}, workdir{};
  Amounts amounts{};
  std::map<std::string, std::string> select{};
  std::vector<std::string> exclude{};
  Topology topology{};
  std::string signal{}, grace{};             // as a job file writes it; empty: not said
  std::optional<std::int64_t> time_limit{};  // seconds
  bool finds_peers_by_name = false;          // through a headless service
  std::optional<Field> restarts{};           // restartPolicy
};

struct Draft {
  std::string name{}, queue{}, project{};
  std::vector<Part> parts{};                 // several: groups
  std::int64_t min_nodes = 0;                // elastic; 0: it is not
  std::int64_t array = 0;                    // 0: one job
  std::int64_t array_parallel = 0;           // so many at a time; 0: all
  std::optional<std::int64_t> time_limit{};  // seconds
  std::optional<std::int64_t> error_retries{}, infra_retries{}, preempted_retries{};
};

// Null: there is none of that name.
inline const std::string* variable(const Variables& env, std::string_view name) {
  for (const auto& [key, value] : env)
    if (key == name) return &value;
  return nullptr;
}

inline void drop_variable(Variables& env, std::string_view name) {
  std::erase_if(env, [&](const auto& each) { return each.first == name; });
}

// The last one counts, where it stands.
inline void set_variable(Variables& env, const std::string& name, std::string value) {
  drop_variable(env, name);
  env.emplace_back(name, std::move(value));
}

}  // namespace ym::convert
