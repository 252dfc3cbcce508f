#include <fmt/format.h>
#include <unistd.h>

#include <array>

#include "cli/login/oauth.h"
#include "cli/login/ways.h"
#include "cli/term/text.h"
#include "cli/views/json_view.h"

namespace ym::cli {
namespace {

constexpr Duration kLongestInterval = minutes(1);

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Duration seconds_at(const boost::json::value& codes, std::string_view name, std::int64_t otherwise) {
  const double said = number_at(codes, name).value_or(static_cast<double>(otherwise));
  return seconds(said >= 1 && said <= 3600 ? static_cast<std::int64_t>(said) : otherwise);
}

void show(Session& session, const boost::json::value& codes) {
  session.err << fmt::format("Open {} in a browser and type this code:\n\n    {}\n\nOr open {}\n",
                             printable(text_at(codes, "verification_uri")), printable(text_at(codes, "user_code")),
                             printable(text_at(codes, "verification_uri_complete")))
              << std::flush;
}

}  // namespace

Result<Secret> log_in_by_code(Session& session, const Connection& server) {
  const auto begun =
      post_form(session, server, "/oauth2/device_authorization", {{"client_id", "ym"}, {"host", host_name()}});
  if (!begun) return std::unexpected(begun.error());
  if (!begun->error.empty()) return fail(ErrorCode::invalid, begun->description);
  show(session, begun->body);
  session.watch_interrupt();
  Duration interval = std::min(seconds_at(begun->body, "interval", 5), kLongestInterval);
  const Instant end = session.now() + seconds_at(begun->body, "expires_in", 600);
  while (session.now() < end) {
    session.sleep(interval);
    if (session.interrupted()) return fail(ErrorCode::unavailable, "interrupted; you are not logged in");
    const auto polled = post_form(session, server, "/oauth2/token",
                                  {{"grant_type", std::string(kDeviceGrant)},
                                   {"device_code", text_at(begun->body, "device_code")},
                                   {"client_id", "ym"}});
    // A lost connection is no answer: ask again, less often.
    const bool away =
        polled ? polled->error == "temporarily_unavailable" : polled.error().code == ErrorCode::unavailable;
    if (away || (polled && polled->error == "slow_down")) interval = std::min(interval + seconds(5), kLongestInterval);
    else if (!polled) return std::unexpected(polled.error());
    else if (polled->error != "authorization_pending") return token_in(*polled);
  }
  return fail(ErrorCode::unauthenticated, "the code has expired; begin again");
}

}  // namespace ym::cli
