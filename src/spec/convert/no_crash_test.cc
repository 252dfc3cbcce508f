#include <gtest/gtest.h>

#include <array>

#include "spec/convert/testing/support.h"

namespace ym::convert {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  return text;
}

// A job file that is one, or an error that says something.
void expect_an_answer(const std::string& text) {
  const auto made = convert_to_jobs(text);
  if (!made) {
    EXPECT_FALSE(made.error().message.empty());
    return;
  }
  EXPECT_FALSE(made->jobs.empty());
  const auto specs = parse_job_yaml(to_yaml(made->jobs), {.workdir = "/w"});
  EXPECT_TRUE(specs) << text << "\n" << to_yaml(made->jobs);
}

constexpr std::array<const char*, 6> kFiles{"jobset.yaml",     "groups.yaml", "trainjob.yaml",
                                            "pytorchjob.yaml", "job.yaml",    "train.sbatch"};

TEST(NoCrash, WhateverLineIsMissing) {
  for (const auto* name : kFiles) {
    const auto lines = lines_of(file_text(name));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      auto fewer = lines;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      expect_an_answer(joined(fewer));
    }
  }
}

TEST(NoCrash, WhateverStandsBehindAKey) {
  for (const auto* name : kFiles) {
    const auto lines = lines_of(file_text(name));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      // Everything that hangs below a key goes with it.
      const auto colon = lines[i].find(':');
      if (colon == std::string::npos) continue;
      const auto indent = lines[i].find_first_not_of(" -");
      auto end = i + 1;
      while (end < lines.size() && lines[end].find_first_not_of(' ') > indent) ++end;
      for (const auto* value : {"", "null", "[x]", "[]", "{a: b}", "{}", "-1", "0", "99999999999999999999", "1.5",
                                "true", "''", "\"a\\nb\"", "\"\\x1b[2J\"", "[[{a: [b]}]]"}) {
        auto other = lines;
        other[i] = lines[i].substr(0, colon + 1) + " " + value;
        other.erase(other.begin() + static_cast<std::ptrdiff_t>(i + 1),
                    other.begin() + static_cast<std::ptrdiff_t>(end));
        expect_an_answer(joined(other));
      }
    }
  }
}

}  // namespace
}  // namespace ym::convert
