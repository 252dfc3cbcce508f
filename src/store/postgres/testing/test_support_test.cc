#include "store/postgres/testing/test_support.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include "store/postgres/connection.h"

namespace ym::postgres {
namespace {

namespace fs = std::filesystem;

// Debian keeps the server's programs out of the path, one folder for each version.
fs::path program(std::string_view name) {
  fs::path newest;
  for (const auto& version : fs::directory_iterator("/usr/lib/postgresql"))
    if (fs::exists(version.path() / "bin" / name)) newest = std::max(newest, version.path() / "bin" / name);
  if (newest.empty()) throw std::runtime_error("there is no PostgreSQL server: apt-get install postgresql-15");
  return newest;
}

pid_t start_process(const fs::path& file, const std::vector<std::string>& words, const fs::path& log) {
  std::vector<char*> argv;
  std::vector<std::string> copy{file.string()};
  copy.insert(copy.end(), words.begin(), words.end());
  for (auto& word : copy) argv.push_back(word.data());
  argv.push_back(nullptr);
  const passwd* unprivileged = ::getuid() == 0 ? ::getpwnam("nobody") : nullptr;
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setpgid(0, 0);
  const bool ready = !unprivileged || (::setgroups(0, nullptr) == 0 && ::setgid(unprivileged->pw_gid) == 0 &&
                                       ::setuid(unprivileged->pw_uid) == 0);
  if (!ready) ::_exit(126);
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);  // it stops at once when the test program ends, in whatever way
  const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(out, 1);
  ::dup2(out, 2);
  ::execv(file.c_str(), argv.data());
  ::_exit(127);
}

// The children of a process, from /proc/*/stat: "pid (name) state ppid ...".
std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const pid_t process = std::atoi(entry.path().filename().c_str());
    if (process <= 0) continue;
    std::string text;
    std::getline(std::ifstream(entry.path() / "stat"), text);
    const auto end = text.rfind(')');
    if (end == std::string::npos || end + 4 > text.size()) continue;
    if (std::atoi(text.c_str() + end + 4) == parent) found.push_back(process);
  }
  return found;
}

// A process that only waits for its parent (a zombie) has closed all its files.
bool is_alive(pid_t process) {
  std::string text;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", process)), text);
  const auto end = text.rfind(')');
  return end != std::string::npos && end + 2 < text.size() && text[end + 2] != 'Z';
}

// In memory where there is room: the tests do not measure the disk.
fs::path roomy_folder() {
  const fs::path memory = "/dev/shm";
  std::error_code failed;
  const auto space = fs::space(memory, failed);
  const bool roomy = !failed && space.available > std::uintmax_t{512} << 20;
  return roomy && ::access(memory.c_str(), W_OK) == 0 ? memory : fs::temp_directory_path();
}

}  // namespace

TestServer::TestServer() {
  std::string name = (roomy_folder() / "ym-pg-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
  folder_ = name;
  if (const passwd* unprivileged = ::getuid() == 0 ? ::getpwnam("nobody") : nullptr)
    if (::chown(name.c_str(), unprivileged->pw_uid, unprivileged->pw_gid) != 0)
      throw std::runtime_error("cannot give the folder to `nobody`");
  int status = 0;
  ::waitpid(start_process(program("initdb"),
                          {"-D", (folder_ / "data").string(), "-A", "trust", "-U", "ym", "--no-sync", "-k", "-E",
                           "UTF8", "--locale=C"},
                          folder_ / "initdb.log"),
            &status, 0);
  if (status != 0) throw std::runtime_error("initdb failed: see " + folder_.string());
  start();
  // An ordinary role. Its privileges must be enough.
  const auto shell = must(Connection::open({.conninfo = conninfo("postgres", "ym"), .schema = "public"}));
  must(shell->execute("CREATE ROLE plain LOGIN"));
  must(shell->execute("CREATE DATABASE state OWNER plain"));
}

std::string TestServer::conninfo(std::string_view database, std::string_view role) const {
  return fmt::format("host={} dbname={} user={}", folder_.string(), database, role);
}

TestServer::~TestServer() {
  kill();
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

// Right after a SIGKILL the new server may find the old one's shared memory in use, and end.
void TestServer::start() {
  const auto place = conninfo("postgres", "ym");
  for (int i = 0; i < 600; ++i) {
    if (process_ > 0 && ::waitpid(process_, nullptr, WNOHANG) == process_) process_ = -1;
    if (process_ <= 0)
      process_ = start_process(program("postgres"),
                               {"-D", (folder_ / "data").string(), "-k", folder_.string(), "-c",
                                "listen_addresses=", "-c", "max_connections=50"},
                               folder_ / "server.log");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (PQping(place.c_str()) == PQPING_OK) return;
  }
  throw std::runtime_error("the server does not answer: see " + (folder_ / "server.log").string());
}

void TestServer::kill() {
  if (process_ <= 0) return;
  const auto children = children_of(process_);
  ::kill(process_, SIGKILL);
  for (const auto child : children) ::kill(child, SIGKILL);
  ::waitpid(process_, nullptr, 0);
  process_ = -1;
  for (const auto child : children)
    while (is_alive(child)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

PostgresOptions TestServer::fresh_place() {
  return {.conninfo = conninfo("state", "plain"), .schema = fmt::format("place_{}", ++places_), .initialise = true};
}

TestServer& shared_server() {
  static TestServer server;
  return server;
}

void expect_whole(Store& store, const testing::RandomHistory& history) {
  EXPECT_EQ(must(store.load()).tables, testing::unfinished(history.tables()));
  const auto reader = must(store.reader());
  std::vector<Event> events;
  while (true) {
    const auto page = must(reader->events({.after = events.size()}, 1000));
    if (page.empty()) break;
    events.insert(events.end(), page.begin(), page.end());
  }
  EXPECT_EQ(events, history.events());
}

}  // namespace ym::postgres
