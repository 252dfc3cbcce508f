// Boxed: a value on the heap, for a large member that mostly has its default. It takes the space of one pointer, and
// nothing else while the value is the default. It is copied and compared by its value. After a move it is the default.
//
// Preconditions: T{} makes the default, and T has operator==.
// Threads: as T. The default is shared by all boxes of a type and never changes.
#pragma once

#include <memory>
#include <utility>

namespace ym {

template <class T>
class Boxed {
 public:
  Boxed() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a value is a box of it
  Boxed(T value) : value_(value == T{} ? nullptr : std::make_unique<T>(std::move(value))) {}
  Boxed(const Boxed& other) : value_(other.value_ ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) value_ = other.value_ ? std::make_unique<T>(*other) : nullptr;
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  const T& operator*() const { return value_ ? *value_ : default_value(); }
  const T* operator->() const { return &**this; }
  // The value, to be changed in place. It stays on the heap afterwards, even if it has its default again.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

  bool operator==(const Boxed& other) const { return (!value_ && !other.value_) || **this == *other; }

 private:
  static const T& default_value() {
    static const T value{};
    return value;
  }

  std::unique_ptr<T> value_;
};

}  // namespace ym
