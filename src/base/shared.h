// Shared: an immutable value with many owners. A copy is a copy of a pointer.
//
// Never empty, except after a move. Any number of threads may read the same value. It can stand wherever a T can:
// therefore it converts implicitly.
#pragma once

#include <memory>
#include <utility>

namespace ym {

template <class T>
class Shared {
 public:
  Shared(T value) : value_(std::make_shared<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor): as a T
  explicit Shared(std::shared_ptr<const T> value) : value_(std::move(value)) {}

  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  operator const T&() const { return *value_; }  // NOLINT(google-explicit-constructor): as a T
  const std::shared_ptr<const T>& pointer() const { return value_; }

  bool operator==(const Shared& other) const { return value_ == other.value_ || *value_ == *other.value_; }

 private:
  std::shared_ptr<const T> value_;
};

}  // namespace ym
