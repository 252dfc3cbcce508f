#include "store/postgres/parameters.h"

#include <bit>
#include <cstring>
#include <utility>

#include "base/assert.h"

namespace ym::postgres {
namespace {

template <class Number>
void append(std::string& out, Number number) {
  if constexpr (std::endian::native == std::endian::little) number = std::byteswap(number);
  char bytes[sizeof(Number)];
  std::memcpy(bytes, &number, sizeof(Number));
  out.append(bytes, sizeof(Number));
}

TypeNumber array_of(Type element) {
  switch (element) {
    case Type::int8: return 1016;
    case Type::text: return 1009;
    case Type::bytea: return 1001;
  }
  std::unreachable();
}

}  // namespace

std::string big_endian(std::int64_t number) {
  std::string bytes;
  append(bytes, number);
  return bytes;
}

std::int64_t from_big_endian(std::string_view eight_bytes) {
  YM_ASSERT(eight_bytes.size() == sizeof(std::int64_t));
  std::int64_t number = 0;
  std::memcpy(&number, eight_bytes.data(), sizeof(number));
  return std::endian::native == std::endian::little ? std::byteswap(number) : number;
}

Array::Array(Type element) : element_(element) {}

void Array::add(std::int64_t number) {
  YM_ASSERT(element_ == Type::int8);
  append(elements_, std::int32_t{sizeof(number)});
  append(elements_, number);
  ++count_;
}

void Array::add(std::string_view bytes) {
  YM_ASSERT(element_ != Type::int8);
  append(elements_, static_cast<std::int32_t>(bytes.size()));
  elements_ += bytes;
  ++count_;
}

void Array::add(std::nullopt_t) {
  append(elements_, std::int32_t{-1});
  has_null_ = true;
  ++count_;
}

void Array::add_cell(const rows::Cell& cell) {
  if (const auto* number = std::get_if<std::int64_t>(&cell)) add(*number);
  else if (const auto* bytes = std::get_if<std::string_view>(&cell)) add(*bytes);
  else add(std::nullopt);
}

TypeNumber Array::type() const { return array_of(element_); }

std::string Array::encoded() const {
  std::string bytes;
  bytes.reserve(20 + elements_.size());
  append(bytes, std::int32_t{count_ > 0 ? 1 : 0});  // dimensions: an empty array has none
  append(bytes, std::int32_t{has_null_ ? 1 : 0});
  append(bytes, static_cast<std::int32_t>(element_));
  if (count_ == 0) return bytes;
  append(bytes, count_);
  append(bytes, std::int32_t{1});  // the index of the first
  return bytes + elements_;
}

Parameters& Parameters::add(TypeNumber type, std::string value) {
  types_.push_back(type);
  values_.push_back(std::move(value));
  return *this;
}

Parameters& Parameters::add(std::int64_t number) {
  return add(static_cast<TypeNumber>(Type::int8), big_endian(number));
}
Parameters& Parameters::add(std::string_view bytes) {
  return add(static_cast<TypeNumber>(Type::bytea), std::string(bytes));
}
Parameters& Parameters::add_text(std::string_view text) {
  return add(static_cast<TypeNumber>(Type::text), std::string(text));
}
Parameters& Parameters::add(const Array& array) { return add(array.type(), array.encoded()); }

Parameters& Parameters::add_cell(const rows::Cell& cell) {
  const auto* number = std::get_if<std::int64_t>(&cell);
  return number ? add(*number) : add(std::get<std::string_view>(cell));
}

std::vector<const char*> Parameters::values() const {
  std::vector<const char*> pointers;
  for (const auto& value : values_) pointers.push_back(value.data());
  return pointers;
}

std::vector<int> Parameters::lengths() const {
  std::vector<int> lengths;
  for (const auto& value : values_) lengths.push_back(static_cast<int>(value.size()));
  return lengths;
}

}  // namespace ym::postgres
