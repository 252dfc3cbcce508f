#include "papers/ceiling/room_program.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ym::sim::placement {
namespace {

struct NodeClass {
  Room room;
  double nodes = 0;

  double gpus() const { return nodes * room.gpus; }
};

std::vector<NodeClass> classes_of(const Fleet& fleet) {
  std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t, std::uint32_t>, NodeClass> classes;
  for (const Room& room : fleet.rooms) {
    NodeClass& one = classes[{room.cpu_milli, room.memory_mib, room.gpus, room.type}];
    one.room = room;
    one.nodes += 1;
  }
  std::vector<NodeClass> all;
  for (const auto& one : classes) all.push_back(one.second);
  return all;
}

// One class's rows: what is taken less what there is.
struct ClassRows {
  std::size_t cpus, memory, gpus;
  std::vector<std::size_t> pieces;  // by size: used less cut
  std::size_t rests;                // the same of what flows into the rests, in thousandths of a GPU
};

class Builder {
 public:
  Builder(const PodList& list, const CutOptions& options) : list_(list), cuts_(cuts_of(list, options)) {
    for (std::size_t i = 0; i < list.shapes.size(); ++i) made_.shape_row.push_back(program().add_row({.least = 0}));
  }

  void add(const NodeClass& nodes) {
    const ClassRows rows = add_rows(nodes);
    for (std::size_t i = 0; i < list_.shapes.size(); ++i)
      if (nodes.room.fits(list_.shapes[i])) add_shape(i, nodes, rows);
    if (nodes.room.gpus == 0) return;
    for (const Cut& cut : cuts_.ways) add_cut(cut, nodes, rows);
    for (std::size_t i = 0; i < rows.pieces.size(); ++i) add_smaller_use(i, nodes, rows);
  }

  RoomProgram made() && { return std::move(made_); }

 private:
  LinearProgram& program() { return made_.program; }
  void add_entry(std::size_t row, std::size_t column, double value) {
    if (value != 0) program().entries.push_back({.row = row, .column = column, .value = value});
  }

  ClassRows add_rows(const NodeClass& nodes) {
    ClassRows rows{.cpus = program().add_row({.most = nodes.nodes * nodes.room.cpu_milli}),
                   .memory = program().add_row({.most = nodes.nodes * nodes.room.memory_mib}),
                   .gpus = program().add_row({.most = nodes.gpus()}),
                   .pieces = {},
                   .rests = program().add_row({.most = 0})};
    for (std::size_t i = 0; i < cuts_.sizes_milli.size(); ++i) rows.pieces.push_back(program().add_row({.most = 0}));
    return rows;
  }

  void add_shape(std::size_t i, const NodeClass& nodes, const ClassRows& rows) {
    const Shape& shape = list_.shapes[i];
    const std::size_t column = program().add_column(shape.total_milli(), {.least = 0, .most = most_pods(shape, nodes)});
    add_entry(made_.shape_row[i], column, 1);
    add_entry(rows.cpus, column, shape.cpu_milli);
    add_entry(rows.memory, column, shape.memory_mib);
    if (!shape.shares()) return add_entry(rows.gpus, column, shape.gpus);
    const auto size = std::ranges::lower_bound(cuts_.sizes_milli, shape.gpu_milli);
    if (size == cuts_.sizes_milli.end() || *size != shape.gpu_milli)
      return add_entry(rows.rests, column, shape.gpu_milli);
    add_entry(rows.pieces[static_cast<std::size_t>(size - cuts_.sizes_milli.begin())], column, 1);
  }

  void add_cut(const Cut& cut, const NodeClass& nodes, const ClassRows& rows) {
    const std::size_t column = program().add_column(0, {.least = 0, .most = nodes.gpus()});
    add_entry(rows.gpus, column, 1);
    add_entry(rows.rests, column, -cut.rest_milli);
    for (std::size_t i = 0; i < cut.pieces.size(); ++i) add_entry(rows.pieces[i], column, -cut.pieces[i]);
  }

  // Pieces of a size that serve as such of the size before, or flow into the rest.
  void add_smaller_use(std::size_t size, const NodeClass& nodes, const ClassRows& rows) {
    const std::int32_t milli = cuts_.sizes_milli[size], smaller = size == 0 ? 0 : cuts_.sizes_milli[size - 1];
    const double most = nodes.gpus() * kWholeGpu / milli;
    const std::size_t column = program().add_column(0, {.least = 0, .most = most});
    add_entry(rows.pieces[size], column, 1);
    if (size > 0) add_entry(rows.pieces[size - 1], column, -1);
    add_entry(rows.rests, column, smaller - milli);
  }

  // A bound that is finite; that there are no more of them is for the shape's row.
  static double most_pods(const Shape& shape, const NodeClass& nodes) {
    double most = kManyPods;
    if (shape.cpu_milli > 0) most = std::min(most, nodes.nodes * nodes.room.cpu_milli / shape.cpu_milli);
    if (shape.memory_mib > 0) most = std::min(most, nodes.nodes * nodes.room.memory_mib / shape.memory_mib);
    if (shape.total_milli() > 0) most = std::min(most, nodes.gpus() * kWholeGpu / shape.total_milli());
    return most;
  }

  static constexpr double kManyPods = 1e9;

  const PodList& list_;
  Cuts cuts_;
  RoomProgram made_;
};

}  // namespace

RoomProgram room_program(const PodList& list, const Fleet& fleet, const CutOptions& cuts) {
  Builder builder(list, cuts);
  for (const NodeClass& nodes : classes_of(fleet)) builder.add(nodes);
  return std::move(builder).made();
}

}  // namespace ym::sim::placement
