#include "control/access/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/access/login_settings.h"

namespace ym {
namespace {

constexpr std::size_t kLongestName = 63, kLongestHandle = 64;
constexpr std::string_view kLettersAndDigits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
// The actor of what the server does itself.
constexpr std::string_view kReservedHandle = "server";

bool consists_of(std::string_view text, std::string_view more) {
  return std::ranges::all_of(text, [&](char c) { return kLettersAndDigits.contains(c) || more.contains(c); });
}

}  // namespace

Result<void> check_name(std::string_view pointer, std::string_view name) {
  const bool fits = !name.empty() && name.size() <= kLongestName && kLettersAndDigits.contains(name.front()) &&
                    consists_of(name, "-_.");
  if (fits) return {};
  return fail_field(std::string(pointer),
                    "must be 1 to 63 letters, digits, '-', '_' and '.', and begin with a letter or digit");
}

Result<void> check_handle(std::string_view pointer, std::string_view handle) {
  if (handle == kReservedHandle) return fail_field(std::string(pointer), "'server' is the server itself");
  const bool fits = !handle.empty() && handle.size() <= kLongestHandle && consists_of(handle, ".-_@+");
  if (fits) return {};
  return fail_field(std::string(pointer),
                    "must be 1 to 64 letters, digits, '.', '-', '_', '@' and '+', for example 'bob'");
}

Result<void> check_group(std::string_view pointer, std::string_view group) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (!group.empty() && group.size() <= kLongestGroup && std::ranges::none_of(group, is_control)) return {};
  return fail_field(std::string(pointer),
                    fmt::format("the name of a group has 1 to {} bytes and no control characters", kLongestGroup));
}

}  // namespace ym
