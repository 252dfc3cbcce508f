// A CSV row for each ended job of a simulation.
#pragma once

#include <cstdio>
#include <memory>
#include <string>

#include "base/result.h"
#include "sim/simulate/job_record.h"

namespace ym::sim {

// A text that begins like a formula is written so that spreadsheets do not take it for one.
class JobRows {
 public:
  // Replaces the file. Errors: `io`.
  static Result<JobRows> create(const std::string& path);
  void add(const JobRecord& record);
  // Errors: `io`: not everything was written.
  Result<void> close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  JobRows(std::string path, std::FILE* file) : path_(std::move(path)), file_(file) {}

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace ym::sim
