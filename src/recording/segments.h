// Segments: the recorder's own state, and the segment that is being written.
//
// Threads: one.
#pragma once

#include <chrono>
#include <optional>

#include "recording/lines.h"
#include "recording/recorder.h"
#include "recording/segment_file.h"

namespace ym {

class Segments {
 public:
  explicit Segments(RecorderOptions options) : options_(std::move(options)) {}

  void begin(Tables tables, const engine::Policy& policy);
  void follow(const std::vector<Event>& events);
  void set_policy(const engine::Policy& policy);
  void decide(Instant now, const engine::Plan& plan);
  void miss(std::int64_t decisions);
  // Makes the lines so far readable. Begins a new segment if this one is large enough.
  void flush();

 private:
  void open();
  void write(const std::string& lines);
  void failed(const Error& error);
  void remove_old() const;

  RecorderOptions options_;
  Tables tables_;
  engine::Policy policy_;
  LineWriter lines_;
  std::optional<SegmentFile> file_;
  std::optional<std::chrono::steady_clock::time_point> failed_at_;
};

}  // namespace ym
