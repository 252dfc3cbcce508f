// Conversions for tests: every job that comes out went through the parser of job files.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "spec/convert/convert.h"
#include "spec/documents.h"

namespace ym::convert {

struct Converted {
  std::vector<JobSpec> specs;
  std::vector<std::string> warnings, notes;  // "/spec/suspend: is left out; ..."
};

inline Converted converted(const std::string& text) {
  Converted out;
  const auto made = convert_to_jobs(text);
  if (!made) return ADD_FAILURE() << made.error().message, out;
  auto specs = parse_job_yaml(to_yaml(made->jobs), {.workdir = "/home/ada"});
  if (!specs) return ADD_FAILURE() << specs.error().message << "\n" << to_yaml(made->jobs), out;
  out.specs = std::move(*specs);
  for (const auto& [kind, pointer, message, line] : made->remarks)
    (kind == Remark::Kind::warning ? out.warnings : out.notes).push_back(pointer + ": " + message);
  return out;
}

inline std::string error(const std::string& text) {
  const auto made = convert_to_jobs(text);
  return made ? "(no error)" : made.error().message;
}

inline std::string file_text(const std::string& name) {
  std::ifstream file(std::string(YM_SOURCE_DIR) + "/src/spec/convert/testing/data/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline Converted converted_file(const std::string& name) { return converted(file_text(name)); }

// A batch Job; what its spec says on line 4, and its one container on line 7.
inline std::string job_with(const std::string& spec, const std::string& container) {
  return "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j}\nspec: {" + spec +
         ",\n  template: {\n  spec: {containers: [\n    {name: c, workingDir: /w, " + container + "}]}}}\n";
}

}  // namespace ym::convert
