#include "api/http/proxies.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <ranges>

#include "api/http/text.h"

namespace ym::api {
namespace {

using Bytes = std::array<unsigned char, 16>;

// The first 96 bits of an IPv4 address as IPv6 writes it.
constexpr Bytes kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

struct Address {
  Bytes bytes{};
  unsigned bits_before = 0;  // of an IPv4 address in IPv6's form
};

std::optional<Address> parse_address(std::string_view text) {
  const std::string terminated(text.substr(0, text.find('%')));  // without the zone of a link-local address
  Address address;
  if (::inet_pton(AF_INET6, terminated.c_str(), address.bytes.data()) == 1) return address;
  address = {.bytes = kMapped, .bits_before = 96};
  if (::inet_pton(AF_INET, terminated.c_str(), address.bytes.data() + 12) != 1) return std::nullopt;
  return address;
}

std::optional<unsigned> parse_bits(std::string_view text) {
  unsigned bits = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (failed != std::errc{} || end != text.data() + text.size() || bits > 128) return std::nullopt;
  return bits;
}

bool agree(const Bytes& a, const Bytes& b, unsigned bits) {
  const auto whole = bits / 8;
  if (!std::equal(a.begin(), a.begin() + whole, b.begin())) return false;
  const auto rest = bits % 8;
  return rest == 0 || ((a.at(whole) ^ b.at(whole)) >> (8 - rest)) == 0;
}

// What is after the last comma, which is taken away.
std::string_view take_last(std::string_view& list) {
  const auto comma = list.rfind(',');
  const auto last = comma == list.npos ? list : list.substr(comma + 1);
  list = comma == list.npos ? std::string_view{} : list.substr(0, comma);
  return trim(last);
}

}  // namespace

Result<TrustedProxies> TrustedProxies::make(std::span<const std::string> texts) {
  TrustedProxies proxies;
  for (const std::string_view text : texts) {
    const auto slash = text.find('/');
    const auto address = parse_address(text.substr(0, slash));
    const auto bits = slash == text.npos ? std::optional(128U) : parse_bits(text.substr(slash + 1));
    const auto all = address && bits ? *bits + (slash == text.npos ? 0 : address->bits_before) : 129U;
    // A network of more than all of IPv4 that looks like one of IPv4 is a mistake.
    const bool is_mapped = address && agree(address->bytes, kMapped, 96);
    if (all > 128 || (is_mapped && all < 96))
      return fail(ErrorCode::invalid, fmt::format("trusted proxies: '{}' is not an address or a network; write for "
                                                  "example 10.1.2.3 or 10.0.0.0/8",
                                                  text));
    proxies.networks_.push_back({.address = address->bytes, .bits = all});
  }
  return proxies;
}

bool TrustedProxies::contains(std::string_view address) const {
  const auto sought = parse_address(address);
  return sought && std::ranges::any_of(networks_, [&](const Network& network) {
           return agree(network.address, sought->bytes, network.bits);
         });
}

std::string TrustedProxies::client_of(const std::string& peer, const Request& head) const {
  std::string client = peer;
  for (const auto& field : head.headers | std::views::reverse) {
    if (!equal_ignoring_case(field.name, "X-Forwarded-For")) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      if (!contains(client)) return client;
      const auto named = take_last(rest);
      if (!parse_address(named)) return client;
      client = named;
    }
  }
  return client;
}

}  // namespace ym::api
