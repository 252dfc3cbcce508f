#include "api/routes/scim_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "api/http/text.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "login/desk.h"

namespace ym::api {
namespace {

constexpr std::size_t kScimPage = 100, kLongestScimPage = 200;

Response refused_as_scim(const Error& error) { return scim::as_scim(to_response(error)); }

bool names_members(std::string_view attributes) {
  while (!attributes.empty())
    if (equal_ignoring_case(trim(take_until(attributes, ',')), "members")) return true;
  return false;
}

}  // namespace

std::optional<scim::Provider> provider_for(const Context& context, Call& call) {
  // Only the leading server has read the issuers. A provider takes "not found" for "removed already".
  if (auto reason = call.reads().not_ready()) {
    call.responder.send(scim::as_scim(busy(std::move(*reason))));
    return std::nullopt;
  }
  const auto settings = context.desk.settings();
  const auto& issuers = settings->issuers;
  const auto access = call.reads().access();
  const auto issuer = std::ranges::find(issuers, access.handle_of(call.caller.principal), &Issuer::scim);
  if (issuer != issuers.end() && access.is_service(call.caller.principal))
    return scim::Provider{.issuer = *issuer, .url = settings->url + "/scim/v2", .is_first = issuer == issuers.begin()};
  const bool is_used = std::ranges::any_of(issuers, [](const Issuer& one) { return !one.scim.empty(); });
  call.responder.send(refused_as_scim(
      is_used ? Error{ErrorCode::forbidden,
                      "this account speaks for no identity provider; auth.issuers says by `scim` "
                      "which one does"}
              : Error{ErrorCode::not_found, "no identity provider uses SCIM here (auth.issuers, `scim`)"}));
  return std::nullopt;
}

std::expected<ScimSearch, Response> read_scim_search(const Request& request) {
  Parameters parameters(request,
                        {"filter", "startIndex", "count", "attributes", "excludedAttributes", "sortBy", "sortOrder"});
  const auto filter = parameters.text("filter");
  ScimSearch search{.start = std::max<std::size_t>(parameters.number("startIndex").value_or(1), 1),
                    .count = std::min<std::size_t>(parameters.number("count").value_or(kScimPage), kLongestScimPage),
                    .leaves_out_members = names_members(parameters.text("excludedAttributes").value_or(""))};
  if (auto fault = parameters.fault()) return std::unexpected(scim::as_scim(std::move(*fault)));
  if (!filter) return search;
  auto read = scim::parse_filter(*filter);
  if (!read) return std::unexpected(scim::to_response(read.error()));
  search.filter = std::move(*read);
  return search;
}

Response no_such_resource(std::string_view what) {
  return refused_as_scim({ErrorCode::not_found, fmt::format("the provider has no such {} here", what)});
}

void run_scim_command(Call call, Command command, std::move_only_function<Response(const Asker&)> render) {
  using Replied = Result<CommandReply>;
  call.backend->commands.execute(
      call.caller, std::move(command),
      answer_to<Replied>(call, std::move(call.responder),
                         [render = std::move(render)](const Asker& asker, const Replied& reply) mutable {
                           return reply ? render(asker) : refused_as_scim(reply.error());
                         }));
}

}  // namespace ym::api
