// Watch: keeps up with a collection of the API server's, by one list and then watches alone.
//
// A watch is resumed from the last version that was heard of, which bookmarks keep fresh, whether the server
// ended it, the connection broke, or it was just idle for long. A new list is made only if the server says that the
// version is too old: by status 410, or in a reply of 200 by an event of type ERROR.
//
// Threads: run() is the caller's own thread; the sink is called from there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "executor/kubernetes/api/api_error.h"
#include "executor/kubernetes/api/json.h"

namespace ym::kubernetes {

// Where the collection is; ApiWatchSource (below) or, in tests, a script.
class WatchSource {
 public:
  virtual ~WatchSource() = default;
  // A list, page by page: `next` is empty for the first, and then the last one's metadata.continue.
  virtual Api<json::value> page(const std::string& next) = 0;
  // Pieces of a stream of one event a line, until it ends or `take` returns false.
  virtual Api<void> follow(const std::string& version, const std::function<bool(std::string_view)>& take) = 0;
  // Whether the server answers at all.
  virtual Api<void> probe() = 0;
  // False: it is over.
  virtual bool pause(Duration d) = 0;
};

struct WatchSink {
  std::function<void()> begin_list = [] {};
  std::function<void(const json::value&)> listed;
  std::function<void()> end_list;
  std::function<void(const json::value&)> changed;  // added or modified
  std::function<void(const json::value&)> deleted;  // as it was last
  // Whether the server answers; each time, not only when it changes.
  std::function<void(bool, const std::string&)> contact = [](bool, const std::string&) {};
};

// Cuts a stream into lines. False: one is longer than its bound.
class Lines {
 public:
  bool take(std::string_view piece, const std::function<bool(std::string_view)>& line);

 private:
  std::string held_;
};

class Watch {
 public:
  // `seed`: of the jitter, so that watches do not all come back at once.
  Watch(WatchSource& source, WatchSink sink, std::uint64_t seed);
  // Until the source says that it is over.
  void run();
  // One round: a list if one is due, or a watch to its end. False: it is over.
  bool round();

 private:
  enum class Ended : std::uint8_t { resumed, too_old, trouble };
  bool list();
  Ended follow();
  bool on_line(std::string_view line);
  bool on_error(const json::value& status);
  bool rest();
  bool reach();

  WatchSource& source_;
  WatchSink sink_;
  std::string version_;  // to go on from; empty: a list is due
  bool reached_ = true;  // the server answered last
  bool news_ = false;    // this stream brought something
  Ended ended_ = Ended::resumed;
  int failures_ = 0;  // in a row
  int nonsense_ = 0;  // streams in a row that ended by what is no event
  std::uint64_t random_;
};

class ApiClient;

class ApiWatchSource final : public WatchSource {
 public:
  // `query`: selectors, "labelSelector=..."; may be empty. `client` must outlive it.
  ApiWatchSource(ApiClient& client, std::string target, std::string query);
  Api<json::value> page(const std::string& next) override;
  Api<void> follow(const std::string& version, const std::function<bool(std::string_view)>& take) override;
  Api<void> probe() override;
  bool pause(Duration d) override;

 private:
  ApiClient& client_;
  std::string target_, query_;
};

}  // namespace ym::kubernetes
