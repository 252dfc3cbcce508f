// The few pages of a login, in HTML without scripts.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/http/message.h"

namespace ym::api {

inline constexpr std::string_view kHtml = "text/html; charset=utf-8";

// The text with all characters replaced that HTML could act on.
std::string escaped(std::string_view text);

// A form that posts to `action`, a path of this server.
struct PageForm {
  std::string action;
  std::vector<std::pair<std::string, std::string>> hidden{};
  std::string code_field{};                                    // a field for a code; empty: none
  std::vector<std::pair<std::string, std::string>> buttons{};  // value of `choice`, label
  bool leads_to_loopback = false;                              // its answer sends the browser to a program there
  bool has_logout_link = true;
};

// `lines`: plain text, a paragraph each.
Response page(int status, std::string_view title, const std::vector<std::string>& lines,
              const PageForm* form = nullptr);

// Sends the browser to another address.
Response redirect(std::string url);

}  // namespace ym::api
