#include "own_attempts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

#include <fstream>
#include <mutex>
#include <vector>

#include "executor/forwarding_executor.h"
#include "start_files.h"

namespace ym {
namespace {

constexpr const char* kOnItsServer =
    "another server started it, on that server's machine; it returns when that server leads";

class OwnAttempts final : public ForwardingExecutor {
 public:
  OwnAttempts(std::unique_ptr<Executor> executor, OwnEpochs epochs)
      : ForwardingExecutor(std::move(executor)), epochs_(std::move(epochs)) {}

  Result<void> start(ObservationSink sink, std::span<const LiveAttempt> live) override {
    std::vector<LiveAttempt> own;
    for (const auto& attempt : live) {
      if (epochs_.contains(attempt.token().epoch)) own.push_back(attempt);
      else foreign_.insert(attempt.token());
    }
    if (auto started = behind().start(sink, own); !started) return started;
    for (const auto& token : foreign_) sink({token, ContactIsLost{kOnItsServer}});
    return {};
  }

  void launch(LaunchRequest request) override {
    note(request.token.epoch);
    behind().launch(std::move(request));
  }

  // The server that started the attempt stops it when it leads again.
  void stop(const Token& token, StopRequest request) override {
    if (!foreign_.contains(token)) behind().stop(token, std::move(request));
  }
  void deliver(const Token& token, const Secret& job_token) override {
    if (!foreign_.contains(token)) behind().deliver(token, job_token);
  }
  void release(const Token& token) override {
    if (!foreign_.contains(token)) behind().release(token);
  }

 private:
  // After a restart, an epoch that was not written is out of contact. That is safe.
  void note(std::uint64_t epoch) {
    const std::lock_guard lock(mutex_);
    if (epochs_.contains(epoch)) return;
    if (const auto added = epochs_.add({&epoch, 1}); !added)
      spdlog::error("attempts that start here now will be out of contact after a restart: {}", added.error().message);
  }

  std::mutex mutex_;
  OwnEpochs epochs_;
  std::set<Token> foreign_;  // epochs at the start of this server
};

}  // namespace

Result<OwnEpochs> OwnEpochs::read(const std::filesystem::path& dir) {
  OwnEpochs own(dir / "epochs");
  std::error_code error;
  if (!std::filesystem::exists(own.file_, error) && !error) return own;
  std::ifstream file(own.file_);
  if (!file) return fail(ErrorCode::io, fmt::format("cannot read {}", own.file_.string()));
  for (std::uint64_t epoch = 0; file >> epoch;) own.epochs_.insert(epoch);
  if (file.eof()) return own;
  return fail(ErrorCode::corrupt, fmt::format("{} does not hold numbers, one a line", own.file_.string()));
}

Result<void> OwnEpochs::add(std::span<const std::uint64_t> epochs) {
  auto all = epochs_;
  all.insert(epochs.begin(), epochs.end());
  if (auto written = write_file(file_, fmt::format("{}\n", fmt::join(all, "\n")), 0600); !written) return written;
  epochs_ = std::move(all);
  return {};
}

std::unique_ptr<Executor> with_own_attempts_only(std::unique_ptr<Executor> executor, OwnEpochs epochs) {
  return std::make_unique<OwnAttempts>(std::move(executor), std::move(epochs));
}

}  // namespace ym
