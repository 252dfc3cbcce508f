// Server-sent events, parsed from bytes as they arrive.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ym::cli {

struct ServerEvent {
  std::string id;
  std::string type;
  std::string data;
};

// Accepts lines up to a bound. Drops a longer line together with its event.
class SseReader {
 public:
  explicit SseReader(std::function<void(const ServerEvent&)> sink) : sink_(std::move(sink)) {}
  void feed(std::string_view bytes);

 private:
  void line(std::string_view text);

  std::function<void(const ServerEvent&)> sink_;
  std::string rest_;
  ServerEvent event_;
};

}  // namespace ym::cli
