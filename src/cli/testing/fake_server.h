// A server made of prepared answers, and a session that talks to it.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "base/testing/sentences.h"
#include "cli/session.h"
#include "cli/verbs/command_line.h"

namespace ym::cli {

using ym::testing::expect_refused;
using ym::testing::expect_sentence;

struct Answer {
  int status = 200;
  std::string body{};
  std::map<std::string, std::string> headers{};
  bool absent = false;  // no server is there to connect to
  bool lost = false;    // no answer; of a stream: the connection breaks behind the body
  bool open = false;    // of a stream: stays open behind the body
};

class FakeServer {
 public:
  // Answers to "GET /path?query", in order; the last one is repeated.
  void on(const std::string& request, Answer answer) { answers_[request].push_back(std::move(answer)); }
  void on(const std::string& request, const std::string& body) { on(request, Answer{.body = body}); }

  // From now on this is the answer.
  void set(const std::string& request, Answer answer) { answers_[request] = {std::move(answer)}; }

  Answer answer(const HttpRequest& request) {
    requests.push_back(request);
    const auto key = request.method + " " + request.target;
    auto& queue = answers_[key];
    if (queue.empty()) return {.status = 404, .body = R"({"code":"not_found","detail":"nothing at )" + key + "\"}"};
    Answer answer = queue.front();
    if (queue.size() > 1) queue.pop_front();
    return answer;
  }

  std::vector<HttpRequest> requests;

 private:
  std::map<std::string, std::deque<Answer>> answers_;
};

class FakeTransport final : public Transport {
 public:
  FakeTransport(FakeServer& server, Instant& now) : server_(server), now_(now) {}

  Result<HttpReply> send(const HttpRequest& request) override {
    const auto answer = server_.answer(request);
    sent_ = !answer.absent;
    if (answer.absent) return fail(ErrorCode::unavailable, "cannot connect to http://fake");
    if (answer.lost) return fail(ErrorCode::unavailable, "no answer from http://fake");
    return HttpReply{.status = answer.status, .headers = answer.headers, .body = answer.body};
  }

  Result<HttpReply> stream(const HttpRequest& request, const StreamCallbacks& callbacks) override {
    const auto answer = server_.answer(request);
    HttpReply reply{.status = answer.status, .headers = answer.headers, .body = {}};
    if (answer.status != 200) {
      reply.body = answer.body;
      return reply;
    }
    if (callbacks.head) callbacks.head(reply);
    if (!answer.body.empty()) callbacks.bytes(answer.body);
    if (answer.lost) return fail(ErrorCode::unavailable, "the connection broke");
    while (answer.open && callbacks.keep_going()) now_ = now_ + Duration{100};
    return reply;
  }

  bool was_sent() const override { return sent_; }

 private:
  FakeServer& server_;
  bool sent_ = false;
  Instant& now_;
};

// A session with streams of its own and a clock that only sleeping moves.
struct FakeSession {
  FakeServer server;
  Instant now{1'800'000'000'000};
  std::istringstream in;
  std::ostringstream out, err;
  std::map<std::string, std::string> variables{{"YM_URL", "http://fake:1"}, {"YM_TOKEN", "secret"}};
  std::vector<ServeOptions> served;
  std::vector<Connection> connections;
  bool interrupted = false;
  Session session{.in = in,
                  .out = out,
                  .err = err,
                  .terminal = {},
                  .environment = [this](const std::string& name) -> std::optional<std::string> {
                    const auto found = variables.find(name);
                    return found == variables.end() ? std::nullopt : std::optional(found->second);
                  },
                  .connector = [this](const Connection& connection) -> Result<std::unique_ptr<Transport>> {
                    connections.push_back(connection);
                    return std::make_unique<FakeTransport>(server, now);
                  },
                  .now = [this] { return now; },
                  .sleep = [this](Duration duration) { now = now + duration; },
                  .interrupted = [this] { return interrupted; },
                  .watch_interrupt = [] {},
                  .program = {.serve = [this](const ServeOptions& options) { return served.push_back(options), 0; }},
                  .flags = {}};

  int run(std::vector<std::string> words) { return run_words(std::move(words), session); }
};

// A job in the server's JSON; `more` are further members, each with a comma in front.
inline std::string job_json(const std::string& id, const std::string& name, const std::string& state,
                            const std::string& more = "") {
  return R"({"id":")" + id + R"(","name":")" + name +
         R"(","user":"ada","project":"default","queue":"q","priority":50,)" + R"("state":")" + state +
         R"(","submitted_at":"2027-01-15T07:59:00.000Z")" + more + "}";
}

// An attempt in it, likewise.
inline std::string attempt_json(int number, const std::string& state, const std::string& more = "") {
  return R"({"number":)" + std::to_string(number) + R"(,"state":")" + state + "\"" + more + "}";
}

// Job 1, with these attempts.
inline std::string job_with_attempts(const std::string& state, const std::string& attempts,
                                     const std::string& more = "") {
  return job_json("00000001", "train", state, R"(,"spec":{"nodes":1},"attempts":[)" + attempts + "]" + more);
}

// The row with this label of what people are shown; empty: there is none.
inline std::string row_of(const std::string& shown, std::string_view label) {
  std::istringstream lines(shown);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(label)) return line;
  return {};
}

// A message that names this file, with FILE for its path: sentences hold no folders of tests.
inline std::string without_path(std::string message, const std::string& path) {
  const auto at = message.find(path);
  EXPECT_NE(at, std::string::npos) << message;
  return at == std::string::npos ? message : message.replace(at, path.size(), "FILE");
}

inline std::string list_json(const std::string& items, const std::string& next = "null") {
  return R"({"items":[)" + items + R"(],"next":)" + next + R"(,"as_of":7})";
}

}  // namespace ym::cli
