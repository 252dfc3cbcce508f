#include "net/exchange.h"

#include <vector>

namespace ym::net {
namespace {

constexpr std::size_t kReadBytes = std::size_t{32} << 10;

bool is_loss(const IoError& error) { return error.kind == IoError::Kind::lost || error.kind == IoError::Kind::ended; }

Outcome failed(const IoError& error, bool began) {
  return {.reply = fail(ErrorCode::unavailable, error.why), .reusable = false, .unanswered = is_loss(error) && !began};
}

Outcome finished(ReplyReader& reader, ReplyReader::State state, bool all_sent) {
  if (state == ReplyReader::State::broken) return {.reply = std::unexpected(reader.error())};
  const bool reusable = all_sent && reader.is_reusable();
  return {.reply = reader.release(), .reusable = reusable};
}

}  // namespace

Outcome run_exchange(Transport& transport, const Exchange& exchange) {
  WaitLimit wait_limit{.deadline = exchange.deadline, .cancel = exchange.cancel, .keep_going = exchange.keep_going};
  const auto sent = transport.write(exchange.request, wait_limit);
  // A server may refuse a large body before it has received all of it, and close the connection. Its reply says why.
  if (!sent && !is_loss(sent.error())) return failed(sent.error(), false);

  ReplyReader reader(exchange.rules);
  std::vector<char> block(kReadBytes);
  auto state = ReplyReader::State::more;
  while (state == ReplyReader::State::more) {
    if (reader.is_streaming()) wait_limit.deadline = from_now(exchange.between_pieces);
    const auto got = transport.read(block, wait_limit);
    if (got) state = reader.feed({block.data(), *got});
    else if (got.error().kind == IoError::Kind::ended && reader.began()) state = reader.end();
    else return failed(got.error(), reader.began());
  }
  return finished(reader, state, sent.has_value());
}

}  // namespace ym::net
