// What the first refusal of a shape says of all others, for a policy that places whatever fits while nobody leaves.
//
// Room only shrinks. When a pod is placed, whatever asks for no more had room all the time before: all of it was
// placed. When one is refused, whatever asks for as much is refused ever after. So from a guess at which pod of a shape
// is the first that is refused it follows how many pods of any shape are placed at least and at most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "papers/ceiling/linear_program.h"
#include "papers/placement/traces.h"

namespace ym::sim::placement {

// Of the pods of a probe, by arrival from 0, the first that is refused is among these; that which is behind the last
// one stands for none.
struct Guess {
  std::size_t first = 0, last = 0;
};
using Guesses = std::vector<Guess>;  // by probe

class Refusals {
 public:
  // Probes: the shapes that guesses are about. Keeps a view of the probes only.
  Refusals(const PodList& list, std::span<const ShapeId> arrivals, std::span<const ShapeId> probes);

  Guesses all() const;
  // How many pods are placed, by shape. Nothing: the guesses contradict each other.
  std::optional<std::vector<Bounds>> placed(const Guesses& guesses) const;

 private:
  std::size_t before(std::size_t shape, std::size_t arrival) const;

  std::span<const ShapeId> probes_;
  std::size_t arrivals_ = 0;
  std::vector<std::vector<std::size_t>> when_;           // by shape, the places among the arrivals
  std::vector<std::vector<std::size_t>> above_, below_;  // by probe: shapes that ask for as much, and for no more
};

// Whatever has room for `more` has room for `less`, however full a node is.
bool asks_for_as_much(const Shape& more, const Shape& less);

}  // namespace ym::sim::placement
