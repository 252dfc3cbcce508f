#include "cli/audit_export.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

namespace fs = std::filesystem;

// `ym audit export --follow` to a file. Its sleeps are counted; the last one ends it.
class Export : public ::testing::Test {
 protected:
  ~Export() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::string record(int seq) {
    return fmt::format(R"({{"seq":{},"time":"2026-11-30T10:02:11.318Z","actor":"ann"}})", seq);
  }
  static std::string after(int seq) { return fmt::format("GET /api/v1/audit?after={}&limit=200", seq); }

  // Ends at the sleep of this number.
  int follow(std::vector<std::string> more = {}, int most_sleeps = 1) {
    fake_.interrupted = false;
    fake_.session.sleep = [this, most_sleeps](Duration duration) {
      sleeps_.push_back(duration);
      fake_.interrupted = std::cmp_equal(sleeps_.size(), most_sleeps);
      if (on_sleep_) on_sleep_();
    };
    sleeps_.clear();
    std::vector<std::string> words{"audit", "export", "--follow", "--to", path("out"), "--state", path("place")};
    words.insert(words.end(), more.begin(), more.end());
    return fake_.run(words);
  }

  FakeSession fake_;
  std::vector<Duration> sleeps_;
  std::function<void()> on_sleep_;
  const fs::path folder_ = [] {
    auto folder = fs::path(::testing::TempDir()) / fmt::format("ym_export_{}", ::getpid());
    fs::create_directories(folder);
    return folder;
  }();
};

TEST_F(Export, KeepsItsPlace) {
  fake_.server.on(after(0), list_json(record(3) + "," + record(5)));
  EXPECT_EQ(follow(), 0) << fake_.err.str();
  EXPECT_EQ(text_of(path("out")), record(3) + "\n" + record(5) + "\n");
  EXPECT_EQ(text_of(path("place")), "5\n");
  fake_.server.on(after(5), list_json(record(7)));
  EXPECT_EQ(follow(), 0) << fake_.err.str();
  EXPECT_EQ(text_of(path("out")), record(3) + "\n" + record(5) + "\n" + record(7) + "\n");
  EXPECT_EQ(text_of(path("place")), "7\n");
}

TEST_F(Export, BeginsWhereItIsTold) {
  fake_.server.on(after(4), list_json(record(5)));
  EXPECT_EQ(follow({"--after", "4", "--format", "k8s"}), 0) << fake_.err.str();
  EXPECT_NE(text_of(path("out")).find(R"("auditID":"yardmaster-5")"), std::string::npos);
}

TEST_F(Export, WithoutRecordsItGoesOnAtTheEndOfTheLog) {
  fake_.server.on(after(0), list_json(""));
  fake_.server.on(after(7), list_json(""));
  EXPECT_EQ(follow({}, 2), 0) << fake_.err.str();
  EXPECT_EQ(fake_.server.requests.size(), 2u);
  EXPECT_EQ(sleeps_, (std::vector<Duration>{seconds(1), seconds(1)}));
  EXPECT_EQ(text_of(path("place")), "0\n") << "written for records only";
}

TEST_F(Export, WaitsForTheSinkAndLosesNothing) {
  fake_.server.on(after(0), list_json(""));
  fake_.server.on(after(7), list_json(record(9)));
  on_sleep_ = [&] {
    // A folder in place of the file.
    if (sleeps_.size() == 1) {
      fs::remove(path("out"));
      fs::create_directory(path("out"));
    }
    if (sleeps_.size() == 4) fs::remove(path("out"));
  };
  EXPECT_EQ(follow({}, 5), 0) << fake_.err.str();
  EXPECT_EQ(sleeps_, (std::vector<Duration>{seconds(1), seconds(1), seconds(2), seconds(4), seconds(1)}));
  EXPECT_EQ(text_of(path("out")), record(9) + "\n");
  EXPECT_EQ(text_of(path("place")), "9\n");
}

TEST_F(Export, WaitsForTheServer) {
  fake_.server.on(after(0), Answer{.status = 503, .body = R"({"code":"unavailable","detail":"away"})"});
  fake_.server.on(after(0), Answer{.absent = true});
  fake_.server.on(after(0), list_json(record(3)));
  EXPECT_EQ(follow({}, 3), 0) << fake_.err.str();
  EXPECT_EQ(text_of(path("out")), record(3) + "\n");
}

TEST_F(Export, ARefusalOfTheServerEndsIt) {
  fake_.server.on(after(0), Answer{.status = 401, .body = R"({"code":"unauthenticated","detail":"no"})"});
  EXPECT_EQ(follow(), 4);
  fake_.server.set(after(0), Answer{.status = 403, .body = R"({"code":"forbidden","detail":"no"})"});
  EXPECT_EQ(follow(), 5);
  EXPECT_EQ(text_of(path("out")), "");
}

TEST_F(Export, AFileThatHoldsNoPlaceIsRefused) {
  for (const auto* bad : {"", "x", "5 6", "-1"}) {
    std::ofstream(path("place")) << bad;
    EXPECT_EQ(follow(), 2) << bad;
  }
  EXPECT_TRUE(fake_.server.requests.empty());
}

TEST_F(Export, ALogThatWasSetBackIsToldOnce) {
  std::ofstream(path("place")) << "99\n";
  fake_.server.on(after(99), list_json(""));
  EXPECT_EQ(follow({}, 3), 0);
  const auto said = fake_.err.str();
  const auto first = said.find("ends at event 7");
  EXPECT_NE(first, std::string::npos) << said;
  EXPECT_EQ(said.find("ends at event 7", first + 1), std::string::npos) << said;
}

TEST_F(Export, ItsWordsBelongTogether) {
  const std::vector<std::vector<std::string>> bad{{"--follow"},
                                                  {"--follow", "--to", "/x"},
                                                  {"--to", "/x"},
                                                  {"--state", "/x"},
                                                  {"--follow", "--to", "/x", "--state", "/y", "--limit", "5"},
                                                  {"--follow", "--to", "ftp://x/y", "--state", "/y"},
                                                  {"--follow", "--to", "https://u:p@x/y", "--state", "/y"}};
  for (auto words : bad) {
    words.insert(words.begin(), {"audit", "export"});
    EXPECT_EQ(fake_.run(words), 2) << words.back();
  }
}

}  // namespace
}  // namespace ym::cli
