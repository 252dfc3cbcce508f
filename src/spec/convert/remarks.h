// What a conversion has to say, and a reader of maps that misses nothing.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/convert/convert.h"
#include "spec/field.h"

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

// A key that has no place in a job file, and what to do about it.
struct Advice {
  std::string_view key, text;
};

// A key without which a job does the same. `usual`: what Kubernetes takes where it is not there, which says nothing.
struct Aside {
  std::string_view key, usual, text;
};

// The keys of a map of a manifest. null is as if the key were not there, as in Kubernetes.
class Keys {
 public:
  // What is not a map is an error, and then has no keys.
  Keys(const Field& field, Remarks& remarks);
  std::optional<Field> find(std::string_view key);
  // Like find; that it is not there is an error.
  std::optional<Field> require(std::string_view key, std::string_view hint);
  // Read elsewhere, or written by the cluster itself. Whatever a user has written is for `note` or `drop`.
  void skip(std::initializer_list<std::string_view> keys);
  // Warns where one of them is there and says something.
  void drop(std::span<const Advice> list);
  // Notes where one of them is there and says something unusual.
  void note(std::span<const Aside> list);
  // Warns about what nobody has asked for.
  void finish();

  const Field& field() const { return field_; }
  Remarks& remarks() const { return *remarks_; }

 private:
  Field field_;
  Remarks* remarks_;
  std::vector<std::string> known_;
};

// Whether it says anything: null, false, {} and [] do not.
bool says_something(const Value& value);

// Of a map of texts (labels): what stands under the key; empty: nothing.
std::string text_under(const std::optional<Field>& map, std::string_view key);
// The field of that key.
std::optional<Field> field_under(const std::optional<Field>& map, std::string_view key);

}  // namespace ym::convert
