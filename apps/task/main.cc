// ym-task: runs beside one task of one attempt on a node of a cluster. An executor starts it, never a user; see
// src/executor/remote/agent/.
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

#include "executor/remote/agent/own_output.h"
#include "executor/remote/agent/script_settings.h"
#include "executor/remote/agent/task_agent.h"

namespace {

using namespace ym;

// Signals are read from a descriptor after this, by any thread.
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

int fail_with(const Error& error, int status = remote::kNotRunExit) {
  std::fprintf(stderr, "ym-task: %s\n", error.message.c_str());
  return status;
}

int run(const char* script) {
  auto waiting = remote::WaitingSupervisor::create();
  if (!waiting) return fail_with(waiting.error());
  auto env = remote::own_environment();
  if (script)
    if (const auto read = remote::add_settings(script, env); !read) return fail_with(read.error());
  if (const auto open = remote::redirect_output(env); !open) return fail_with(open.error(), remote::kNoOutputExit);
  auto config = remote::read_config(std::move(env));
  if (!config) return fail_with(config.error());
  auto client =
      net::HttpClient::make({.url = config->origin, .tls = {.ca_file = config->ca_file}, .kept_connections = 2});
  if (!client) return fail_with(client.error());
  return remote::TaskAgent{std::move(*config), std::move(*waiting), std::move(*client), STDOUT_FILENO}.run();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
    std::puts("ym-task " YM_VERSION);
    return 0;
  }
  if (argc > 2 || (argc == 2 && argv[1][0] != '/')) {
    std::fputs(
        "usage: ym-task [SCRIPT]\n\nym starts this program beside each task on a cluster. Do not start it by hand.\n"
        "hand.\n",
        stderr);
    return 2;
  }
  take_signals();
  close_input();
  // The threads allocate little. A heap for each would cost more than it saves.
  ::mallopt(M_ARENA_MAX, 1);
  // User code must not read the token from this program's memory or environment.
  ::prctl(PR_SET_DUMPABLE, 0);
  return run(argc == 2 ? argv[1] : nullptr);
}
