#include "cli/autostart.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "cli/http/url.h"
#include "cli/term/text.h"
#include "net/url.h"

namespace ym::cli {
namespace {

namespace fs = std::filesystem;

constexpr Duration kReadyWithin = seconds(60);
constexpr Duration kLook{50};
constexpr Duration kOtherWithin = seconds(3);
constexpr const char* kAnyPort = "0";

bool answers(Session& session) {
  auto api = session.connect();
  return api && api->get("/healthz");
}

std::string end_of(const fs::path& log) {
  constexpr std::streamoff kBytes = 2000;
  std::ifstream file(log, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const auto size = static_cast<std::streamoff>(file.tellg());
  file.seekg(std::max<std::streamoff>(0, size - kBytes));
  std::string text(static_cast<std::size_t>(std::min(size, kBytes)), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  return printable(text);
}

Result<std::string> own_program() {
  std::error_code failed;
  const auto path = fs::read_symlink("/proc/self/exe", failed);
  if (failed)
    return fail(ErrorCode::unavailable, "cannot find the program `ym` itself; start the server with `ym serve`");
  return path.string();
}

struct SpawnSettings {
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};
  SpawnSettings() {
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnSettings() {
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

// The server gets a session of its own: neither Ctrl-C nor the end of this terminal reaches it.
Result<pid_t> spawn_server(const fs::path& state, const fs::path& log, const std::string& port) {
  const auto program = own_program();
  if (!program) return std::unexpected(program.error());
  std::vector<std::string> words{"ym",          "serve", "--state", state.string(), "--listen", "127.0.0.1:" + port,
                                 "--idle-exit", "10m"};
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  SpawnSettings settings;
  ::posix_spawn_file_actions_addopen(&settings.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&settings.files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::posix_spawn_file_actions_adddup2(&settings.files, STDOUT_FILENO, STDERR_FILENO);
  ::posix_spawn_file_actions_addclosefrom_np(&settings.files, STDERR_FILENO + 1);
  // The submitter's folder may be removed. The state folder stays.
  ::posix_spawn_file_actions_addchdir_np(&settings.files, state.c_str());
  ::posix_spawnattr_setflags(&settings.attributes, POSIX_SPAWN_SETSID);
  pid_t pid = 0;
  const int failed =
      ::posix_spawn(&pid, program->c_str(), &settings.files, &settings.attributes, arguments.data(), environ);
  if (failed != 0) return fail(ErrorCode::unavailable, fmt::format("cannot start a server: {}", std::strerror(failed)));
  return pid;
}

// Running jobs keep the address that they got at their start. If the last server left its server.json behind, the new
// one tries to listen at the same port.
std::string port_of_last(const Result<Discovered>& found) {
  const auto address = found ? net::parse_url(found->connection.url) : std::unexpected(found.error());
  return address && address->port != 0 ? std::to_string(address->port) : kAnyPort;
}

void make_folder(const fs::path& state) {
  std::error_code failed;
  fs::create_directories(state.parent_path(), failed);
  if (fs::create_directory(state, failed)) fs::permissions(state, fs::perms::owner_all, failed);
}

enum class Start : std::uint8_t { answers, ended, silent };

// `linger`: how long to wait for an answer after the process has ended.
Start wait_for_answer(Session& session, pid_t pid, Instant until, Duration linger) {
  std::optional<Instant> ended;
  while (session.now() < until && !session.interrupted()) {
    if (answers(session)) return Start::answers;
    if (!ended && ::waitpid(pid, nullptr, WNOHANG) == pid) ended = session.now();
    if (ended && session.now() - *ended >= linger) return Start::ended;
    session.sleep(kLook);
  }
  return Start::silent;
}

}  // namespace

Result<void> ensure_server(Session& session) {
  if (answers(session)) return {};
  const auto found = discover(session.flags, session.environment);
  if (found && found->is_explicit)
    return fail(ErrorCode::unavailable, fmt::format("no server answers at {}", found->connection.url));
  if (!found && found.error().code != ErrorCode::unavailable) return std::unexpected(found.error());
  const auto state = default_state_dir(session.environment);
  if (!state) return std::unexpected(state.error());
  make_folder(*state);
  const auto log = *state / "server.log";
  const auto until = session.now() + kReadyWithin;
  std::string port = port_of_last(found);
  for (;;) {
    const auto pid = spawn_server(*state, log, port);
    if (!pid) return std::unexpected(pid.error());
    session.err << fmt::format("started a server (pid {}, state in {}); it leaves when idle\n", *pid, state->string());
    // If two servers start at once, one of them ends and the other one answers. If another program has the earlier
    // port, the second try takes any free port.
    const auto start = wait_for_answer(session, *pid, until, port == kAnyPort ? kOtherWithin : Duration{0});
    if (start == Start::answers) return {};
    if (start == Start::silent || std::exchange(port, kAnyPort) == kAnyPort) break;
  }
  return fail(ErrorCode::unavailable,
              fmt::format("the server did not start; {} ends with: {}", log.string(), end_of(log)));
}

}  // namespace ym::cli
