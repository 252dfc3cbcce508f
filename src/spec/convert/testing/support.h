// Conversions for tests: every job that comes out went through the parser of job files.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <source_location>
#include <sstream>
#include <string>
#include <vector>

#include "base/testing/sentences.h"
#include "spec/convert/convert.h"
#include "spec/documents.h"

namespace ym::convert {

using ym::testing::expect_refused;
using ym::testing::expect_sentence;

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

// What they are about, in their order, and their sentences.
inline void expect_remarks(const std::vector<std::string>& remarks, const std::vector<std::string>& pointers,
                           std::source_location where = std::source_location::current()) {
  const ::testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), "the remarks");
  std::vector<std::string> about;
  for (const std::string& remark : remarks) {
    about.push_back(remark.substr(0, remark.find(": ")));
    expect_sentence(remark, where);
  }
  EXPECT_EQ(about, pointers);
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
