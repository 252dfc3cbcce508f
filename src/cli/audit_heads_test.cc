#include "cli/audit_heads.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace ym::cli {
namespace {

namespace fs = std::filesystem;

// Files of notes.
class Heads : public ::testing::Test {
 protected:
  ~Heads() override { fs::remove(path_); }
  Result<KeptHeads> read(const std::string& text, const std::string& key = {}) const {
    std::ofstream(path_) << text;
    return read_heads(path_.string(), key);
  }
  static std::string note(const std::string& event, const std::string& chain) {
    return "yardmaster\n" + event + "\n" + chain + "\n\n\u2014 yardmaster AAAA\n\n";
  }

  const fs::path path_ = fs::path(::testing::TempDir()) / ("ym_heads_" + std::to_string(::getpid()));
};

TEST_F(Heads, ReadsEventAndChain) {
  const auto heads = read(note("5", "AQI=") + note("9", "Aw=="));
  ASSERT_TRUE(heads) << heads.error().message;
  EXPECT_EQ(*heads, (KeptHeads{{5, "0102"}, {9, "03"}}));
}

TEST_F(Heads, ReadsWhatSyslogServersWrite) {
  const auto line = [](const std::string& event, const std::string& chain, const std::string& dash) {
    return R"(Nov 30 10:02:11 head-1 yardmaster {"note":"yardmaster\n)" + event + R"(\n)" + chain + R"(\n\n)" + dash +
           " yardmaster AAAA\\n\"}\n";
  };
  const auto heads = read(line("5", "AQI=", "\u2014") + "another program's line\n" + line("9", "Aw==", "\\u2014"));
  ASSERT_TRUE(heads) << heads.error().message;
  EXPECT_EQ(*heads, (KeptHeads{{5, "0102"}, {9, "03"}}));
  EXPECT_EQ(read(line("5", "AQI=", "\u2014") + line("5", "Aw==", "\u2014")).error().code, ErrorCode::conflict);
  EXPECT_EQ(read(R"(head-1 yardmaster {"note":"yardmaster\n5)"
                 "\n")
                .error()
                .code,
            ErrorCode::invalid);
}

TEST_F(Heads, SkipsWhatWasNotWrittenToItsEnd) {
  const auto whole = note("5", "AQI=");
  for (std::size_t cut = 0; cut < whole.find("\u2014"); ++cut)
    EXPECT_EQ(read(whole.substr(0, cut) + "\n\n" + note("9", "Aw==")).value_or(KeptHeads{}), (KeptHeads{{9, "03"}}))
        << cut;
}

TEST_F(Heads, RefusesWhatIsNoHead) {
  for (const auto& bad :
       {std::string(), std::string("text\n"), note("x", "AQI="), note("5", "!"), std::string("\u2014 a b\n")})
    EXPECT_EQ(read(bad).error().code, ErrorCode::invalid) << bad;
  EXPECT_EQ(read_heads("/no/such", {}).error().code, ErrorCode::invalid);
}

TEST_F(Heads, TwoHeadsOfOneEventMustBeAlike) {
  EXPECT_TRUE(read(note("5", "AQI=") + note("5", "AQI=")));
  EXPECT_EQ(read(note("5", "AQI=") + note("5", "Aw==")).error().code, ErrorCode::conflict);
}

TEST_F(Heads, RefusesAWrongSignatureAndAWrongKey) {
  const std::string key = "yardmaster+00000000+AZ9r7skYY93lRP5zQNH+XM8963VSmIAGjOfMnlxvwwVd";
  const std::string wrong(92, 'A');
  const auto signed_wrongly = [](const std::string& text, const std::string& signature) {
    return "yardmaster\n5\nAQI=\n\n\u2014 yardmaster " + signature + "\n" + text;
  };
  EXPECT_EQ(read(signed_wrongly("\n", wrong), key).error().code, ErrorCode::conflict);
  EXPECT_EQ(read(signed_wrongly("AAAA\n", "AAAA"), key).error().code, ErrorCode::conflict) << "it goes on behind it";
  EXPECT_EQ(read(signed_wrongly("\n", "AAAA"), key).error().code, ErrorCode::conflict) << "an end that no cut has";
  EXPECT_EQ(read(signed_wrongly("yardmaster\n", std::string(40, 'A') + " " + std::string(51, 'A')), key).error().code,
            ErrorCode::conflict)
      << "a blank within a whole signature";
  for (const auto* after : {"", "yardmaster\n", "https://other.example/yardmaster\n9\n"})
    EXPECT_EQ(read(signed_wrongly(after, "AAAA"), key).error().code, ErrorCode::invalid) << "cut: there is no head";
  for (const auto* bad : {"yardmaster", "yardmaster+1", "yardmaster+1+AZ9r", "a+b+!"})
    EXPECT_EQ(read(note("5", "AQI="), bad).error().code, ErrorCode::invalid) << bad;
}

}  // namespace
}  // namespace ym::cli
