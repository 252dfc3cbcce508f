// Rare: an optional for what few have of very many. Without a value it takes the room of a pointer; the value lies
// elsewhere, and is copied and compared as its owner is. Moved from, it is empty. It is compared with another Rare,
// never with an optional: the library's comparison of that with a value would be taken.
//
// Threads: as std::optional.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/assert.h"

namespace ym {

template <class T>
class Rare {
 public:
  Rare() = default;
  // NOLINTBEGIN(google-explicit-constructor): as std::optional's
  Rare(std::nullopt_t) {}
  Rare(T value) : value_(std::make_unique<T>(std::move(value))) {}
  Rare(std::optional<T> value) : value_(boxed(std::move(value))) {}
  // NOLINTEND(google-explicit-constructor)
  Rare(const Rare& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Rare(Rare&&) noexcept = default;
  Rare& operator=(const Rare& other) {
    if (this != &other) value_ = other ? std::make_unique<T>(*other) : nullptr;
    return *this;
  }
  Rare& operator=(Rare&&) noexcept = default;
  ~Rare() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // Precondition of these: there is one.
  T& operator*() { return the_value(); }
  const T& operator*() const { return the_value(); }
  T* operator->() { return &the_value(); }
  const T* operator->() const { return &the_value(); }

  T& emplace() { return *(value_ = std::make_unique<T>()); }
  void reset() { value_.reset(); }
  std::optional<T> to_optional() const { return has_value() ? std::optional(*value_) : std::nullopt; }

  bool operator==(const Rare& other) const {
    return has_value() == other.has_value() && (!has_value() || *value_ == *other.value_);
  }

 private:
  static std::unique_ptr<T> boxed(std::optional<T> value) {
    return value ? std::make_unique<T>(std::move(*value)) : nullptr;
  }
  T& the_value() const {
    YM_ASSERT(has_value());
    return *value_;
  }

  std::unique_ptr<T> value_;
};

}  // namespace ym
