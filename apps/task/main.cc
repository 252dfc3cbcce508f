// ym-task: runs beside one task of one attempt on a node of a cluster. Started by an executor, never by hand; see
// src/executor/remote/wrapper/.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "executor/remote/wrapper/task_wrapper.h"

namespace {

using namespace ym;

// From now on they are read from a descriptor, by whichever thread.
void take_signals() {
  sigset_t ending;
  ::sigemptyset(&ending);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&ending, signal);
  ::sigprocmask(SIG_BLOCK, &ending, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

void close_input() {
  const int null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  ::dup2(null, STDIN_FILENO);
  if (null > STDIN_FILENO) ::close(null);
}

// Where our standard error is part of what user code is shown as its log. It stays where the file cannot be had.
void redirect_messages() {
  const char* path = std::getenv("YM_TASK_MESSAGES");
  const int file = path && *path ? ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  ::dup2(file, STDERR_FILENO);
  ::close(file);
}

int fail_with(const std::string& message) {
  std::fprintf(stderr, "ym-task: %s\n", message.c_str());
  return remote::kNotRunExit;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("ym-task " YM_VERSION);
    return 0;
  }
  if (argc != 1) {
    std::fputs(
        "usage: ym-task\n\nym has this program started beside every task on a cluster; it is not for use by hand.\n",
        stderr);
    return 2;
  }
  take_signals();
  close_input();
  redirect_messages();
  // Nobody of user code's reads the token out of our memory or environment.
  ::prctl(PR_SET_DUMPABLE, 0);
  auto config = remote::read_config(remote::own_environment(), argv[0]);
  if (!config) return fail_with(config.error().message);
  auto client =
      net::HttpClient::make({.url = config->origin, .tls = {.ca_file = config->ca_file}, .kept_connections = 2});
  if (!client) return fail_with(client.error().message);
  return remote::TaskWrapper{std::move(*config), std::move(*client), STDOUT_FILENO}.run();
}
