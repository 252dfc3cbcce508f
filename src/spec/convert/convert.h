// Makes job files from manifests of Kubernetes (JobSet, TrainJob, PyTorchJob, Job) and from scripts for sbatch.
//
// The conversion reports everything that it leaves out: a remark names the field by its JSON pointer (for the n-th of
// several documents it begins with "/n") or the option of a script, and says what to do. Keys that no input mentions
// keep Yardmaster's defaults. parse_job_yaml accepts each result.
//
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "spec/text/value.h"

namespace ym {

struct Remark {
  // A note: the job does the same without it. A warning: the job may behave differently, and the user must check.
  enum class Kind : std::uint8_t { note, warning };
  Kind kind = Kind::warning;
  std::string pointer;
  std::string message;  // ends with the line
  int line = 0;         // 0: not known
};

struct Conversion {
  std::vector<spec::Value> jobs;  // documents of job files, with keys in the order of the guide
  std::vector<Remark> remarks;    // in the order of the input
};

// `name`: the file's name without its ending; the name of a script that has none. Errors: `invalid` or `too_large` as
// in spec/documents.h; `invalid` also if the text has nothing to make a job of. Of a script the fields have no
// pointers: their messages name the options.
Result<Conversion> convert_to_jobs(std::string_view text, std::string_view name = {});

// For `ym submit`: documents separated by a line of ---.
std::string to_yaml(const std::vector<spec::Value>& jobs);
// The same jobs as one JSON array.
std::string to_json(const std::vector<spec::Value>& jobs);

}  // namespace ym
