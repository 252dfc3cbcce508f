#include "api/pages.h"

#include <fmt/format.h>

#include "oidc/digest.h"

namespace ym::api {
namespace {

constexpr std::string_view kStyle =
    "html{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:15vh auto;padding:0 "
    "1rem;color:#1c2330;"
    "background:#fff}h1{font-size:1.4rem}button,input{font:inherit;padding:.5rem 1rem;margin:.25rem .5rem .25rem 0;"
    "border:1px solid #6b7687;border-radius:6px;background:#fff;color:#1c2330}button[value=allow]{background:#1857b8;"
    "border-color:#1857b8;color:#fff}input{letter-spacing:.15em;text-transform:uppercase}"
    "@media(prefers-color-scheme:dark){body,button,input{background:#12161d;color:#e8edf5}}";

// The style of the page alone, no script, and forms only where they belong. A redirect after a form counts as its
// target.
std::string policy(std::string_view form_action) {
  return fmt::format(
      "default-src 'none'; style-src 'sha256-{}'; form-action {}; frame-ancestors 'none'; base-uri 'none'",
      oidc::to_base64(oidc::sha256(kStyle)), form_action);
}

std::string_view policy_of(const PageForm* form) {
  static const std::string kNone = policy("'none'"), kSelf = policy("'self'"),
                           kLoopback = policy("'self' http://127.0.0.1:* http://[::1]:*");
  if (form == nullptr) return kNone;
  return form->leads_to_loopback ? kLoopback : kSelf;
}

std::string html_of(const PageForm& form) {
  std::string html = fmt::format("<form method=\"post\" action=\"{}\">", escaped(form.action));
  for (const auto& [name, value] : form.hidden)
    html += fmt::format("<input type=\"hidden\" name=\"{}\" value=\"{}\">", escaped(name), escaped(value));
  if (!form.code_field.empty())
    html += fmt::format(
        "<label>Code <input name=\"{}\" required autofocus autocomplete=\"off\" maxlength=\"20\" "
        "placeholder=\"XXXX-XXXX\"></label>",
        escaped(form.code_field));
  for (const auto& [value, label] : form.buttons)
    html += fmt::format("<button name=\"choice\" value=\"{}\">{}</button>", escaped(value), escaped(label));
  html += "</form>";
  return form.has_logout_link ? html + "<p><a href=\"/logout\">Log out</a></p>" : html;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

Response page(int status, std::string_view title, const std::vector<std::string>& lines, const PageForm* form) {
  std::string html = fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
      "content=\"width=device-width\"><title>{0} - Yardmaster</title><style>{1}</style></head><body><main><h1>{0}</h1>",
      escaped(title), kStyle);
  for (const std::string& line : lines) html += fmt::format("<p>{}</p>", escaped(line));
  if (form != nullptr) html += html_of(*form);
  html += "</main></body></html>\n";
  Response response{.status = status, .content_type = kHtml, .body = std::move(html)};
  response.policy = policy_of(form);
  // Without a referrer the form's own Origin would be "null".
  response.headers.push_back({"Referrer-Policy", "same-origin"});
  return response;
}

Response redirect(std::string url) {
  Response response{.status = 303, .content_type = kHtml, .body = ""};
  response.headers.push_back({"Location", std::move(url)});
  response.headers.push_back({"Referrer-Policy", "no-referrer"});
  return response;
}

}  // namespace ym::api
