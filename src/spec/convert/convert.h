// What other schedulers are told, as job files: manifests of Kubernetes (JobSet, TrainJob, PyTorchJob, Job) and scripts
// for sbatch.
//
// What has no place in a job file is never dropped in silence: a remark names the field by its JSON pointer (for the
// n-th of several documents it begins with "/n") or, in a script, by its option, and says what to do. What stands in
// none of the inputs is left to Yardmaster's own defaults. Every job that comes out is one that parse_job_yaml takes.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "spec/value.h"

namespace ym {

struct Remark {
  // A note: the job does the same without it. A warning: it may not, and somebody has to look.
  enum class Kind : std::uint8_t { note, warning };
  Kind kind = Kind::warning;
  std::string pointer;
  std::string message;  // ends with the line
  int line = 0;         // 0: not known
};

struct Conversion {
  std::vector<spec::Value> jobs;  // each one a job file's document, keys in the order for readers
  std::vector<Remark> remarks;    // in the order of the input
};

// `name`: of the file, without its ending; a script that names no job is called so.
// Errors: `invalid` or `too_large` as in spec/documents.h; also where there is nothing in it that makes a job.
Result<Conversion> convert_to_jobs(std::string_view text, std::string_view name = {});

// For `ym submit`: documents with a line of --- between them.
std::string to_yaml(const std::vector<spec::Value>& jobs);
// The same as one JSON array.
std::string to_json(const std::vector<spec::Value>& jobs);

}  // namespace ym
