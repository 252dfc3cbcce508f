// floor: what the machine itself allows, to compare figures with. Prints one JSON object.
//
//     floor append DIR COUNT          appends 1 KiB and fdatasyncs it, COUNT times
//     floor spawn COUNT PROGRAM...    fork, exec and wait, one after the other
//     floor jobs DIR COUNT PARALLEL   for each: a process that starts a process, and the
//                                     record of its end made durable (what a supervised
//                                     job cannot do without)
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void die(const std::string& message) {
  fmt::print(stderr, "floor: {}\n", message);
  std::exit(2);
}

struct Times {
  double seconds = 0;
  std::vector<double> milliseconds;
};

Times repeat(long count, const std::function<void(long)>& act) {
  Times times;
  const auto begin = Clock::now();
  for (long i = 0; i < count; ++i) {
    const auto before = Clock::now();
    act(i);
    times.milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - before).count());
  }
  times.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return times;
}

void print(Times times) {
  std::ranges::sort(times.milliseconds);
  const auto& ms = times.milliseconds;
  const auto at = [&](double q) { return ms[static_cast<std::size_t>(q * static_cast<double>(ms.size() - 1))]; };
  fmt::print("{{\"count\": {}, \"seconds\": {:.6f}, \"per_second\": {:.1f}, \"p50_ms\": {:.4f}, \"p99_ms\": {:.4f}}}\n",
             ms.size(), times.seconds, static_cast<double>(ms.size()) / times.seconds, at(0.5), at(0.99));
}

Times append(const std::string& folder, long count) {
  const std::string path = folder + "/floor.append";
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) die("cannot write " + path);
  const std::string block(1024, 'x');
  auto times = repeat(count, [&](long) {
    if (::write(fd, block.data(), block.size()) < 0 || ::fdatasync(fd) != 0) die("cannot write " + path);
  });
  ::close(fd);
  ::unlink(path.c_str());
  return times;
}

pid_t start(char** argv) {
  pid_t pid = 0;
  if (::posix_spawnp(&pid, argv[0], nullptr, nullptr, argv, environ) != 0) die(std::string("cannot start ") + argv[0]);
  return pid;
}

void start_and_wait(char** argv) {
  const pid_t pid = start(argv);
  int status = 0;
  if (::waitpid(pid, &status, 0) != pid) die("waitpid");
}

void record_end(const std::string& folder, long number) {
  const std::string name = fmt::format("{}/{}", folder, number), unfinished = name + ".new";
  const int fd = ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  const std::string record(200, 'x');
  if (fd < 0 || ::write(fd, record.data(), record.size()) < 0 || ::fsync(fd) != 0) die("cannot write " + unfinished);
  ::close(fd);
  if (::rename(unfinished.c_str(), name.c_str()) != 0) die("cannot rename " + unfinished);
  const int parent = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (::fsync(parent) != 0) die("cannot sync " + folder);
  ::close(parent);
}

// Runs `self` for each job. It starts `true` and records its end.
Times jobs(const char* self, const std::string& folder, long count, long parallel) {
  const std::string records = folder + "/floor.jobs";
  if (::mkdir(records.c_str(), 0700) != 0 && errno != EEXIST) die("cannot make " + records);
  long begun = 0, ended = 0;
  Times times;
  const auto begin = Clock::now();
  while (ended < count) {
    while (begun < count && begun - ended < parallel) {
      std::vector<std::string> words{self, "one-job", records, std::to_string(begun++)};
      std::vector<char*> argv;
      for (auto& word : words) argv.push_back(word.data());
      argv.push_back(nullptr);
      start(argv.data());
    }
    if (::waitpid(-1, nullptr, 0) > 0) ++ended;
  }
  times.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  times.milliseconds.assign(static_cast<std::size_t>(count), times.seconds * 1000 / static_cast<double>(count));
  for (long i = 0; i < count; ++i) ::unlink(fmt::format("{}/{}", records, i).c_str());
  ::rmdir(records.c_str());
  return times;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "append" && argc == 4) print(append(argv[2], std::stol(argv[3])));
  else if (what == "spawn" && argc >= 4) print(repeat(std::stol(argv[2]), [&](long) { start_and_wait(argv + 3); }));
  else if (what == "jobs" && argc == 5) print(jobs(argv[0], argv[2], std::stol(argv[3]), std::stol(argv[4])));
  else if (what == "one-job" && argc == 4) {
    std::string program = "true";
    char* job[] = {program.data(), nullptr};
    start_and_wait(job);
    record_end(argv[2], std::stol(argv[3]));
  } else {
    die("usage: floor append DIR COUNT | spawn COUNT PROGRAM... | jobs DIR COUNT PARALLEL");
  }
  return 0;
}
