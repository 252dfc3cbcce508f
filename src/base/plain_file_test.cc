#include "base/plain_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace ym {
namespace {

namespace fs = std::filesystem;

int error_of(const fs::path& path) {
  const auto opened = open_plain_file(AT_FDCWD, path.c_str());
  return opened ? 0 : opened.error();
}

TEST(PlainFile, NothingElseIsOpenedAndNothingIsWaitedFor) {
  const fs::path folder = fs::path(::testing::TempDir()) / "plain_file";
  fs::remove_all(folder);
  fs::create_directories(folder / "folder");
  std::ofstream(folder / "file") << "text";
  fs::create_symlink(folder / "file", folder / "link");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Fd socket{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_un name{.sun_family = AF_UNIX, .sun_path = {}};
  const auto path = (folder / "socket").string();
  ASSERT_LT(path.size(), sizeof name.sun_path);
  std::memcpy(name.sun_path, path.c_str(), path.size());
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name), 0);

  EXPECT_EQ(error_of(folder / "file"), 0);
  EXPECT_EQ(error_of("/proc/self/stat"), 0);
  EXPECT_EQ(error_of(folder / "none"), ENOENT);
  EXPECT_EQ(error_of(folder / "link"), ELOOP);
  for (const auto* other : {"folder", "pipe", "socket"}) EXPECT_EQ(error_of(folder / other), kNoPlainFile) << other;
  EXPECT_EQ(error_of("/dev/null"), kNoPlainFile);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ym
