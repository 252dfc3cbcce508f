#include "base/plain_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace ym {

static_assert(kNoPlainFile == EMEDIUMTYPE);

std::expected<Fd, int> open_plain_file(int folder, const char* path) {
  Fd file{::openat(folder, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)};
  if (!file) return std::unexpected(errno == ENXIO ? kNoPlainFile : errno);
  struct stat about{};
  if (::fstat(file.get(), &about) != 0) return std::unexpected(errno);
  if (!S_ISREG(about.st_mode)) return std::unexpected(kNoPlainFile);
  return file;
}

}  // namespace ym
