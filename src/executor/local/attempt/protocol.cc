#include "executor/local/attempt/protocol.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/whole_number.h"
#include "executor/local/attempt/files.h"
#include "executor/local/attempt/layout.h"
#include "executor/local/attempt/record.h"

namespace ym::local {
namespace {

constexpr std::string_view kGreeting = "ym-supervisor ";
constexpr std::string_view kProgress = "progress ", kEnd = "end ";
constexpr std::size_t kEndWords = 9;  // the message follows them
// A report with its frame. The kernel accepts a line of this size whole or not at all.
constexpr std::size_t kMaxLine = std::size_t{20} << 10;
static_assert(kMaxLine > kMaxReport + 64);

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const auto end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

sockaddr_un address_in(int task_folder) {
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const auto path = "/proc/self/fd/" + std::to_string(task_folder) + "/" + kSocketFile;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

// The socket API takes addresses of all families through one pointer type.
const sockaddr* generic(const sockaddr_un& address) { return reinterpret_cast<const sockaddr*>(&address); }

Fd new_socket() { return Fd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)}; }

}  // namespace

std::string greeting(const Token& token, std::int32_t task) {
  return std::string(kGreeting) + std::to_string(kProtocolVersion) + " " + to_string(token) + " " +
         std::to_string(task);
}

std::optional<std::int64_t> greeted_version(std::string_view line, const Token& token, std::int32_t task) {
  const auto words = words_of(line);
  if (!line.starts_with(kGreeting) || words.size() < 4) return std::nullopt;
  const auto version = whole_number<std::int64_t>(words[1]);
  const bool ours =
      version && understood(*version) && parse_token(words[2]) == token && whole_number<std::int64_t>(words[3]) == task;
  return ours ? version : std::nullopt;
}

std::string stop_line(const StopRequest& request) {
  return "stop " + std::string(to_string(request.cause)) + " " + request.signal + " " +
         std::to_string(request.grace.ms);
}

std::optional<StopRequest> parse_stop(std::string_view line) {
  const auto words = words_of(line);
  if (words.size() != 4 || words[0] != "stop") return std::nullopt;
  const auto cause = parse_enum<StopCause>(words[1]);
  const auto grace = whole_number<std::int64_t>(words[3]);
  if (!cause || !grace || *grace < 0) return std::nullopt;
  return StopRequest{.cause = *cause, .signal = std::string(words[2]), .grace = {*grace}};
}

std::string end_line(const ExitRecord& record) {
  const auto& exit = record.exit;
  const auto number = [](const auto& value) { return value ? std::to_string(*value) : std::string("-"); };
  auto line = std::string(kEnd).append(to_string(exit.by));
  for (const auto& word :
       {number(exit.exit_code), number(exit.signal), std::to_string(exit.permanent), std::to_string(exit.forced),
        std::to_string(exit.at.ms), std::to_string(record.log_bytes), std::to_string(record.log_dropped)})
    line.append(" ").append(word);
  return line.append(" ").append(as_one_line(exit.message));
}

std::optional<ExitRecord> parse_end(std::string_view line) {
  if (!line.starts_with(kEnd)) return std::nullopt;
  const auto words = words_of(line);
  if (words.size() < kEndWords) return std::nullopt;
  const auto by = parse_enum<EndedBy>(words[1]);
  const auto at = whole_number<std::int64_t>(words[6]), kept = whole_number<std::int64_t>(words[7]),
             dropped = whole_number<std::int64_t>(words[8]);
  if (!by || !at || !kept || !dropped) return std::nullopt;
  std::string message;
  for (auto i = kEndWords; i < words.size(); ++i) message.append(message.empty() ? "" : " ").append(words[i]);
  return ExitRecord{.exit = {.by = *by,
                             .exit_code = whole_number<std::int32_t>(words[2]),
                             .signal = whole_number<std::int32_t>(words[3]),
                             .message = std::move(message),
                             .permanent = words[4] == "1",
                             .forced = words[5] == "1",
                             .at = {*at}},
                    .log_bytes = *kept,
                    .log_dropped = *dropped};
}

std::string progress_line(const RawReport& report) { return std::string(kProgress) + encode(report); }

std::optional<RawReport> parse_progress(std::string_view line) {
  if (!line.starts_with(kProgress)) return std::nullopt;
  return parse_raw_report(line.substr(kProgress.size()));
}

bool LineReader::read(int fd, std::vector<std::string>& lines) {
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t n = ::read(fd, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno == EAGAIN;
    if (n == 0) return false;
    rest_.append(block.data(), static_cast<std::size_t>(n));
    for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      lines.push_back(rest_.substr(0, end));
      rest_.erase(0, end + 1);
    }
    if (rest_.size() > kMaxLine) return false;
  }
}

bool send_line(int fd, std::string_view line) {
  const auto text = std::string(line) + "\n";
  return ::send(fd, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(text.size());
}

Result<Fd> listen_on(int task_folder) {
  Fd fd = new_socket();
  if (!fd) return std::unexpected(os_error("socket"));
  ::unlinkat(task_folder, kSocketFile, 0);
  const auto address = address_in(task_folder);
  if (::bind(fd.get(), generic(address), sizeof address) != 0) return std::unexpected(os_error("bind"));
  if (::listen(fd.get(), 16) != 0) return std::unexpected(os_error("listen"));
  return fd;
}

Result<Fd> connect_to(int task_folder) {
  Fd fd = new_socket();
  if (!fd) return std::unexpected(os_error("socket"));
  const auto address = address_in(task_folder);
  if (::connect(fd.get(), generic(address), sizeof address) != 0) return std::unexpected(os_error("connect"));
  if (!same_user(fd.get())) return fail(ErrorCode::forbidden, "the socket belongs to another user");
  return fd;
}

bool same_user(int fd) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == ::geteuid();
}

}  // namespace ym::local
