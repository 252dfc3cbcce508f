#include "base/testing/sentences.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"

namespace ym::testing {
namespace {

// By section: "spec JobFile.RefusesAnUnknownKey".
using Sections = std::map<std::string, std::vector<std::string>>;

const std::filesystem::path& golden_file() {
  static const std::filesystem::path path = std::filesystem::path(YM_SOURCE_DIR) / "tests/sentences.txt";
  return path;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

// As one line that is never empty and never looks like a section.
std::string line_of(std::string_view sentence) {
  return "  " + replaced(replaced(std::string(sentence), "\\", "\\\\"), "\n", "\\n");
}

Sections read_sections() {
  Sections sections;
  std::vector<std::string>* section = nullptr;
  std::ifstream file(golden_file());
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("  ") && section != nullptr) section->push_back(line);
    else if (!line.empty() && !line.starts_with('#')) section = &sections[line];
  }
  return sections;
}

void write_sections(const Sections& sections) {
  std::ofstream file(golden_file(), std::ios::trunc);
  file << "# What messages say: a section for each test (src/base/testing/sentences.h).\n"
          "# Written by the test programs with YM_WRITE_SENTENCES=1.\n";
  for (const auto& [name, lines] : sections) {
    file << '\n' << name << '\n';
    for (const std::string& line : lines) file << line << '\n';
  }
  EXPECT_TRUE(file.flush());
}

std::string program_name() {
  const std::string file = std::filesystem::read_symlink("/proc/self/exe").filename().string();
  return file.substr(0, file.rfind("_test"));
}

std::string section_of(const ::testing::TestInfo& test) {
  return program_name() + " " + test.test_suite_name() + "." + test.name();
}

class Listener : public ::testing::EmptyTestEventListener {
 public:
  void check(std::string_view sentence, const std::source_location& where) {
    const std::string section = section_of(*::testing::UnitTest::GetInstance()->current_test_info());
    std::vector<std::string>& lines = said_[section];
    lines.push_back(line_of(sentence));
    if (writes_) return;
    const std::vector<std::string>& wanted = golden_[section];
    const std::string expected = lines.size() <= wanted.size() ? wanted[lines.size() - 1] : "  (no such sentence)";
    if (expected != lines.back())
      ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line()))
          << "tests/sentences.txt, " << section << ", sentence " << lines.size() << ":\n"
          << expected << "\nbut it is:\n"
          << lines.back();
  }

  void OnTestEnd(const ::testing::TestInfo& test) override {
    const std::string section = section_of(test);
    const auto wanted = golden_.find(section);
    if (writes_ || wanted == golden_.end() || test.result()->Failed() || test.result()->Skipped()) return;
    EXPECT_GE(said_[section].size(), wanted->second.size()) << "tests/sentences.txt has more sentences for " << section;
  }

  // Other test programs may write at the same time.
  void OnTestProgramEnd(const ::testing::UnitTest&) override {
    if (!writes_) return;
    const Fd lock{::open(golden_file().parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    EXPECT_EQ(::flock(lock.get(), LOCK_EX), 0);
    Sections sections = read_sections();
    for (const auto& [name, lines] : said_) sections[name] = lines;
    write_sections(sections);
  }

 private:
  Sections golden_ = read_sections();
  Sections said_;
  const bool writes_ = std::getenv("YM_WRITE_SENTENCES") != nullptr;
};

// GoogleTest owns it.
Listener& listener() {
  static Listener* const one = [] {
    auto made = std::make_unique<Listener>();
    Listener* const kept = made.get();
    ::testing::UnitTest::GetInstance()->listeners().Append(made.release());
    return kept;
  }();
  return *one;
}

}  // namespace

void expect_sentence(std::string_view sentence, std::source_location where) { listener().check(sentence, where); }

void expect_error(const Error& error, ErrorCode code, std::string_view pointer, std::source_location where) {
  const ::testing::ScopedTrace trace(where.file_name(), static_cast<int>(where.line()), error.message);
  EXPECT_EQ(to_string(error.code), to_string(code));
  EXPECT_EQ(error.fields.empty() ? std::string_view{} : error.fields.front().pointer, pointer);
  expect_sentence(error.message, where);
}

void report_result(std::source_location where) {
  ADD_FAILURE_AT(where.file_name(), static_cast<int>(where.line())) << "expected an error, and got a result";
}

}  // namespace ym::testing
