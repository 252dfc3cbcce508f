#include "cli/cli.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <thread>

#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "cli/verbs/command_line.h"

namespace ym {
namespace {

// Starts at wall time, because it is compared with times of the server. Advances with the monotonic clock, because it
// measures waits.
std::function<Instant()> clock_from_now() {
  using namespace std::chrono;
  const auto wall = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  return [wall, begin = steady_clock::now()] {
    return Instant{wall + duration_cast<milliseconds>(steady_clock::now() - begin).count()};
  };
}

void sleep_interruptibly(Duration duration) {
  constexpr std::int64_t kStep = 50;
  for (auto left = duration.ms; left > 0 && !cli::was_interrupted(); left -= kStep)
    std::this_thread::sleep_for(std::chrono::milliseconds(std::min(left, kStep)));
}

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

int run_cli(int argc, char** argv, const CliEnvironment& environment) {
  cli::Session session{.in = std::cin,
                       .out = std::cout,
                       .err = std::cerr,
                       .terminal = cli::detect_terminal(),
                       .environment = environment_variable,
                       .connector = cli::make_http_transport,
                       .now = clock_from_now(),
                       .sleep = sleep_interruptibly,
                       .interrupted = cli::was_interrupted,
                       .watch_interrupt = cli::note_interrupts,
                       .program = environment,
                       .flags = {}};
  try {
    const int code = cli::run_words({argv + std::min(argc, 1), argv + argc}, session);
    errno = 0;
    std::cout << std::flush;
    if (std::cout) return code;
    const std::string why = errno != 0 ? std::strerror(errno) : "a part of it is lost";
    std::cerr << "ym: cannot write to standard output: " << why << '\n';
    return code != 0 ? code : cli::to_int(cli::ExitCode::job_failed);
  } catch (const std::filesystem::filesystem_error& broken) {
    const auto here = cli::current_folder();
    std::cerr << "ym: " << (here ? broken.what() : here.error().message) << '\n';
    return cli::to_int(cli::ExitCode::usage);
  } catch (const std::exception& broken) {
    std::cerr << "ym: " << broken.what() << '\n';
    return cli::to_int(cli::ExitCode::unreachable);
  }
}

}  // namespace ym
