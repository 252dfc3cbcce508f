#include "net/reply_reader.h"
#include "net/request_text.h"

#include <fmt/format.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>
#include <utility>

namespace ym::net {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using Code = boost::system::error_code;

constexpr std::uint32_t kHeadBytes = std::uint32_t{64} << 10;
// Bytes that the parser needs again with the next ones: a head, or the first line of a chunk.
constexpr std::size_t kUnparsedBytes = 2 * std::size_t{kHeadBytes};
// Most replies such as "100 Continue" before the final one.
constexpr int kInterimReplies = 16;

constexpr int kSwitchingProtocols = 101;

// The result of parsing. It outlives the parsers of interim replies.
struct BodySink {
  explicit BodySink(ReplyRules r) : rules(r) {}

  bool streams() const { return rules.take != nullptr && reply.status == 200; }

  ReplyRules rules;
  Reply reply{};
  bool stopped = false;  // by `take`
};

class Parser final : public http::basic_parser<false> {
 public:
  explicit Parser(BodySink& sink) : sink_(sink) {
    header_limit(kHeadBytes);
    body_limit(boost::none);  // the sink has the limit: it knows whether the body is streamed
    eager(true);
    if (sink.rules.no_body) skip(true);
  }

 private:
  using View = beast::string_view;

  void on_request_impl(http::verb, View, View, int, Code&) override {}
  void on_response_impl(int status, View, int, Code&) override { sink_.reply.status = status; }
  void on_field_impl(http::field, View name, View value, Code&) override {
    const std::string_view text(value.data(), value.size());
    const auto [field, is_new] = sink_.reply.headers.try_emplace(lower_case({name.data(), name.size()}), text);
    if (!is_new) field->second.append(", ").append(text);
  }
  void on_header_impl(Code&) override {
    const auto* head = sink_.rules.head;
    if (sink_.streams() && head != nullptr && *head) (*head)(sink_.reply);
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, Code&) override {}
  std::size_t on_body_impl(View body, Code& code) override {
    add(body, code);
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t, View, Code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View body, Code& code) override {
    add(body, code);
    return body.size();
  }
  void on_finish_impl(Code&) override {}

  void add(View bytes, Code& code) {
    const std::string_view text(bytes.data(), bytes.size());
    auto& body = sink_.reply.body;
    if (sink_.streams()) {
      sink_.stopped = !text.empty() && !(*sink_.rules.take)(text);
      if (sink_.stopped) code = http::error::end_of_stream;
    } else if (text.size() > sink_.rules.most_bytes - body.size()) {
      code = http::error::body_limit;
    } else {
      body += text;
    }
  }

  BodySink& sink_;
};

}  // namespace

struct ReplyReader::Parts {
  explicit Parts(ReplyRules rules) : sink(rules) { parser.emplace(sink); }

  State parse(std::string_view bytes);
  State fail_with(ErrorCode kind, std::string message);
  State judge(const Code& code);
  bool announces_too_much() const;
  bool is_interim() const;

  BodySink sink;
  std::optional<Parser> parser;
  std::string unparsed;
  Error error;
  int interim = 0;
  bool began = false;
  bool done = false;
};

ReplyReader::State ReplyReader::Parts::fail_with(ErrorCode kind, std::string message) {
  error = Error{.code = kind, .message = std::move(message)};
  return State::broken;
}

ReplyReader::State ReplyReader::Parts::judge(const Code& code) {
  if (sink.stopped) return State::done;
  if (code == http::error::body_limit)
    return fail_with(ErrorCode::too_large, fmt::format("the reply is larger than {} bytes", sink.rules.most_bytes));
  if (code == http::error::header_limit)
    return fail_with(ErrorCode::too_large, fmt::format("the reply's head is larger than {} bytes", kHeadBytes));
  if (code == http::error::partial_message) return fail_with(ErrorCode::unavailable, "the reply was cut short");
  return fail_with(ErrorCode::unavailable, "the reply is not HTTP: " + code.message());
}

// Whether the announced length is over the limit. Such a body is not waited for.
bool ReplyReader::Parts::announces_too_much() const {
  if (!parser->is_header_done() || parser->is_done() || sink.streams()) return false;
  const auto length = parser->content_length();
  return length && *length > sink.rules.most_bytes;
}

bool ReplyReader::Parts::is_interim() const {
  const int status = sink.reply.status;
  return status >= 100 && status < 200 && status != kSwitchingProtocols;
}

ReplyReader::State ReplyReader::Parts::parse(std::string_view bytes) {
  while (!bytes.empty() && !done) {
    Code code;
    const std::size_t used = parser->put(boost::asio::buffer(bytes.data(), bytes.size()), code);
    bytes.remove_prefix(used);
    if (code && code != http::error::need_more) return judge(code);
    if (announces_too_much()) return judge(http::error::body_limit);
    if (parser->is_done() && is_interim()) {
      if (++interim > kInterimReplies) return fail_with(ErrorCode::unavailable, "the reply does not begin");
      sink.reply = {};
      parser.emplace(sink);
    } else {
      done = parser->is_done();
      if (code || used == 0) break;
    }
  }
  // `bytes` may be a part of `unparsed`.
  unparsed = std::string(bytes);
  if (done) return State::done;
  if (unparsed.size() > kUnparsedBytes)
    return fail_with(ErrorCode::unavailable, "the reply is not HTTP: a line without end");
  return State::more;
}

ReplyReader::ReplyReader(ReplyRules rules) : parts_(std::make_unique<Parts>(rules)) {}
ReplyReader::~ReplyReader() = default;

ReplyReader::State ReplyReader::feed(std::string_view bytes) {
  parts_->began = true;
  if (parts_->unparsed.empty()) return parts_->parse(bytes);
  parts_->unparsed += bytes;
  const std::string together = std::exchange(parts_->unparsed, {});
  return parts_->parse(together);
}

ReplyReader::State ReplyReader::end() {
  Code code;
  if (parts_->parser->got_some()) parts_->parser->put_eof(code);
  else code = http::error::partial_message;
  if (code) return parts_->judge(code);
  parts_->done = true;
  return State::done;
}

bool ReplyReader::began() const { return parts_->began; }
bool ReplyReader::is_streaming() const { return parts_->parser->is_header_done() && parts_->sink.streams(); }
bool ReplyReader::is_reusable() const {
  return parts_->done && parts_->unparsed.empty() && parts_->sink.reply.status != kSwitchingProtocols &&
         parts_->parser->keep_alive();
}
const Error& ReplyReader::error() const { return parts_->error; }
Reply ReplyReader::release() { return std::move(parts_->sink.reply); }

}  // namespace ym::net
