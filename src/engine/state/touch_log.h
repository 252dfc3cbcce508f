// TouchLog: the nodes that had something taken or given back, in order. A cache of nodes looks only at entries
// that are new since its last look. A copy begins as if it had forgotten all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/state/names.h"

namespace ym::engine {

class TouchLog {
 public:
  TouchLog() = default;
  TouchLog(const TouchLog& other) : begin_(other.end()) {}
  TouchLog& operator=(const TouchLog& other) { return *this = TouchLog(other); }
  TouchLog(TouchLog&&) = default;
  TouchLog& operator=(TouchLog&&) = default;
  ~TouchLog() = default;

  void add(NodeIndex node) {
    if (log_.size() == kMost) {
      begin_ += log_.size();
      log_.clear();
    }
    log_.push_back(node);
  }
  std::uint64_t end() const { return begin_ + log_.size(); }
  // Entries from this end on; nothing: they are not known any more. Valid until the next entry.
  std::optional<std::span<const NodeIndex>> since(std::uint64_t end) const {
    if (end < begin_) return std::nullopt;
    return std::span(log_).subspan(end - begin_);
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  std::vector<NodeIndex> log_;
  std::uint64_t begin_ = 0;
};

}  // namespace ym::engine
