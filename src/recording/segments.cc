#include "recording/segments.h"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace ym {
namespace {

namespace fs = std::filesystem;
using Steady = std::chrono::steady_clock;

constexpr auto kPauseAfterFailure = std::chrono::minutes(1);

}  // namespace

void Segments::begin(Tables tables, const engine::Policy& policy) {
  tables_ = std::move(tables);
  policy_ = policy;
  open();
}

void Segments::open() {
  file_.reset();
  remove_old();
  auto file = SegmentFile::create(options_.dir / fmt::format("decisions-{:020}.gz", tables_.last_seq));
  if (!file) return failed(file.error());
  file_ = std::move(*file);
  lines_ = {};
  write(lines_.opening(tables_, policy_, options_.version));
}

void Segments::write(const std::string& lines) {
  if (!file_) return;
  if (const auto written = file_->write(lines); !written) failed(written.error());
}

void Segments::failed(const Error& error) {
  if (!failed_at_) spdlog::warn("decisions are not recorded: {}; the server tries again later", error.message);
  failed_at_ = Steady::now();
  file_.reset();
}

void Segments::follow(const std::vector<Event>& events) {
  Touched touched;
  for (const Event& event : events) {
    apply(tables_, event, &touched);
    write(lines_.event(event));
  }
  for (const JobId id : touched.jobs)
    if (const auto job = tables_.jobs.find(id); job != tables_.jobs.end() && is_terminal(job->second.state))
      forget(tables_, id);
}

void Segments::set_policy(const engine::Policy& policy) {
  policy_ = policy;
  write(LineWriter::policy(policy));
}

void Segments::decide(Instant now, const engine::Plan& plan) {
  if (file_) write(LineWriter::decided(decided_line(now, plan)));
}

void Segments::miss(std::int64_t decisions) { write(LineWriter::missed(decisions)); }

void Segments::flush() {
  if (!file_ && failed_at_ && Steady::now() - *failed_at_ > kPauseAfterFailure) open();
  if (!file_) return;
  if (const auto flushed = file_->flush(); !flushed) return failed(flushed.error());
  if (std::exchange(failed_at_, std::nullopt)) spdlog::info("decisions are recorded again");
  if (file_->bytes() > options_.segment_bytes) open();
}

// Sorted by name, and so by time: the oldest are removed first.
void Segments::remove_old() const {
  std::vector<fs::path> segments;
  std::error_code ignored;
  std::uint64_t bytes = options_.segment_bytes;  // size of the next segment
  for (const auto& entry : fs::directory_iterator(options_.dir, ignored)) {
    const auto name = entry.path().filename().string();
    if (!name.starts_with("decisions-") || !name.ends_with(".gz")) continue;
    segments.push_back(entry.path());
    bytes += entry.file_size(ignored);
  }
  std::ranges::sort(segments);
  for (const auto& segment : segments) {
    if (bytes <= options_.most_bytes) return;
    bytes -= fs::file_size(segment, ignored);
    fs::remove(segment, ignored);
  }
}

}  // namespace ym
