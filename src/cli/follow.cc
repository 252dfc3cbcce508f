#include "cli/follow.h"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <charconv>
#include <utility>

#include "cli/http/url.h"
#include "cli/term/text.h"
#include "cli/views/job_view.h"
#include "cli/views/json_view.h"
#include "cli/views/time_spent.h"

namespace ym::cli {
namespace {

namespace json = boost::json;

constexpr Duration kFirstLook{100};
constexpr Duration kLastLook = seconds(1);
// Not reported: this reason lasts for a moment only.
constexpr std::string_view kNoReasonYet = "PendingEvaluation";

class Follower {
 public:
  Follower(Contact& contact, const FollowRequest& request, const std::function<void(std::string_view)>& sink)
      : contact_(contact), request_(request), sink_(sink), status_(session().err, session().terminal) {}

  Result<json::value> run() {
    while (true) {
      auto job = contact_.call([&](Api& api) { return api.get(job_target(id_)); });
      if (!job || session().interrupted()) return job;
      id_ = id_of(*job);  // the name may soon belong to another job
      if (const auto& attempt = attempt_in_turn(*job); attempt.is_object()) {
        status_.clear();
        auto ended = attempt_output(text_at(attempt, "state") == "ENDED");
        if (!ended) return std::unexpected(ended.error());
        if (*ended) continue;
      } else if (has_ended(*job) || request_.attempt) {
        return job;
      }
      if (done_with_attempts_) return job;
      say_why(*job);
      pause();
    }
  }

 private:
  Session& session() { return contact_.session(); }

  // The attempt to show; null: there is none yet.
  const json::value& attempt_in_turn(const json::value& job) {
    if (request_.attempt) current_ = request_.attempt;
    if (!above_) above_ = request_.from_first_attempt ? 0 : before_newest(job);
    if (!current_) current_ = integer_at(attempt_above(job, *above_), "number");
    return attempt_number(job, current_.value_or(0));
  }

  static std::int64_t before_newest(const json::value& job) {
    return integer_at(last_attempt(job), "number").value_or(1) - 1;
  }

  // Streams the present output of attempt `current_`. True: the attempt had ended before, so the output is complete
  // and the next attempt follows.
  Result<bool> attempt_output(bool had_ended) {
    const auto read = contact_.call([&](Api& api) { return stream_once(api); });
    if (!read && read.error().code != ErrorCode::not_found) return std::unexpected(read.error());
    if (session().interrupted() || !had_ended) return false;
    if (request_.attempt) {
      done_with_attempts_ = true;
      return false;
    }
    above_ = std::exchange(current_, std::nullopt);
    offset_.reset();
    streamed_ = false;
    pause_ = kFirstLook;
    return true;
  }

  Result<void> stream_once(Api& api) {
    std::vector<std::pair<std::string, std::string>> parameters{
        {"attempt", std::to_string(*current_)}, {"rank", std::to_string(request_.rank)}, {"follow", "1"}};
    if (offset_) parameters.emplace_back("offset", std::to_string(*offset_));
    else if (request_.last_lines && !streamed_) parameters.emplace_back("tail", std::to_string(*request_.last_lines));
    const StreamCallbacks callbacks{.head = [&](const HttpReply& head) { begin(head); },
                                    .bytes =
                                        [&](std::string_view bytes) {
                                          if (offset_) *offset_ += static_cast<std::int64_t>(bytes.size());
                                          pause_ = kFirstLook;
                                          sink_(bytes);
                                        },
                                    .keep_going = [&] { return !session().interrupted(); }};
    return api.stream(target(job_target(id_, "logs"), parameters), "text/plain", callbacks);
  }

  // Notes where the stream begins, so that a later call can resume after its last byte. For a tail the server sends
  // the offset; otherwise the stream begins at the requested one.
  void begin(const HttpReply& head) {
    contact_.heard();
    streamed_ = true;
    if (offset_) return;
    const auto found = head.headers.find("log-offset");
    std::int64_t offset = 0;
    if (found != head.headers.end())
      std::from_chars(found->second.data(), found->second.data() + found->second.size(), offset);
    offset_ = offset;
  }

  void say_why(const json::value& job) {
    if (!request_.tell || !is_waiting(job)) return;
    const auto code = text_at(job, "reason");
    if (code == kNoReasonYet) return;
    if (code != last_reason_) {
      last_reason_ = code;
      const auto why = contact_.call([&](Api& api) { return api.get(job_target(id_, "why")); });
      if (!why || !member(*why, "dominant").is_object()) return;  // it waits no longer
      status_.clear();
      session().err << fmt::format("waiting: {} ({})\n", code, printable(text_at(*why, "dominant/message")))
                    << std::flush;
    }
    status_.show(fmt::format("{} {}: {}", name_of(job), state_and_time(job, session().now()), code));
  }

  void pause() {
    session().sleep(pause_);
    pause_ = std::min(Duration{pause_.ms * 3 / 2}, kLastLook);
  }

  Contact& contact_;
  const FollowRequest& request_;
  const std::function<void(std::string_view)>& sink_;
  StatusLine status_;
  std::string id_ = request_.id;
  std::optional<std::int64_t> above_;    // the next attempt is the first with a larger number
  std::optional<std::int64_t> current_;  // number of the attempt to show
  std::optional<std::int64_t> offset_;   // of its next byte, once known
  bool streamed_ = false;
  bool done_with_attempts_ = false;
  std::string last_reason_;
  Duration pause_ = kFirstLook;
};

}  // namespace

Result<json::value> follow(Contact& contact, const FollowRequest& request,
                           const std::function<void(std::string_view)>& sink) {
  return Follower(contact, request, sink).run();
}

}  // namespace ym::cli
