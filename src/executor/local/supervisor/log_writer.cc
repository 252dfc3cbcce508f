#include "executor/local/supervisor/log_writer.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/plain_file.h"

namespace ym::local {
namespace {

constexpr int kBlocksAtATime = 16;  // then the other work has its turn

}  // namespace

std::string readable_size(std::int64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{" bytes", " KiB", " MiB", " GiB"};
  std::size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + kUnits[unit];
}

LogWriter::LogWriter(int task_folder, std::string path, std::int64_t cap)
    : folder_(task_folder), path_(std::move(path)), cap_(cap) {
  open();
}

bool LogWriter::open() {
  if (file_) return true;
  constexpr int kAppend = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
  file_ = Fd{::openat(folder_, path_.c_str(), kAppend, 0600)};
  if (!file_) error_ = errno;
  struct stat about{};
  const bool is_plain = file_ && ::fstat(file_.get(), &about) == 0 && S_ISREG(about.st_mode);
  if (file_ && !is_plain) {
    error_ = kNoPlainFile;
    file_.reset();
  }
  return is_plain;
}

LogWriter::Pumped LogWriter::pump(int pipe, const std::function<void(std::string_view)>& tap) {
  for (int i = 0; i < kBlocksAtATime; ++i) {
    const ssize_t n = ::read(pipe, block_.get(), kBlock);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Pumped::idle;
    if (n == 0) return Pumped::end;
    const std::string_view piece{block_.get(), static_cast<std::size_t>(n)};
    take(piece);
    if (tap) tap(piece);
  }
  return Pumped::more;
}

void LogWriter::take(std::string_view data) {
  if (capped_) {
    dropped_ += static_cast<std::int64_t>(data.size());
    return;
  }
  mark_loss();
  const auto room = static_cast<std::size_t>(std::max<std::int64_t>(cap_ - kept_, 0));
  const auto wanted = data.substr(0, room);
  const auto stored = store(wanted);
  kept_ += static_cast<std::int64_t>(stored);
  dropped_ += static_cast<std::int64_t>(data.size() - stored);
  if (stored < wanted.size()) unmarked_ += static_cast<std::int64_t>(wanted.size() - stored);
  if (data.size() > room) mark_cap();
}

void LogWriter::mark_cap() {
  capped_ = true;
  store("\n[yardmaster: output past " + readable_size(cap_) + " is not kept]\n");
}

// Called for each new block: the disk may have room again.
void LogWriter::mark_loss() {
  if (unmarked_ == 0) return;
  const auto text = "\n[yardmaster: " + std::to_string(unmarked_) +
                    " bytes of output could not be kept: " + ::strerrordesc_np(error_) + "]\n";
  if (store(text) == text.size()) unmarked_ = 0;
}

std::size_t LogWriter::store(std::string_view data) {
  if (!open()) return 0;
  std::size_t done = 0;
  while (done < data.size()) {
    const ssize_t n = ::write(file_.get(), data.data() + done, data.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) {
      error_ = errno;
      break;
    }
    done += static_cast<std::size_t>(n);
  }
  return done;
}

void LogWriter::note(std::string_view text) { store("[yardmaster: " + std::string(text) + "]\n"); }

void LogWriter::finish() {
  mark_loss();
  file_.reset();
}

}  // namespace ym::local
