// Renders answers: status line, header fields, chunks.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>

#include "api/http/message.h"

namespace ym::api {

struct HeadFacts {
  bool http_1_0 = false;
  bool keep_alive = true;
  bool chunked = false;                      // a body of unknown length, in chunks
  std::optional<std::uint64_t> length = {};  // absent: unknown
};

// Every answer has nosniff, and no-store unless Response::cache says otherwise. Its policy forbids frames and scripts.
std::string render_head(const Response& response, const HeadFacts& facts, std::time_t now);

// Wraps `data` as one chunk, in place. Precondition: not empty (an empty chunk is the end).
void make_chunk(std::string& data);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace ym::api
