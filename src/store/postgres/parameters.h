// Parameters of statements, in PostgreSQL's binary format.
//
// Texts that users wrote may hold any bytes. PostgreSQL's `text` cannot hold NUL, so these are `bytea` in the schema.
// `text` is only for the store's own words.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/rows/cells.h"

namespace ym::postgres {

// The types of the schema, by their PostgreSQL numbers (OIDs).
using TypeNumber = unsigned int;
enum class Type : TypeNumber { int8 = 20, text = 25, bytea = 17 };

// One column of many rows: a one-dimensional array.
class Array {
 public:
  explicit Array(Type element);

  void add(std::int64_t number);
  void add(std::string_view bytes);
  void add(std::nullopt_t);
  template <class T>
  void add(const std::optional<T>& value) {
    if (value) add(*value);
    else add(std::nullopt);
  }
  void add_cell(const rows::Cell& cell);

  TypeNumber type() const;
  // The array in the wire format.
  std::string encoded() const;

 private:
  Type element_;
  std::int32_t count_ = 0;
  bool has_null_ = false;
  std::string elements_;
};

// The parameters of one use of a statement. It owns copies of the values. They count from $1.
class Parameters {
 public:
  Parameters& add(std::int64_t number);
  Parameters& add(std::string_view bytes);  // bytea
  Parameters& add_text(std::string_view text);
  Parameters& add(const Array& array);
  Parameters& add_cell(const rows::Cell& cell);  // a number or a bytea

  // The form that libpq takes. The pointers are valid until the next add.
  int count() const { return static_cast<int>(values_.size()); }
  const TypeNumber* types() const { return types_.data(); }
  std::vector<const char*> values() const;
  std::vector<int> lengths() const;
  std::vector<int> formats() const { return std::vector<int>(values_.size(), 1); }

 private:
  Parameters& add(TypeNumber type, std::string value);
  std::vector<TypeNumber> types_;
  std::vector<std::string> values_;
};

// Integers in the wire format, in network byte order.
std::string big_endian(std::int64_t number);
std::int64_t from_big_endian(std::string_view eight_bytes);

}  // namespace ym::postgres
