// RowTable: rows by key. Copies of the table share the rows (base/shared.h).
//
// It reads like a map of keys and rows; its iterators give pairs of references. Rows are replaced as a whole, or
// changed by change(), which first clones a row that is shared. So copying the table copies only pointers, but the copy
// behaves as a copy of the rows.
//
// Threads: as for a map. Other threads may read rows that were given away (`shared`) at the same time, if the thread
// that changes them says which change is the first after that.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/shared.h"

namespace ym {

// Whether a row may have been given away since its last change.
enum class RowGiven : bool { no, maybe };

// Rows as they were before a change.
using Retired = std::vector<std::shared_ptr<const void>>;

template <class Key, class Row>
class RowTable {
  using Map = std::map<Key, std::shared_ptr<const Row>>;

 public:
  using key_type = Key;
  using mapped_type = Row;

  class const_iterator {
   public:
    using iterator_category = std::bidirectional_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using reference = std::pair<const Key&, const Row&>;
    using value_type = reference;
    struct pointer {
      reference entry;
      const reference* operator->() const { return &entry; }
    };

    const_iterator() = default;
    explicit const_iterator(typename Map::const_iterator at) : at_(at) {}
    reference operator*() const { return {at_->first, *at_->second}; }
    pointer operator->() const { return {**this}; }
    const_iterator& operator++() { return ++at_, *this; }
    const_iterator operator++(int) { return const_iterator(at_++); }
    const_iterator& operator--() { return --at_, *this; }
    const_iterator operator--(int) { return const_iterator(at_--); }
    bool operator==(const const_iterator&) const = default;

   private:
    friend RowTable;
    typename Map::const_iterator at_;
  };
  using iterator = const_iterator;
  using reference = const_iterator::reference;

  const_iterator begin() const { return const_iterator(rows_.begin()); }
  const_iterator end() const { return const_iterator(rows_.end()); }
  std::reverse_iterator<const_iterator> rbegin() const { return std::reverse_iterator(end()); }
  std::reverse_iterator<const_iterator> rend() const { return std::reverse_iterator(begin()); }
  const_iterator find(const Key& key) const { return const_iterator(rows_.find(key)); }
  const_iterator lower_bound(const Key& key) const { return const_iterator(rows_.lower_bound(key)); }
  const_iterator upper_bound(const Key& key) const { return const_iterator(rows_.upper_bound(key)); }
  bool contains(const Key& key) const { return rows_.contains(key); }
  std::size_t count(const Key& key) const { return rows_.count(key); }
  std::size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  // Throws std::out_of_range, as a map does.
  const Row& at(const Key& key) const { return *rows_.at(key); }
  Shared<Row> shared(const Key& key) const { return Shared<Row>(rows_.at(key)); }
  Shared<Row> shared(const_iterator at) const { return Shared<Row>(at.at_->second); }

  std::pair<const_iterator, bool> emplace(const Key& key, Row row) {
    const auto [at, fresh] = rows_.emplace(key, nullptr);
    if (fresh) at->second = std::make_shared<Row>(std::move(row));
    return {const_iterator(at), fresh};
  }
  void insert_or_assign(const Key& key, Row row) { rows_[key] = std::make_shared<Row>(std::move(row)); }
  void insert_or_assign(const Key& key, const Shared<Row>& row) { rows_[key] = row.pointer(); }
  std::size_t erase(const Key& key) { return rows_.erase(key); }
  void erase(const_iterator at) { rows_.erase(at.at_); }
  void erase(const_iterator from, const_iterator to) { rows_.erase(from.at_, to.at_); }
  void clear() { rows_.clear(); }

  // A reference through which the caller changes the row. It is valid until the row is given away. References to the
  // previous row stay valid as long as `retired` does. Precondition: there is such a row; with RowGiven::no, only this
  // thread shares it.
  Row& change(const Key& key, RowGiven given, Retired* retired) {
    const auto at = rows_.find(key);
    YM_ASSERT(at != rows_.end());
    auto& row = at->second;
    if (given == RowGiven::maybe || row.use_count() > 1) {
      if (retired) retired->push_back(row);
      row = std::make_shared<Row>(*row);
    }
    return const_cast<Row&>(*row);  // made here or by Shared, and not as const
  }

  bool operator==(const RowTable& other) const {
    return std::equal(begin(), end(), other.begin(), other.end(), [](const auto& a, const auto& b) {
      return a.first == b.first && (&a.second == &b.second || a.second == b.second);
    });
  }
  template <class Is>
  friend void erase_if(RowTable& table, Is is) {
    std::erase_if(table.rows_, [&](const auto& entry) { return is(reference{entry.first, *entry.second}); });
  }

 private:
  Map rows_;
};

}  // namespace ym
