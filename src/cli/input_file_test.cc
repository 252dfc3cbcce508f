#include "cli/input_file.h"

#include <filesystem>
#include <fstream>

#include "cli/testing/fake_server.h"

namespace ym::cli {
namespace {

std::string file_of(const std::string& name, const std::string& text) {
  const auto path = ::testing::TempDir() + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(InputFile, WhatCannotBeAFileOfQueuesIsNamedBeforeAnythingIsSent) {
  const std::vector<std::string> files{::testing::TempDir() + "ym_no_such_file",
                                       ::testing::TempDir(),
                                       file_of("ym_empty.yaml", ""),
                                       file_of("ym_image.yaml", std::string("\x89PNG\r\n\x1A\n\0", 9)),
                                       file_of("ym_large.pt", std::string("PK\x03\x04") + std::string(2 << 20, 'x')),
                                       file_of("ym_large.yaml", std::string(2 << 20, 'x'))};
  for (const auto& path : files)
    for (const auto& verb : std::initializer_list<std::vector<std::string>>{{"queue", "apply"}, {"policy", "apply"}}) {
      FakeSession fake;
      EXPECT_EQ(fake.run({verb[0], verb[1], "-f", path}), 2);
      expect_sentence(without_path(fake.err.str(), path));
      EXPECT_TRUE(fake.server.requests.empty());
    }
}

TEST(InputFile, AMistakeOfTheWholeTextNamesTheFile) {
  const auto path = file_of("ym_tab.yaml", "queues:\n\t- name: a\n");
  FakeSession fake;
  fake.server.on("POST /api/v1/queues",
                 {.status = 400, .body = R"({"code":"invalid","detail":"line 2: a tab","errors":[]})"});
  EXPECT_EQ(fake.run({"queue", "apply", "-f", path}), 2);
  expect_sentence(without_path(fake.err.str(), path));
}

TEST(InputFile, AMistakeOfTheRootIsSaidOnceBehindTheFile) {
  const auto path = file_of("ym_list.yaml", "- a\n");
  const std::string problem =
      R"({"code":"invalid","detail":"is a list","errors":[{"pointer":"","message":"is a list"}]})";
  FakeSession fake;
  fake.server.on("POST /api/v1/queues", {.status = 422, .body = problem});
  EXPECT_EQ(fake.run({"queue", "apply", "-f", path}), 2);
  expect_sentence(without_path(fake.err.str(), path));
}

TEST(InputFile, WhatIsWrongWithTheServerIsNotTheFiles) {
  const auto path = file_of("ym_queues.yaml", "queues: []\n");
  FakeSession fake;
  fake.server.on("POST /api/v1/queues", {.status = 403, .body = R"({"code":"forbidden","detail":"not for you"})"});
  EXPECT_EQ(fake.run({"queue", "apply", "-f", path}), 5);
  expect_sentence(fake.err.str());
}

TEST(InputFile, AConfigurationsMistakesAreSaidOnceEachWithTheFile) {
  FakeSession fake;
  EXPECT_EQ(report(fake.session, Error{.code = ErrorCode::invalid,
                                       .message = "c.yaml: /a: is odd; and 1 more",
                                       .fields = {{"/a", "is odd"}, {"/b", "is even"}}}),
            2);
  expect_sentence(fake.err.str());
}

}  // namespace
}  // namespace ym::cli
