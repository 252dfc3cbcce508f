// BoxedOptional: a boxed optional, for members that are mostly empty. It takes the space of one pointer. The value is
// on the heap; it is copied and compared with its owner. After a move it is empty. Compare it only with another
// BoxedOptional, not with an optional: the standard library's comparison of an optional with a value would be chosen.
//
// Threads: as std::optional.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "base/assert.h"

namespace ym {

template <class T>
class BoxedOptional {
 public:
  BoxedOptional() = default;
  // NOLINTBEGIN(google-explicit-constructor): as std::optional's
  BoxedOptional(std::nullopt_t) {}
  BoxedOptional(T value) : value_(std::make_unique<T>(std::move(value))) {}
  BoxedOptional(std::optional<T> value) : value_(boxed(std::move(value))) {}
  // NOLINTEND(google-explicit-constructor)
  BoxedOptional(const BoxedOptional& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  BoxedOptional(BoxedOptional&&) noexcept = default;
  BoxedOptional& operator=(const BoxedOptional& other) {
    if (this != &other) value_ = other ? std::make_unique<T>(*other) : nullptr;
    return *this;
  }
  BoxedOptional& operator=(BoxedOptional&&) noexcept = default;
  ~BoxedOptional() = default;

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  // Precondition of these: there is a value.
  T& operator*() { return the_value(); }
  const T& operator*() const { return the_value(); }
  T* operator->() { return &the_value(); }
  const T* operator->() const { return &the_value(); }

  T& emplace() { return *(value_ = std::make_unique<T>()); }
  void reset() { value_.reset(); }
  std::optional<T> to_optional() const { return has_value() ? std::optional(*value_) : std::nullopt; }

  bool operator==(const BoxedOptional& other) const {
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
