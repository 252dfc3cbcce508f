// The remarks of a conversion, and a reader of maps that reports each key.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/convert.h"
#include "spec/text/field.h"

namespace ym::convert {

using spec::Field;
using spec::Value;

class Remarks {
 public:
  void warn(const Field& at, std::string_view message) { add(Remark::Kind::warning, at, message); }
  void note(const Field& at, std::string_view message) { add(Remark::Kind::note, at, message); }
  // In the order of their lines.
  std::vector<Remark> take() { return std::move(remarks_); }

 private:
  void add(Remark::Kind kind, const Field& at, std::string_view message);
  std::vector<Remark> remarks_;
};

// A key that a job file cannot express, and what to do about it.
struct Advice {
  std::string_view key, text;
};

// A key without which a job does the same. `usual`: the default of Kubernetes; that value gets no note.
struct UnneededKey {
  std::string_view key, usual, text;
};

// The keys of a map of a manifest. As in Kubernetes, null means that the key is not set.
class Keys {
 public:
  // Reports a field that is not a map; it then has no keys.
  Keys(const Field& field, Remarks& remarks);
  std::optional<Field> find(std::string_view key);
  // Like find, but reports a missing key.
  std::optional<Field> require(std::string_view key, std::string_view hint);
  // Marks keys that another reader handles, or that the cluster wrote. For keys of the user use `note` or `drop`.
  void skip(std::initializer_list<std::string_view> keys);
  // Warns if one of them is set to something.
  void drop(std::span<const Advice> list);
  // Notes if one of them has an unusual value.
  void note(std::span<const UnneededKey> list);
  // Warns about each key that no call has named.
  void finish();

  const Field& field() const { return field_; }
  Remarks& remarks() const { return *remarks_; }

 private:
  Field field_;
  Remarks* remarks_;
  std::vector<std::string> known_;
};

// False for null, false, {} and [].
bool says_something(const Value& value);

// The text at `key` in a map of texts (labels); empty: not set.
std::string text_under(const std::optional<Field>& map, std::string_view key);
// The field at `key`.
std::optional<Field> field_under(const std::optional<Field>& map, std::string_view key);

}  // namespace ym::convert
