// StrongIndex<Tag>: a place in an array that cannot be mixed up with a place in another one.
//
// IndexedVector<I, T> is a std::vector that only takes indices of the type I, and IndexedSpan<I, T> a view of one. They
// cost what a plain std::uint32_t, a plain std::vector and a plain std::span cost.
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace ym {

// Converts to the index of each type that stands for no place.
struct NoIndex {
  friend constexpr bool operator==(NoIndex, NoIndex) = default;
};

// An index says which element is meant. It is none until it gets a value. It compares as its number does, so that none
// comes last. `Tag`: one for each type. A tag that a class declares in place (`struct NameTag`) belongs to the
// namespace around the class, so no other type there may use its name.
template <class Tag>
struct StrongIndex {
  static constexpr std::uint32_t kNoValue = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t value = kNoValue;

  constexpr StrongIndex() = default;
  constexpr explicit(false) StrongIndex(NoIndex) {}
  // Precondition: the number fits into 32 bits.
  constexpr explicit StrongIndex(std::integral auto number) : value(static_cast<std::uint32_t>(number)) {}

  friend constexpr auto operator<=>(StrongIndex, StrongIndex) = default;
  friend constexpr bool operator==(StrongIndex, StrongIndex) = default;

  constexpr StrongIndex& operator++() {
    ++value;
    return *this;
  }
  constexpr StrongIndex operator++(int) { return StrongIndex(value++); }
  // The place that is `count` places behind, or before, and how many places are between two.
  friend constexpr StrongIndex operator+(StrongIndex index, std::uint32_t count) {
    return StrongIndex(index.value + count);
  }
  friend constexpr StrongIndex operator-(StrongIndex index, std::uint32_t count) {
    return StrongIndex(index.value - count);
  }
  friend constexpr std::uint32_t operator-(StrongIndex end, StrongIndex begin) { return end.value - begin.value; }
};

// The indices from `first` up to, but not including, `last`.
template <class I>
class IndexRange {
 public:
  class iterator {
   public:
    using value_type = I;
    using difference_type = std::ptrdiff_t;

    constexpr iterator() = default;
    constexpr explicit iterator(I at) : at_(at) {}
    constexpr I operator*() const { return at_; }
    constexpr iterator& operator++() {
      ++at_;
      return *this;
    }
    constexpr iterator operator++(int) { return iterator(at_++); }
    constexpr bool operator==(const iterator&) const = default;

   private:
    I at_{};
  };

  constexpr IndexRange(I first, I last) : first_(first), last_(last) {}
  constexpr iterator begin() const { return iterator(first_); }
  constexpr iterator end() const { return iterator(last_); }

 private:
  I first_, last_;
};

// The first `count` indices.
template <class I>
constexpr IndexRange<I> indices(std::size_t count) {
  return {I(0U), I(count)};
}

template <class I, class T>
class IndexedVector {
 public:
  using Items = std::vector<T>;
  using value_type = T;
  using reference = typename Items::reference;
  using const_reference = typename Items::const_reference;
  using iterator = typename Items::iterator;
  using const_iterator = typename Items::const_iterator;

  constexpr IndexedVector() = default;
  constexpr explicit IndexedVector(std::size_t size) : items_(size) {}
  constexpr IndexedVector(std::size_t size, const T& item) : items_(size, item) {}

  // Precondition: there is such an element. libstdc++ checks it where its assertions are on.
  constexpr reference operator[](I index) { return items_[index.value]; }
  constexpr const_reference operator[](I index) const { return items_[index.value]; }
  constexpr bool has(I index) const { return index.value < items_.size(); }

  constexpr std::size_t size() const { return items_.size(); }
  constexpr bool empty() const { return items_.empty(); }
  // The index that the next new element gets.
  constexpr I end_index() const { return I(items_.size()); }
  constexpr IndexRange<I> indices() const { return {I(0U), end_index()}; }
  constexpr iterator begin() { return items_.begin(); }
  constexpr iterator end() { return items_.end(); }
  constexpr const_iterator begin() const { return items_.begin(); }
  constexpr const_iterator end() const { return items_.end(); }
  // Preconditions: it is not empty.
  constexpr reference back() { return items_.back(); }
  constexpr const_reference back() const { return items_.back(); }

  // The index of the new element.
  constexpr I push_back(T item) {
    items_.push_back(std::move(item));
    return I(items_.size() - 1);
  }
  template <class... Arguments>
  constexpr I emplace_back(Arguments&&... arguments) {
    items_.emplace_back(std::forward<Arguments>(arguments)...);
    return I(items_.size() - 1);
  }
  // Makes it as large as it has to be to have the index. New elements are copies of `item`.
  constexpr void grow_to(I index, const T& item = T{}) {
    if (!has(index)) items_.resize(index.value + std::size_t{1}, item);
  }
  constexpr void resize(std::size_t size) { items_.resize(size); }
  constexpr void resize(std::size_t size, const T& item) { items_.resize(size, item); }
  constexpr void assign(std::size_t size, const T& item) { items_.assign(size, item); }
  constexpr void reserve(std::size_t size) { items_.reserve(size); }
  constexpr void clear() { items_.clear(); }

  // For what looks at the elements by their places in memory.
  constexpr Items& raw() { return items_; }
  constexpr const Items& raw() const { return items_; }

  constexpr bool operator==(const IndexedVector&) const = default;

 private:
  Items items_;
};

// Elements that have indices of the type I, to read.
template <class I, class T>
class IndexedSpan {
 public:
  constexpr IndexedSpan() = default;
  constexpr explicit(false) IndexedSpan(const IndexedVector<I, T>& items) : items_(items.raw()) {}
  // For elements that get their indices here.
  constexpr explicit IndexedSpan(std::span<const T> items) : items_(items) {}

  // Precondition: there is such an element. libstdc++ checks it where its assertions are on.
  constexpr const T& operator[](I index) const { return items_[index.value]; }
  // Precondition: it is one of the elements, not a copy.
  constexpr I index_of(const T& item) const { return I(&item - items_.data()); }

  constexpr std::size_t size() const { return items_.size(); }
  constexpr bool empty() const { return items_.empty(); }
  constexpr IndexRange<I> indices() const { return {I(0U), I(items_.size())}; }
  constexpr auto begin() const { return items_.begin(); }
  constexpr auto end() const { return items_.end(); }

 private:
  std::span<const T> items_;
};

}  // namespace ym

template <class Tag>
struct std::hash<ym::StrongIndex<Tag>> {
  std::size_t operator()(const ym::StrongIndex<Tag>& index) const noexcept {
    return std::hash<std::uint32_t>{}(index.value);
  }
};
