// A job that was read from another format and is not yet written as a job file.
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
using Variables = std::vector<std::pair<std::string, std::string>>;  // in input order; each name once

// The request of one task.
struct Amounts {
  std::int64_t gpus = 0;
  std::string gpu_type;  // empty: any
  std::string profile;   // of MIG slices; empty: none
  std::int64_t slices = 0;
  std::optional<std::int64_t> cpus;  // thousandths; nothing: not set
  std::int64_t memory = 0, shm = 0;  // bytes; 0: not set
  bool operator==(const Amounts&) const = default;
};

struct Topology {
  std::string required, preferred, slice_level;  // empty: none
  std::int64_t slice_nodes = 0;
  bool operator==(const Topology&) const = default;
};

// A variable that only the cluster can set.
struct Unset {
  std::string name;
  Field at;
  std::string instead;  // advice for the user
  bool index = false;   // the pod's index in an Indexed Job
};

// Tasks that are alike, from a pod template or a script.
struct Part {
  Field at;  // where remarks point to
  std::string name{};
  std::int64_t nodes = 1;
  // As in Kubernetes; `run` is made from both.
  std::optional<Words> command{}, args{};
  Words run{};
  Variables env{};
  std::vector<Unset> unset{};
  bool indexed = false;  // of an Indexed Job: its program gets the index, unless torchrun starts it
  bool torchrun = false;
  // The pods are made for torch: the launcher is torchrun, whatever starts the program there.
  bool of_torch = false;
  std::string workers{};  // workers of torchrun on a node; empty: not set
  std::optional<Field> workers_at{};
  std::string program_workers{};  // the same for a program that torchrun did not start
  std::string image{}, workdir{};
  Amounts amounts{};
  std::map<std::string, std::string> select{};
  std::vector<std::string> exclude{};
  Topology topology{};
  std::string signal{}, grace{};             // as a job file writes it; empty: not set
  std::optional<std::int64_t> time_limit{};  // seconds
  bool finds_peers_by_name = false;          // through a headless service
  std::optional<Field> restarts{};           // restartPolicy
};

struct Draft {
  std::string name{}, queue{}, project{};
  std::vector<Part> parts{};                 // several parts are groups
  std::int64_t min_nodes = 0;                // elastic; 0: not elastic
  std::int64_t array = 0;                    // 0: a single job
  std::int64_t array_parallel = 0;           // members that may run at the same time; 0: all
  std::optional<std::int64_t> time_limit{};  // seconds
  std::optional<std::int64_t> error_retries{}, infra_retries{}, preempted_retries{};
};

// Null: no variable has that name.
inline const std::string* variable(const Variables& env, std::string_view name) {
  for (const auto& [key, value] : env)
    if (key == name) return &value;
  return nullptr;
}

inline void drop_variable(Variables& env, std::string_view name) {
  std::erase_if(env, [&](const auto& each) { return each.first == name; });
}

// Replaces an earlier value, and moves the variable to the end.
inline void set_variable(Variables& env, const std::string& name, std::string value) {
  drop_variable(env, name);
  env.emplace_back(name, std::move(value));
}

}  // namespace ym::convert
