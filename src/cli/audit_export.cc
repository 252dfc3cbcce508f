#include "cli/audit_export.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/fd.h"
#include "base/whole_number.h"
#include "cli/contact.h"
#include "cli/term/text.h"
#include "cli/views/json_view.h"
#include "net/sinks/backoff.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

// A batch stays below the 1 MiB that receivers of HTTP take by default.
constexpr std::size_t kBatch = 200;
constexpr Duration kLookAgain = seconds(1);
constexpr Duration kForever = hours(24 * 365 * 100);

Result<std::int64_t> read_place(const std::string& path, std::int64_t without) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed) && !failed) return without;
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.ends_with('\n')) text.pop_back();
  const auto place = whole_number<std::int64_t>(text);
  if (place && *place >= 0) return *place;
  return fail(ErrorCode::invalid,
              fmt::format("--state {}: does not hold a place in the audit log: a number, which this program writes. "
                          "Name another file, or remove it to begin with --after",
                          path));
}

// Readers, and a start after a crash of the machine, see the old place or the new one.
Result<void> write_place(const std::string& path, std::int64_t place) {
  const auto next = path + ".new";
  const auto refused = [&] {
    return fail(ErrorCode::io, fmt::format("--state {}: cannot be written: {}", path, std::strerror(errno)));
  };
  const auto text = fmt::format("{}\n", place);
  const Fd file(::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file || !std::cmp_equal(::write(file.get(), text.data(), text.size()), text.size()) ||
      ::fsync(file.get()) != 0 || ::rename(next.c_str(), path.c_str()) != 0)
    return refused();
  auto folder = std::filesystem::path(path).parent_path();
  const Fd parent(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent || ::fsync(parent.get()) != 0) return refused();
  return {};
}

// Held until it is destroyed. Two that write one place would each skip what the other one gave.
Result<Fd> hold_place(const std::string& path) {
  Fd lock(::open((path + ".lock").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
  if (lock && errno == EWOULDBLOCK)
    return fail(ErrorCode::conflict,
                fmt::format("--state {}: another export uses this file; name another one, or end that one", path));
  return fail(ErrorCode::io, fmt::format("--state {}: cannot be written: {}", path, std::strerror(errno)));
}

class AuditFollower {
 public:
  AuditFollower(Session& session, const FollowedAudit& audit, const net::Sink& sink)
      : session_(session), audit_(audit), sink_(sink), contact_(session, {.first = kForever, .later = kForever}) {}

  Result<void> run() {
    const auto held = hold_place(audit_.state);
    if (!held) return std::unexpected(held.error());
    auto place = read_place(audit_.state, audit_.after);
    if (!place) return std::unexpected(place.error());
    place_ = *place;
    // A file that cannot be written is found before the first record goes out.
    if (auto written = write_place(audit_.state, place_); !written) return written;
    while (!session_.interrupted()) {
      const auto page = contact_.call([&](Api& api) { return next_page(api); });
      if (session_.interrupted()) break;
      if (!page) return std::unexpected(page.error());
      if (auto taken = take(*page); !taken) return taken;
      if (!page->more) session_.sleep(kLookAgain);
    }
    return {};
  }

 private:
  Result<Api::List> next_page(Api& api) const {
    auto parameters = audit_.filters;
    parameters.emplace_back("after", std::to_string(place_));
    return api.list("/api/v1/audit", std::move(parameters), kBatch);
  }

  Result<void> take(const Api::List& page) {
    say_if_set_back(page.as_of);
    if (page.items.empty()) {
      // All up to here was looked at. That is not written down: it would be a file a second.
      if (!page.more) place_ = std::max(place_, page.as_of);
      return {};
    }
    const auto given = give(page.items);
    if (!given) return std::unexpected(given.error());
    if (!*given) return {};
    place_ = integer_at(page.items.back(), "seq").value_or(place_);
    return write_place(audit_.state, place_);
  }

  // False: it was interrupted before they arrived.
  Result<bool> give(const json::array& records) {
    std::vector<net::SinkRecord> batch;
    for (const auto& one : records)
      batch.push_back({.time = text_at(one, "time"), .text = audit_line(one, audit_.format)});
    net::Backoff pause;
    for (bool told = false;; told = true) {
      const auto sent = sink_.send(batch, [&] { return !session_.interrupted(); });
      if (sent && told) session_.err << fmt::format("{} takes records again\n", sink_.address().shown()) << std::flush;
      if (sent) return true;
      if (session_.interrupted()) return false;
      if (sent.error().code != ErrorCode::unavailable) return std::unexpected(sent.error());
      if (!told) session_.err << fmt::format("ym: {}; trying again\n", printable(sent.error().message)) << std::flush;
      session_.sleep(pause.next());
    }
  }

  // After a backup was restored, or from a standby that is behind.
  void say_if_set_back(std::int64_t as_of) {
    if (as_of >= place_ || said_set_back_) return;
    said_set_back_ = true;
    session_.err << fmt::format(
                        "ym: the server's log ends at event {}, before the place {} that was reached. If it was "
                        "restored from a backup, write the number of an event before that into {} and start again\n",
                        as_of, place_, audit_.state)
                 << std::flush;
  }

  Session& session_;
  const FollowedAudit& audit_;
  const net::Sink& sink_;
  Contact contact_;
  std::int64_t place_ = 0;  // all records up to this event have arrived
  bool said_set_back_ = false;
};

}  // namespace

Result<void> follow_audit(Session& session, const FollowedAudit& audit, const net::Sink& sink) {
  return AuditFollower(session, audit, sink).run();
}

}  // namespace ym::cli
