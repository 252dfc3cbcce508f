#include "recording/recorder.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>
#include <variant>

#include "recording/segments.h"

namespace ym {
namespace {

// Plans of long queues are large. At most this many wait to be written.
constexpr std::size_t kMostDecisions = 256;
constexpr auto kFlushedEvery = std::chrono::seconds(1);

struct Beginning {
  Tables tables;
  engine::Policy policy;
};
struct Decided {
  Instant now;
  std::shared_ptr<const EngineReport> report;
};
using Told = std::variant<Beginning, EngineFeed::Events, engine::Policy, Decided, std::int64_t>;

}  // namespace

class Recorder::Writer {
 public:
  explicit Writer(RecorderOptions options) : segments_(std::move(options)), thread_([this] { run(); }) {}

  ~Writer() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

  void tell(Told told) {
    {
      const std::lock_guard lock(mutex_);
      if (std::holds_alternative<Decided>(told)) {
        if (decisions_ >= kMostDecisions) {
          missed_ += 1;
          return;
        }
        decisions_ += 1;
        if (missed_ > 0) told_.emplace_back(std::exchange(missed_, 0));
      }
      told_.push_back(std::move(told));
    }
    changed_.notify_one();
  }

 private:
  void run() {
    for (bool last = false; !last;) {
      std::vector<Told> batch;
      {
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, kFlushedEvery, [this] { return stopping_ || !told_.empty(); });
        batch = std::exchange(told_, {});
        decisions_ = 0;
        last = stopping_;
      }
      for (const auto& told : batch) std::visit([this](const auto& one) { write(one); }, told);
      if (!batch.empty()) flush_if_due(last);
    }
  }

  void flush_if_due(bool last) {
    const auto now = std::chrono::steady_clock::now();
    if (!last && now - flushed_at_ < kFlushedEvery) return;
    flushed_at_ = now;
    segments_.flush();
  }

  void write(const Beginning& beginning) { segments_.begin(beginning.tables, beginning.policy); }
  void write(const EngineFeed::Events& events) { segments_.follow(*events); }
  void write(const engine::Policy& policy) { segments_.set_policy(policy); }
  void write(const Decided& decided) { segments_.decide(decided.now, decided.report->plan); }
  void write(std::int64_t missed) { segments_.miss(missed); }

  Segments segments_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Told> told_;
  std::size_t decisions_ = 0;  // number of decisions in `told_`
  std::int64_t missed_ = 0;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point flushed_at_;
  std::thread thread_;
};

Recorder::Recorder(RecorderOptions options) : writer_(std::make_unique<Writer>(std::move(options))) {}
Recorder::~Recorder() = default;

Result<std::unique_ptr<Recorder>> Recorder::open(RecorderOptions options) {
  std::error_code failed;
  std::filesystem::create_directories(options.dir, failed);
  if (failed) return fail(ErrorCode::io, fmt::format("cannot make {}: {}", options.dir.string(), failed.message()));
  return std::unique_ptr<Recorder>(new Recorder(std::move(options)));
}

void Recorder::began(const Tables& tables, const engine::Policy& policy) { writer_->tell(Beginning{tables, policy}); }
void Recorder::followed(EngineFeed::Events events) { writer_->tell(std::move(events)); }
void Recorder::policy_set(const engine::Policy& policy) { writer_->tell(policy); }
void Recorder::decided(Instant now, std::shared_ptr<const EngineReport> report) {
  writer_->tell(Decided{now, std::move(report)});
}

}  // namespace ym
