#include "store/rows/row_sum.h"

namespace ym::rows {

void RowSum::bytes(std::string_view data) {
  for (const char c : data) {
    state_ ^= static_cast<unsigned char>(c);
    state_ *= 0x100000001B3ULL;
  }
}

void RowSum::add(std::string_view text) {
  bytes("t");
  add(static_cast<std::int64_t>(text.size()));
  bytes(text);
}

void RowSum::add(std::int64_t number) {
  bytes("i");
  for (int shift = 0; shift < 64; shift += 8) {
    state_ ^= static_cast<std::uint64_t>(number) >> shift & 0xff;
    state_ *= 0x100000001B3ULL;
  }
}

void RowSum::add(std::nullopt_t) { bytes("n"); }

void RowSum::add_cell(const Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) add(*number);
  else if (const auto* text = std::get_if<std::string_view>(&cell)) add(*text);
  else add(std::nullopt);
}

}  // namespace ym::rows
