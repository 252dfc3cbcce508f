// Logins of browsers, and the pages where a user allows a program to log in.
#include <fmt/format.h>

#include "api/browser_session.h"
#include "api/form.h"
#include "api/http/text.h"
#include "api/pages.h"
#include "api/parameters.h"
#include "api/problem.h"
#include "api/routes/login_command.h"
#include "oidc/web.h"

namespace ym::api {
namespace {

// A user that allows a program to log in has logged in itself not longer ago.
constexpr Duration kFreshSession = hours(1);

Response error_page(const Error& error) {
  int status = 400;
  if (error.code == ErrorCode::unavailable) status = 503;
  if (error.code == ErrorCode::forbidden) status = 403;
  if (error.code == ErrorCode::not_found) status = 404;
  Response response = page(status, "That did not work", {error.message});
  response.problem = to_string(error.code);
  return response;
}

std::string device_path(const std::string& code) { return "/device?" + oidc::encode_form({{"user_code", code}}); }

// A check of the address must not use up a code.
Response only_get() { return to_response(HttpFault::method_not_allowed, "allowed here: GET"); }

Response to_login(const std::string& path) { return redirect("/login?" + oidc::encode_form({{"next", path}})); }

// The caller's session, if it is fresh enough to make another one.
std::optional<Caller> fresh_session(const Call& call) {
  auto session = session_of(call);
  if (!session || call.reads().now() - session->since >= kFreshSession) return std::nullopt;
  return std::move(session->caller);
}

std::string query_text(const Request& request, std::string_view name) {
  for (const auto& [key, value] : request.query)
    if (key == name) return value;
  return {};
}

std::vector<std::pair<std::string, std::string>> with_csrf(const Request& request,
                                                           std::vector<std::pair<std::string, std::string>> fields) {
  fields.emplace_back("csrf", csrf_of(cookie_of(request, kSessionCookie)));
  return fields;
}

// What a form of a page says, if the page is of this server and the session is fresh.
Result<std::pair<Caller, FormFields>> decision_of(const Call& call) {
  auto form = FormFields::parse(call.request.body);
  if (!form) return fail(ErrorCode::invalid, "the form is malformed");
  if (auto may = check_change(call.request, cookie_of(call.request, kSessionCookie), form->get("csrf")); !may)
    return std::unexpected(may.error());
  auto caller = fresh_session(call);
  if (!caller) return fail(ErrorCode::unauthenticated, "this browser's login has ended; open the address again");
  return std::pair(std::move(*caller), std::move(*form));
}

// --- programs that wait on loopback (RFC 8252)

struct Authorization {
  std::string redirect_uri, state, challenge;
};

// A program of the user's machine: by address, never by a name that may lead to another machine.
bool is_loopback_uri(std::string_view uri) {
  for (const std::string_view begin : {"http://127.0.0.1:", "http://[::1]:"}) {
    if (!uri.starts_with(begin)) continue;
    uri.remove_prefix(begin.size());
    const auto digits = uri.find_first_not_of("0123456789");
    const bool plain = uri.find_first_of("#?@\\ ") == std::string_view::npos;
    return digits != 0 && plain && (digits == std::string_view::npos || uri[digits] == '/');
  }
  return false;
}

// `get`: a field of the query or of the form.
Result<Authorization> read_authorization(const auto& get) {
  Authorization read{.redirect_uri = get("redirect_uri"), .state = get("state"), .challenge = get("code_challenge")};
  const auto wrong = [](std::string_view what) { return fail(ErrorCode::invalid, std::string(what)); };
  if (get("client_id") != "ym") return wrong("the only client here is 'ym'");
  if (!is_loopback_uri(read.redirect_uri)) return wrong("redirect_uri must be an address on 127.0.0.1 or [::1]");
  if (get("response_type") != "code") return wrong("response_type must be code");
  if (read.challenge.empty() || get("code_challenge_method") != "S256")
    return wrong("a code_challenge by S256 is needed");
  return read;
}

// Sends the browser on, with the session in its cookies.
Response with_session(const std::string& path, const TokenReply& made, Instant now) {
  const auto& secret = made.secret->reveal();
  const Duration life = *made.token.expires_at - now;
  Response response = redirect(path);
  response.headers.push_back(set_cookie(kSessionCookie, secret, life, CookieKind::hidden));
  response.headers.push_back(set_cookie(kCsrfCookie, csrf_of(secret), life, CookieKind::readable));
  response.headers.push_back(remove_cookie(kLoginCookie));
  return response;
}

}  // namespace

void begin_login(Context& context, Call call) {
  if (call.request.method == Method::head) return call.responder.send(only_get());
  const auto now = call.reads().now();
  context.desk.depart(
      query_text(call.request, "issuer"), local_path(query_text(call.request, "next")), call.caller.origin->source, now,
      [responder = std::move(call.responder)](Result<login::Departure> departure) mutable {
        if (!departure) return responder.send(error_page(departure.error()));
        Response response = redirect(departure->url);
        response.headers.push_back(set_cookie(kLoginCookie, departure->cookie, minutes(10), CookieKind::hidden));
        responder.send(std::move(response));
      });
}

void finish_login(Context& context, Call call) {
  if (call.request.method == Method::head) return call.responder.send(only_get());
  login::Return back{.code = query_text(call.request, "code"),
                     .state = query_text(call.request, "state"),
                     .issuer = query_text(call.request, "iss"),
                     .error = query_text(call.request, "error"),
                     .cookie = cookie_of(call.request, kLoginCookie)};
  const auto now = call.reads().now();
  auto session = session_of(call);
  auto replaced = session ? std::optional(std::move(session->caller)) : std::nullopt;
  const auto finish = [&context, replaced = std::move(replaced)](const Asker& asker, Responder responder,
                                                                 login::Arrival arrival) {
    asker.backend->commands.execute(
        server_for(asker.caller), login_of(std::move(arrival.login), *context.desk.settings(), "browser"),
        answer_to<Result<CommandReply>>(asker, std::move(responder),
                                        [&context, replaced, path = std::move(arrival.path)](
                                            const Asker& still, const Result<CommandReply>& reply) {
                                          if (!reply) {
                                            record_failed_login(context, still, reply.error());
                                            return error_page(reply.error());
                                          }
                                          // The browser forgets the session that it had, so nothing could end it.
                                          if (replaced)
                                            still.backend->commands.execute(*replaced, RevokeToken{replaced->token},
                                                                            [](const Result<CommandReply>&) {});
                                          return with_session(path, *reply->token, still.reads().now());
                                        }));
  };
  context.desk.arrive(std::move(back), now,
                      [&context, finish, call = std::move(call)](Result<login::Arrival> arrival) mutable {
                        if (arrival) return finish(call, std::move(call.responder), std::move(*arrival));
                        // A page of another site can send a browser here: without its cookie nothing was begun.
                        if (!cookie_of(call.request, kLoginCookie).empty())
                          record_failed_login(context, call, arrival.error());
                        call.responder.send(error_page(arrival.error()));
                      });
}

void show_logout(Context&, Call call) {
  const auto session = session_of(call);
  if (!session && session.error().code == ErrorCode::unavailable)
    return call.responder.send(error_page(session.error()));
  if (!session) return call.responder.send(page(404, "Not logged in", {"There is no login of this browser to end."}));
  const PageForm form{.action = "/logout",
                      .hidden = with_csrf(call.request, {}),
                      .buttons = {{"logout", "Log out"}},
                      .has_logout_link = false};
  const auto& user = session->caller.principal;
  call.responder.send(page(200, "Log out?",
                           {fmt::format("This browser is logged in as '{}'.", call.reads().access().handle_of(user))},
                           &form));
}

void end_session(Context&, Call call) {
  const auto form = FormFields::parse(call.request.body);
  const auto session = cookie_of(call.request, kSessionCookie);
  const auto csrf =
      form && !form->get("csrf").empty() ? form->get("csrf") : std::string(call.request.header(kCsrfHeader));
  if (auto may = check_change(call.request, session, csrf); !may) return call.responder.send(error_page(may.error()));
  const auto logged_out = [](const Asker&, const Result<CommandReply>& reply) {
    const bool is_gone = reply || reply.error().code == ErrorCode::not_found;
    if (!is_gone) return error_page(reply.error());
    Response response = page(200, "Logged out", {"This browser is logged out."});
    for (const auto name : {kSessionCookie, kCsrfCookie}) response.headers.push_back(remove_cookie(name));
    // Browsers keep pages for their back button, also where none may be stored.
    response.headers.push_back({"Clear-Site-Data", "\"cache\""});
    return response;
  };
  auto current = session_of(call);
  if (!current && current.error().code == ErrorCode::unavailable)
    return call.responder.send(error_page(current.error()));
  if (!current) return call.responder.send(logged_out(call, CommandReply{}));
  const std::string id = current->caller.token;
  const Asker asker{.caller = call.caller, .backend = call.backend};
  call.backend->commands.execute(std::move(current->caller), RevokeToken{id},
                                 answer_to<Result<CommandReply>>(asker, std::move(call.responder), logged_out));
}

namespace {

std::string what_it_may(const login::Settings& settings) {
  return fmt::format("It may then do all that you may, for {} at most, and until ym logout.",
                     to_string(settings.login_ttl));
}

// What the user needs to know to tell its own login from that of a stranger.
std::vector<std::string> about(const Call& call, const Caller& caller, const login::Device& device,
                               const login::Settings& settings) {
  const std::string& here = call.caller.origin->source;
  const auto age = Duration{(call.reads().now() - device.since).ms / 1000 * 1000};
  return {fmt::format("The program ym wants to act as '{}' on {}.", call.reads().access().handle_of(caller.principal),
                      settings.url),
          what_it_may(settings),
          fmt::format("It asked {} ago, from the address {}{}.", to_string(age), device.address,
                      device.address == here ? ", which is yours" : fmt::format("; yours is {}", here)),
          device.host.empty() ? "It does not name its machine." : fmt::format("It calls its machine {}.", device.host),
          fmt::format("Allow it only if you yourself ran ym login just now, and it shows the code {}.", device.code)};
}

}  // namespace

void show_device(Context& context, Call call) {
  const auto code = query_text(call.request, "user_code");
  const auto caller = fresh_session(call);
  if (!caller) return call.responder.send(to_login(code.empty() ? "/device" : device_path(code)));
  if (code.empty()) {
    // Without `choice` the form only asks which program waits.
    const PageForm form{.action = "/device",
                        .hidden = with_csrf(call.request, {}),
                        .code_field = "user_code",
                        .buttons = {{"look", "Continue"}}};
    return call.responder.send(page(200, "Log in a program", {"Type the code that the program shows."}, &form));
  }
  const auto device = context.desk.with_devices([&](login::DeviceCodes& codes) -> std::optional<login::Device> {
    const auto* found = codes.find(code, caller->principal, call.reads().now());
    return found ? std::optional(*found) : std::nullopt;
  });
  if (!device)
    return call.responder.send(page(404, "No program waits with this code",
                                    {"The code is wrong or older than ten minutes. Run ym login again."}));
  const PageForm form{.action = "/device",
                      .hidden = with_csrf(call.request, {{"user_code", device->code}}),
                      .buttons = {{"allow", "Allow"}, {"deny", "Deny"}}};
  call.responder.send(page(200, "Allow this program?", about(call, *caller, *device, *context.desk.settings()), &form));
}

void decide_device(Context& context, Call call) {
  const auto decision = decision_of(call);
  if (!decision) return call.responder.send(error_page(decision.error()));
  const auto& [caller, form] = *decision;
  const auto code = form.get("user_code");
  if (form.get("choice") == "look") return call.responder.send(redirect(device_path(code)));
  const bool allow = form.get("choice") == "allow";
  const auto now = call.reads().now();
  const bool found = context.desk.with_devices([&](login::DeviceCodes& codes) {
    if (codes.find(code, caller.principal, now) == nullptr) return false;
    return codes.decide(code, allow ? std::optional(login::DeviceGrant{caller.principal, caller.token}) : std::nullopt,
                        now);
  });
  if (!found)
    return call.responder.send(page(404, "No program waits with this code",
                                    {"The code is wrong or older than ten minutes. Run ym login again."}));
  call.responder.send(allow ? page(200, "Allowed", {"The program is logged in. You can close this page."})
                            : page(200, "Denied", {"The program was not logged in. You can close this page."}));
}

void show_authorization(Context& context, Call call) {
  const auto get = [&](std::string_view name) { return query_text(call.request, name); };
  const auto read = read_authorization(get);
  if (!read) return call.responder.send(error_page(read.error()));
  const auto caller = fresh_session(call);
  if (!caller) return call.responder.send(to_login(call.request.target));
  const PageForm form{.action = "/oauth2/authorize",
                      .hidden = with_csrf(call.request, {{"client_id", "ym"},
                                                         {"response_type", "code"},
                                                         {"code_challenge_method", "S256"},
                                                         {"redirect_uri", read->redirect_uri},
                                                         {"state", read->state},
                                                         {"code_challenge", read->challenge}}),
                      .buttons = {{"allow", "Allow"}, {"deny", "Deny"}},
                      .leads_to_loopback = true};
  call.responder.send(
      page(200, "Allow this program?",
           {fmt::format("A program on this machine wants to act as '{}' on {}.",
                        call.reads().access().handle_of(caller->principal), context.desk.settings()->url),
            what_it_may(*context.desk.settings()), "Allow it only if you yourself began this login."},
           &form));
}

void decide_authorization(Context& context, Call call) {
  const auto decision = decision_of(call);
  if (!decision) return call.responder.send(error_page(decision.error()));
  const auto& [caller, form] = *decision;
  const auto read = read_authorization([&](std::string_view name) { return form.get(name); });
  if (!read) return call.responder.send(error_page(read.error()));
  const std::string back = read->redirect_uri + "?" + oidc::encode_form({{"state", read->state}});
  if (form.get("choice") != "allow") return call.responder.send(redirect(back + "&error=access_denied"));
  login::Browsing browsing{
      .grant = {caller.principal, caller.token}, .redirect_uri = read->redirect_uri, .challenge = read->challenge};
  const auto now = call.reads().now();
  const auto code =
      context.desk.with_browsing([&](login::BrowsingCodes& codes) { return codes.put(std::move(browsing), now); });
  if (!code)
    return call.responder.send(error_page({.code = ErrorCode::unavailable, .message = "too many logins wait"}));
  call.responder.send(redirect(back + "&code=" + *code));
}

}  // namespace ym::api
