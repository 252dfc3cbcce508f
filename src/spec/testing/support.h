// Short forms for the tests of this folder.
#pragma once

#include <string>
#include <string_view>

#include "base/testing/sentences.h"
#include "spec/documents.h"

namespace ym::spec {

using ym::testing::expect_refused;
using ym::testing::expect_sentence;

inline const SubmitDefaults kHome{.workdir = "/home/ada"};

inline Result<JobSpec> job(std::string_view yaml) {
  auto jobs = parse_job_yaml(yaml, kHome);
  if (!jobs) return std::unexpected(jobs.error());
  return jobs->at(0);
}

// A job that is right but for one key.
inline Result<JobSpec> with(std::string_view key_and_value) {
  return job("run: [a]\n" + std::string(key_and_value) + "\n");
}

template <class T>
std::string message(const Result<T>& result) {
  return result ? "(no error)" : result.error().message;
}

// Of the first field that is wrong.
template <class T>
std::string pointer(const Result<T>& result) {
  return result || result.error().fields.empty() ? "(no field)" : result.error().fields.front().pointer;
}

}  // namespace ym::spec
