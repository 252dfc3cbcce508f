#include "recording/replay.h"

#include <algorithm>
#include <utility>

#include "control/site/policy.h"
#include "recording/segment_reader.h"

namespace ym {
namespace {

class Run {
 public:
  explicit Run(const ReplayOptions& options) : options_(options) {}

  Result<void> segment(const std::filesystem::path& path) {
    auto reader = SegmentReader::open(path);
    if (!reader) return std::unexpected(reader.error());
    report_.version = reader->version();
    Tables tables = reader->tables();
    for (const Queue& queue : options_.queues) tables.queues.insert_or_assign(queue.name, queue);
    state_ = engine::State::load(tables);
    take(reader->policy());
    for (;;) {
      auto line = reader->next();
      if (!line) return std::unexpected(line.error());
      if (!*line) break;
      std::visit([this](auto& one) { take(one); }, **line);
    }
    report_.former_scoring += reader->former_scorings();
    return {};
  }

  ReplayReport report() { return std::move(report_); }

 private:
  void take(const engine::Policy& policy) {
    policy_ = options_.settings ? policy_of(*options_.settings, policy) : policy;
  }

  void take(Event& event) {
    report_.events += 1;
    keep_queues(event);
    state_.apply(event);
  }

  void take(const SegmentReader::Missed& missed) { report_.missed += missed.decisions; }

  void take(const DecidedLine& recorded) {
    const auto plan = engine::decide(state_, policy_, recorded.now);
    DecidedLine replayed = decided_line(recorded.now, plan);
    if (!report_.first) report_.first = recorded.now;
    report_.last = recorded.now;
    report_.decisions += 1;
    if (replayed == recorded) {
      report_.same += 1;
    } else if (replayed.decisions == recorded.decisions) {
      report_.same_but_reasons += 1;
    } else if (options_.most_differences == 0 || report_.differences.size() < options_.most_differences) {
      report_.differences.push_back({recorded, std::move(replayed)});
    }
  }

  // A queue that the options name keeps those settings, whatever the recording does to it.
  void keep_queues(Event& event) const {
    const auto* set = std::get_if<QueueSet>(&event.payload);
    const auto* removed = std::get_if<QueueRemoved>(&event.payload);
    if (!set && !removed) return;
    const auto mine = std::ranges::find(options_.queues, set ? set->row.name : removed->name, &Queue::name);
    if (mine != options_.queues.end()) event.payload = QueueSet{*mine};
  }

  const ReplayOptions& options_;
  engine::State state_;
  engine::Policy policy_;
  ReplayReport report_;
};

}  // namespace

Result<ReplayReport> replay(const ReplayOptions& options) {
  Run run(options);
  for (const auto& segment : options.segments)
    if (auto done = run.segment(segment); !done) return std::unexpected(done.error());
  return run.report();
}

}  // namespace ym
