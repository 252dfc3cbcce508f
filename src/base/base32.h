// Crockford base32: the text form of ids.
//
// The width is fixed, so text order is numeric order. No letter looks like a digit (I L O U are not used; I and L are
// read as 1, O as 0). Lower case is read, too. Source of the alphabet: Douglas Crockford, "Base 32".
// read too. Source of the alphabet: Douglas Crockford, "Base 32".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ym {

// Eight characters hold 40 bits: a million jobs a day for three thousand years.
inline constexpr std::size_t kIdWidth = 8;

// Precondition: value < 2^40.
std::string encode_base32(std::uint64_t value);

// Exactly kIdWidth characters of the alphabet, else nothing.
std::optional<std::uint64_t> decode_base32(std::string_view text);

}  // namespace ym
