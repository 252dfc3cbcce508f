#include "net/sinks/sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "base/fd.h"
#include "base/secret.h"
#include "net/sinks/syslog.h"
#include "net/tls.h"
#include "net/transport.h"

namespace ym::net {
namespace {

struct FileSink {
  std::string path;
};
struct SyslogSink {
  SinkAddress address;
  std::optional<TlsContext> tls;
  std::string host, kind;
};
struct HttpSink {
  SinkAddress address;
  std::unique_ptr<HttpClient> client;
  std::string token_file, content_type;
};
using AnySink = std::variant<FileSink, SyslogSink, HttpSink>;

// What ends a wait.
struct Wanted {
  const std::function<bool()>& keep_going;
  const Cancel& cancel;
};

constexpr Duration kBatchTimeout = seconds(30);

std::string as_lines(std::span<const SinkRecord> records) {
  std::string text;
  for (const auto& record : records) text += record.text + "\n";
  return text;
}

Result<Secret> read_bearer(const std::string& path) {
  std::ifstream file(path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  while (!text.empty() && text.find_last_of(" \r\n") == text.size() - 1) text.pop_back();
  // The message must not have the text: it is a secret, if perhaps another one.
  const bool one_word = text.find_first_of(" \r\n\t") == text.npos;
  if (file.bad() || text.empty() || !one_word)
    return fail(ErrorCode::invalid, fmt::format("{}: does not hold a token", path));
  return Secret(std::move(text));
}

Fd open_to_append(const std::string& path) {
  return Fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
}

// A writer that was killed may have left a part of a line. A file that we may only write is not looked at.
bool ends_within_line(const std::string& path) {
  const Fd file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  const auto end = file ? ::lseek(file.get(), 0, SEEK_END) : 0;
  char last = '\n';
  return end > 0 && ::pread(file.get(), &last, 1, end - 1) == 1 && last != '\n';
}

Result<void> as_receipt(const Reply& reply, const std::string& shown) {
  if (reply.status >= 200 && reply.status < 300) return {};
  const auto said = fmt::format("{} answers with status {}", shown, reply.status);
  if (reply.status >= 500 || reply.status == 408 || reply.status == 429) return fail(ErrorCode::unavailable, said);
  if (reply.status == 401 || reply.status == 403)
    return fail(ErrorCode::forbidden, said + ": it does not accept the token");
  if (reply.status == 413) return fail(ErrorCode::too_large, said + ": let it take bodies of 1 MiB");
  return fail(ErrorCode::invalid, said);
}

Result<AnySink> open_file(const SinkAddress& address) {
  if (open_to_append(address.text)) return FileSink{address.text};
  return fail(ErrorCode::invalid, fmt::format("{}: {}", address.text, std::strerror(errno)));
}

Result<AnySink> open_syslog(const SinkAddress& address, const SinkOptions& options) {
  SyslogSink sink{.address = address, .tls = std::nullopt, .host = syslog_host(), .kind = options.kind};
  if (address.server.kind == Address::Kind::tls) {
    auto tls = TlsContext::make({.ca_file = options.ca_file, .protocol = {}}, address.server.host);
    if (!tls) return std::unexpected(tls.error());
    sink.tls = std::move(*tls);
  }
  return sink;
}

Result<AnySink> open_http(const SinkAddress& address, const SinkOptions& options) {
  if (!options.token_file.empty())
    if (const auto token = read_bearer(options.token_file); !token) return std::unexpected(token.error());
  auto client = HttpClient::make({.url = address.base, .tls = {.ca_file = options.ca_file}});
  if (!client) return std::unexpected(client.error());
  return HttpSink{.address = address,
                  .client = std::move(*client),
                  .token_file = options.token_file,
                  .content_type = options.content_type};
}

Result<AnySink> open_any_sink(const SinkAddress& address, const SinkOptions& options) {
  switch (address.kind) {
    case SinkAddress::Kind::file: return open_file(address);
    case SinkAddress::Kind::syslog: return open_syslog(address, options);
    case SinkAddress::Kind::http: return open_http(address, options);
  }
  return FileSink{};
}

Result<void> give(const FileSink& sink, std::span<const SinkRecord> records, const Wanted&) {
  const auto failed = [&](const char* why) {
    return fail(ErrorCode::unavailable, fmt::format("cannot write to {}: {}", sink.path, why));
  };
  const auto text = (ends_within_line(sink.path) ? "\n" : "") + as_lines(records);
  const Fd file = open_to_append(sink.path);
  if (!file) return failed(std::strerror(errno));
  const auto written = ::write(file.get(), text.data(), text.size());
  if (std::cmp_equal(written, text.size())) {
    // Devices and pipes have no disk.
    if (::fdatasync(file.get()) == 0 || errno == EINVAL || errno == EROFS) return {};
    return failed(std::strerror(errno));
  }
  auto why = failed(written < 0 ? std::strerror(errno) : "the disk is full");
  // A part of a record ends before the next one.
  if (written > 0) (void)::write(file.get(), "\n", 1);
  return why;
}

Io<void> write_and_finish(const SyslogSink& sink, std::string_view text, const WaitLimit& wait) {
  auto transport = connect(sink.address.server, sink.tls ? &*sink.tls : nullptr, wait);
  if (!transport) return std::unexpected(transport.error());
  if (auto written = (*transport)->write(text, wait); !written) return written;
  return (*transport)->finish(wait);
}

Result<void> give(const SyslogSink& sink, std::span<const SinkRecord> records, const Wanted& wanted) {
  std::string text;
  for (const auto& record : records)
    text += syslog_frame({.time = record.time, .host = sink.host, .kind = sink.kind, .text = record.text});
  const auto done = write_and_finish(
      sink, text, {.deadline = from_now(kBatchTimeout), .cancel = wanted.cancel, .keep_going = &wanted.keep_going});
  if (done) return {};
  return fail(ErrorCode::unavailable,
              fmt::format("{} did not take records: {}", sink.address.shown(), done.error().why));
}

Result<void> give(const HttpSink& sink, std::span<const SinkRecord> records, const Wanted& wanted) {
  Request request{.method = "POST",
                  .target = sink.address.target,
                  .headers = {{"Content-Type", sink.content_type}},
                  .body = as_lines(records),
                  .timeout = kBatchTimeout,
                  .most_bytes = std::size_t{1} << 20,
                  .repeatable = true,
                  .keep_going = wanted.keep_going};
  if (!sink.token_file.empty()) {
    const auto token = read_bearer(sink.token_file);
    // It may be on its way to be replaced.
    if (!token) return fail(ErrorCode::unavailable, token.error().message);
    request.headers["Authorization"] = "Bearer " + token->reveal();
  }
  const auto reply = sink.client->send(request, wanted.cancel);
  if (reply) return as_receipt(*reply, sink.address.shown());
  // A long answer is not a refusal of the records.
  const bool is_long = reply.error().code == ErrorCode::too_large;
  return fail(is_long ? ErrorCode::unavailable : reply.error().code, reply.error().message);
}

}  // namespace

struct Sink::Way {
  AnySink sink;
};

Sink::Sink(SinkAddress address, std::unique_ptr<Way> way) : address_(std::move(address)), way_(std::move(way)) {}
Sink::Sink(Sink&&) noexcept = default;
Sink& Sink::operator=(Sink&&) noexcept = default;
Sink::~Sink() = default;

Result<Sink> Sink::open(const SinkOptions& options) {
  auto address = parse_sink(options.address);
  if (!address) return std::unexpected(address.error());
  auto sink = open_any_sink(*address, options);
  if (!sink) return std::unexpected(sink.error());
  return Sink(std::move(*address), std::make_unique<Way>(std::move(*sink)));
}

Result<void> Sink::send(std::span<const SinkRecord> records, const std::function<bool()>& keep_going,
                        const Cancel& cancel) const {
  if (records.empty()) return {};
  const Wanted wanted{.keep_going = keep_going, .cancel = cancel};
  return std::visit([&](const auto& sink) { return give(sink, records, wanted); }, way_->sink);
}

}  // namespace ym::net
