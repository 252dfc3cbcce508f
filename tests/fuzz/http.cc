// The bytes of a connection: the session's parser, the check of the head, the router, every
// handler over a backend in memory, and the head of the answer.
#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/beast/core/error.hpp>
#include <boost/json/parse.hpp>
#include <future>

#include "api/app.h"
#include "api/http/head_check.h"
#include "api/http/session.h"
#include "api/http/wire.h"
#include "api/testing/fixture.h"
#include "fuzz/must.h"

namespace {

using ym::fuzz::must;
using namespace ym::api;
namespace http = boost::beast::http;

const ym::HttpOptions kOptions{.address = "127.0.0.1", .port = 8470};

// Some rows of each kind: job 2 with an attempt and a log, a queue, a node.
void furnish(ym::testing::FakeBackend& backend) {
  const auto job = backend.add_job(ym::testing::simple_spec());
  auto attempt = ym::testing::running_attempt(job.id);
  backend.add_attempt(attempt);
  backend.write_log(attempt.key(), 0, "one\ntwo\n", true);
  backend.set_state(job.id, ym::JobState::running);
  backend.set_notice(attempt.key(), {.cause = ym::StopCause::preemption, .deadline = {}, .grace = ym::seconds(30)});
  backend.add_queue({.name = "a", .quota = {}, .age_cap = {}});
  backend.add_node({.name = "n1", .cluster = "local"});
}

// The head on the wire is exactly one head: no field may add another.
void check_head_of(const Response& response) {
  const auto head = render_head(response, {.length = response.body.size()}, 0);
  must(head.starts_with("HTTP/1.1 ") && head.ends_with("\r\n\r\n"), "an answer has a head");
  must(head.find("\r\n\r\n") == head.size() - 4, "it has one");
  const auto fields = static_cast<std::size_t>(std::ranges::count(head, '\n'));
  must(static_cast<std::size_t>(std::ranges::count(head, '\r')) == fields, "its lines end in one way");
}

void check_body_of(const Response& response) {
  const bool json = response.content_type.find("json") != std::string_view::npos;
  if (!json || response.body.empty() || response.stream) return;
  boost::system::error_code error;
  (void)boost::json::parse({response.body.data(), response.body.size()}, error);
  must(!error, "what is called JSON is JSON");
}

void check(Response response) {
  if (const auto poll = std::move(response.poll)) {
    poll->start([] {});
    if (auto found = poll->look()) return check(std::move(*found));
    return;
  }
  must(response.status >= 200 && response.status < 600 && response.status != 500, "an answer is no internal error");
  check_head_of(response);
  check_body_of(response);
  if (!response.stream) return;
  response.stream->start([] {});
  for (int i = 0; i < 16; ++i)
    if (response.stream->next().state != BodyStream::State::more) return;
}

Response answer_of(Admitted admitted, Request request) {
  std::promise<Response> promise;
  auto answer = promise.get_future();
  admitted.serve(std::move(request), Responder([&promise](Responder::Make make) { promise.set_value(make()); }));
  must(answer.wait_for(std::chrono::seconds(20)) == std::future_status::ready, "every request is answered");
  return answer.get();
}

using Parser = http::request_parser<http::string_body>;

// Gives the parser the available bytes until `done`. False: too few bytes, or wrong ones.
template <class Done>
bool parse(Parser& parser, std::string_view& bytes, Done done) {
  boost::system::error_code error;
  while (!done()) {
    if (error || bytes.empty()) return false;
    bytes.remove_prefix(parser.put(boost::asio::buffer(bytes), error));
  }
  return !error;
}

// Serves the first request of `bytes`, as a session does. False: the connection ends with it.
bool serve_one(App& app, std::string_view& bytes) {
  Parser parser;
  parser.header_limit(static_cast<std::uint32_t>(kOptions.limits.header_bytes));
  parser.body_limit(kOptions.limits.body_bytes);
  if (!parse(parser, bytes, [&] { return parser.is_header_done(); })) return false;
  Request request = read_head(parser.get());
  request.has_body = !parser.is_done();
  if (auto fault = check_head(request, parser.get().version(), kOptions.limits)) return check(std::move(*fault)), false;
  auto admitted = app.admit(request);
  if (!admitted) return check(std::move(admitted.error().response)), !request.has_body && parser.keep_alive();
  parser.eager(true);
  if (!parse(parser, bytes, [&] { return parser.is_done(); })) return false;
  request.body = std::move(parser.get().body());
  check(answer_of(std::move(*admitted), std::move(request)));
  return parser.keep_alive();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool quiet = [] { return spdlog::set_level(spdlog::level::off), true; }();
  (void)quiet;
  // A new backend starts a thread, which costs more than the request. So it serves several inputs.
  static std::unique_ptr<ym::testing::FakeBackend> backend;
  static std::unique_ptr<ym::BackendSwitch> door;
  static int inputs = 0;
  if (inputs++ % 50 == 0) {
    door = nullptr;
    backend = std::make_unique<ym::testing::FakeBackend>();
    furnish(*backend);
    door = std::make_unique<ym::BackendSwitch>();
    door->set(backend->handle());
  }
  App app(*door, kOptions, [](const std::function<void()>& task) { task(); }, [] { return std::nullopt; });
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (int requests = 0; requests < 4 && !bytes.empty(); ++requests)
    if (!serve_one(app, bytes)) break;
  return 0;
}
