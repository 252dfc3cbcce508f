// Messages between executor and supervisors: records on disk, lines on a socket.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "executor/local/attempt/checksum.h"
#include "executor/local/attempt/end_record.h"
#include "executor/local/attempt/launch_barrier.h"
#include "executor/local/attempt/launch_record.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/protocol.h"
#include "executor/local/attempt/record.h"
#include "fuzz/must.h"

namespace {

using ym::fuzz::must;
using namespace ym::local;

const Claim kClaim{.version = kProtocolVersion, .token = {ym::JobId{33}, 2, 7}, .task = 0, .nonce = "n", .cgroups = {}};

// A temporary folder, in memory if possible.
class Folder {
 public:
  Folder() {
    path_ = ::access("/dev/shm", W_OK) == 0 ? "/dev/shm/ym-fuzz-XXXXXX" : "/tmp/ym-fuzz-XXXXXX";
    must(::mkdtemp(path_.data()) != nullptr, "a folder can be made");
    fd_ = ::open(path_.c_str(), O_DIRECTORY | O_CLOEXEC);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    for (const char* name : {kLaunchFile, kStartedFile, kExitFile}) ::unlinkat(fd_, name, 0);
    ::close(fd_);
    ::rmdir(path_.c_str());
  }

  int write(const char* name, const std::string& content) {
    const int file = ::openat(fd_, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    must(::write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size()),
         "a file can be written");
    ::close(file);
    return fd_;
  }

 private:
  std::string path_;
  int fd_ = -1;
};

void read_launch_in(int folder) {
  const auto launch = read_launch(folder);
  if (!launch) return must(!launch.error().message.empty(), "an error has a message");
  must(!launch->argv.empty(), "a launch has a program");
  must(launch->tasks >= 1 && launch->task_env.size() == static_cast<std::size_t>(launch->tasks), "it has its tasks");
  must(!encode(*launch).empty(), "it can be written again");
}

void read_started_in(int folder) {
  (void)read_started(folder, kClaim);
  (void)read_start_time(folder, kClaim);
}

void read_exit_in(int folder) {
  const auto end = read_exit(folder, kClaim);
  if (!end) return must(!end.error().message.empty(), "an error has a message");
  for (const auto& report : end->progress) must(report.text.size() <= kMaxReport, "a report is short");
}

void read_lines(std::string_view text) {
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (const auto version = greeted_version(line, kClaim.token, kClaim.task))
      must(understood(*version), "a greeting is of a version that is understood");
    if (const auto stop = parse_stop(line)) must(parse_stop(stop_line(*stop)).has_value(), "a stop can be said again");
    if (const auto report = parse_progress(line))
      must(parse_progress(progress_line(*report)) == report, "a report can be said again");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Folder folder;
  if (size == 0) return 0;
  const char kind = static_cast<char>(data[0]);
  std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  const bool as_it_is = kind >= 'A' && kind <= 'Z';
  if (kind != 'p' && !as_it_is) text += "sum " + hex(checksum(text)) + "\n";
  switch (kind | 0x20) {
    case 'l': read_launch_in(folder.write(kLaunchFile, text)); break;
    case 's': read_started_in(folder.write(kStartedFile, text)); break;
    case 'e': read_exit_in(folder.write(kExitFile, text)); break;
    case 'p': read_lines(text); break;
    default: break;
  }
  return 0;
}
