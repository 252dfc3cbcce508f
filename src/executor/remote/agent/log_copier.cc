#include "executor/remote/agent/log_copier.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/plain_file.h"

namespace ym::remote {
namespace {

constexpr int kLookMs = 1000;         // if inotify is not available
constexpr int kWriteTimeoutMs = 200;  // of one wait for the reader of the output
constexpr std::size_t kPiece = 4096;  // a writable pipe takes this much without blocking

void drain(int fd) {
  std::array<char, 4096> ignored;
  while (::read(fd, ignored.data(), ignored.size()) > 0) {
  }
}

}  // namespace

LogCopier::LogCopier(std::string log, int out)
    : log_(std::move(log)),
      out_(out),
      changes_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      done_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  const auto folder = log_.substr(0, log_.rfind('/'));
  const auto watch = [this](const std::string& path, std::uint32_t events) {
    return changes_ && ::inotify_add_watch(changes_.get(), path.c_str(), events) >= 0;
  };
  // The user's inotify watches may be used up.
  if (!watch(log_, IN_MODIFY) && !watch(folder, IN_CREATE | IN_MODIFY)) changes_.reset();
  thread_ = std::thread([this] { run(); });
}

LogCopier::~LogCopier() {
  given_up_ = true;
  ::eventfd_write(wake_.get(), 1);
  thread_.join();
}

void LogCopier::finish(Duration timeout) {
  last_round_ = true;
  ::eventfd_write(wake_.get(), 1);
  pollfd done{.fd = done_.get(), .events = POLLIN, .revents = 0};
  ::poll(&done, 1, static_cast<int>(timeout.ms));
}

void LogCopier::run() {
  while (!given_up_) {
    const bool last = last_round_;
    while (!given_up_ && copy_some()) {
    }
    if (last) break;
    std::array<pollfd, 2> changed{
        {{.fd = wake_.get(), .events = POLLIN, .revents = 0}, {.fd = changes_.get(), .events = POLLIN, .revents = 0}}};
    ::poll(changed.data(), changed.size(), changes_ ? kLookMs * 60 : kLookMs);
    drain(wake_.get());
    if (changes_) drain(changes_.get());
  }
  ::eventfd_write(done_.get(), 1);
}

bool LogCopier::copy_some() {
  if (!file_) file_ = open_plain_file(AT_FDCWD, log_.c_str()).value_or(Fd());
  if (!file_) return false;
  std::array<char, kPiece> piece;
  const ssize_t read = ::read(file_.get(), piece.data(), piece.size());
  for (ssize_t done = 0; done < read && !given_up_;) {
    pollfd taker{.fd = out_, .events = POLLOUT, .revents = 0};
    if (::poll(&taker, 1, kWriteTimeoutMs) == 0) continue;
    const ssize_t n = ::write(out_, piece.data() + done, static_cast<std::size_t>(read - done));
    if (n < 0 && errno != EINTR && errno != EAGAIN) given_up_ = true;  // the output has no reader
    if (n > 0) done += n;
  }
  return read > 0;
}

}  // namespace ym::remote
