// The log of a task: all output of its processes, up to a cap.
//
// Output is always read, stored or not: neither a full disk nor the cap ever blocks or ends a job. Bytes that are not
// stored are counted, and the log has a mark in their place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/fd.h"

namespace ym::local {

class LogWriter {
 public:
  // `path` may be relative to the folder. Precondition: the folder stays open. The file is made now, or as soon as
  // possible.
  LogWriter(int task_folder, std::string path, std::int64_t cap);

  // Reads what the (non-blocking) pipe holds now, at most a fixed amount. `tap` gets all of it, stored or not.
  enum class Pumped : std::uint8_t { idle, more, end };
  Pumped pump(int pipe, const std::function<void(std::string_view)>& tap = {});

  // Writes a line of Yardmaster: "[yardmaster: ...]".
  void note(std::string_view text);
  // Writes at the end how many bytes a full disk has cost.
  void finish();

  std::int64_t kept() const { return kept_; }
  std::int64_t dropped() const { return dropped_; }

 private:
  bool open();
  void take(std::string_view data);
  void mark_cap();
  void mark_loss();
  // Returns the number of stored bytes.
  std::size_t store(std::string_view data);

  static constexpr std::size_t kBlock = 65536;

  int folder_;
  std::string path_;
  std::int64_t cap_;
  Fd file_;
  std::int64_t kept_ = 0;
  std::int64_t dropped_ = 0;
  std::int64_t unmarked_ = 0;  // bytes lost to a failing disk since the last mark
  int error_ = 0;              // of the last failed write
  bool capped_ = false;
  // Not on the stack, which would be cleared each time: most tasks write little or nothing.
  std::unique_ptr<char[]> block_ = std::make_unique_for_overwrite<char[]>(kBlock);
};

// "1 GiB", "64 KiB", "1000 bytes".
std::string readable_size(std::int64_t bytes);

}  // namespace ym::local
