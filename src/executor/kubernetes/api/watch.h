// Watch: keeps up with a collection of the API server. It makes one list and then only watches.
//
// A watch resumes from the last version that it has seen, whether the server ended it, the connection broke, or it was
// idle for long. Bookmarks keep that version recent. It makes a new list only if the server says that the version is
// too old: by status 410, or by an event of type ERROR in a reply 200.
//
// Threads: run() uses the caller's thread, and calls the sink there.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "executor/kubernetes/api/api_error.h"
#include "executor/kubernetes/api/json.h"

namespace ym::kubernetes {

// The source of the collection: ApiWatchSource (below), or a script in tests.
class WatchSource {
 public:
  virtual ~WatchSource() = default;
  // A page of a list. `next`: empty for the first page, then metadata.continue of the last one.
  virtual Api<json::value> page(const std::string& next) = 0;
  // Pieces of a stream with one event a line, until it ends or `take` returns false.
  virtual Api<void> follow(const std::string& version, const std::function<bool(std::string_view)>& take) = 0;
  // Whether the server answers.
  virtual Api<void> probe() = 0;
  // False: the source was closed.
  virtual bool pause(Duration d) = 0;
};

struct WatchSink {
  std::function<void()> begin_list = [] {};
  std::function<void(const json::value&)> listed;
  std::function<void()> end_list;
  std::function<void(const json::value&)> changed;  // added or modified
  std::function<void(const json::value&)> deleted;  // its last state
  // Whether the server answers; called after each request, not only on a change.
  std::function<void(bool, const std::string&)> contact = [](bool, const std::string&) {};
};

// Splits a stream into lines. False: a line is longer than its bound.
class Lines {
 public:
  bool take(std::string_view piece, const std::function<bool(std::string_view)>& line);

 private:
  std::string held_;
};

class Watch {
 public:
  // `seed`: for random pauses, so that watches do not all return at once.
  Watch(WatchSource& source, WatchSink sink, std::uint64_t seed);
  // Runs until the source is closed.
  void run();
  // One round: a list if it is due, or one watch to its end. False: the source was closed.
  bool round();

 private:
  enum class Ended : std::uint8_t { resumed, too_old, failed };
  bool list();
  Ended follow();
  bool on_line(std::string_view line);
  bool on_error(const json::value& status);
  bool rest();
  bool reach();

  WatchSource& source_;
  WatchSink sink_;
  std::string version_;  // to resume from; empty: a list is due
  bool reached_ = true;  // the last request was answered
  bool news_ = false;    // this stream had an event
  Ended ended_ = Ended::resumed;
  int failures_ = 0;   // in a row
  int malformed_ = 0;  // streams in a row that ended with an invalid event
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
