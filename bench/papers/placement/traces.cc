#include "papers/placement/traces.h"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "papers/placement/list_name.h"
#include "sim/workload/each_row.h"

namespace ym::sim::placement {
namespace {

constexpr std::size_t kMostTypes = 31;
constexpr std::uint32_t kNoType = 1U << kMostTypes;

std::int32_t amount(RowView& row, std::string_view column) {
  const std::int64_t value = row.count(column);
  // So that nothing that is summed up over a node overflows.
  if (value > 100'000'000) row.refuse(column, "is too large");
  return static_cast<std::int32_t>(std::min<std::int64_t>(value, 100'000'000));
}

struct Machine {
  std::string name, type;
  Room room;
};

Machine machine_of(RowView& row) {
  Machine machine{.name = std::string(row.text("sn")), .type = std::string(row.text("model")), .room = {}};
  machine.room.cpu_milli = amount(row, "cpu_milli");
  machine.room.memory_mib = amount(row, "memory_mib");
  machine.room.gpus = amount(row, "gpu");
  if (std::cmp_greater(machine.room.gpus, kMostGpus)) row.refuse("gpu", "is more than a node has here");
  else std::fill_n(machine.room.free.begin(), machine.room.gpus, kWholeGpu);
  return machine;
}

std::uint32_t types_of(std::string_view written, const Fleet& fleet) {
  if (written.empty()) return ~0U;
  std::uint32_t types = 0;
  for (const auto part : std::views::split(written, '|')) {
    const auto found = std::ranges::find(fleet.types, std::string_view(part));
    if (found != fleet.types.end()) types |= 1U << (found - fleet.types.begin());
  }
  return types;
}

Shape shape_of(RowView& row, const Fleet& fleet) {
  Shape shape{.cpu_milli = amount(row, "cpu_milli"), .memory_mib = amount(row, "memory_mib")};
  shape.gpus = amount(row, "num_gpu");
  shape.gpu_milli = shape.gpus > 0 ? amount(row, "gpu_milli") : 0;
  if (std::cmp_greater(shape.gpus, kMostGpus)) row.refuse("num_gpu", "is more than a node has here");
  if (shape.gpu_milli > kWholeGpu || (shape.gpus > 1 && shape.gpu_milli < kWholeGpu))
    row.refuse("gpu_milli", "is no share of one GPU");
  if (shape.gpus > 0) shape.types = types_of(row.text("gpu_spec"), fleet);
  return shape;
}

}  // namespace

std::int64_t Fleet::capacity_milli() const {
  std::int64_t sum = 0;
  for (const Room& room : rooms) sum += room.idle_milli();
  return sum;
}

std::int64_t PodList::demand_milli() const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) sum += count[i] * shapes[i].total_milli();
  return sum;
}

Result<Fleet> read_fleet(const std::string& path) {
  std::vector<Machine> machines;
  Fleet fleet;
  const auto read = for_each_row(path, [&](RowView& row) {
    machines.push_back(machine_of(row));
    const std::string& type = machines.back().type;
    if (std::ranges::find(fleet.types, type) == fleet.types.end()) fleet.types.push_back(type);
    if (fleet.types.size() > kMostTypes) row.refuse("model", "is one type too many");
  });
  if (!read) return std::unexpected(read.error());
  std::ranges::sort(fleet.types);
  std::ranges::sort(machines, {}, &Machine::name);
  for (Machine& machine : machines) {
    const auto type = std::ranges::find(fleet.types, machine.type) - fleet.types.begin();
    machine.room.type = machine.room.gpus > 0 ? 1U << type : kNoType;
    fleet.rooms.push_back(machine.room);
    fleet.names.push_back(std::move(machine.name));
  }
  return fleet;
}

Result<PodList> read_pods(const std::string& path, const Fleet& fleet) {
  std::vector<std::pair<std::string, Shape>> pods;
  const auto read =
      for_each_row(path, [&](RowView& row) { pods.emplace_back(std::string(row.text("name")), shape_of(row, fleet)); });
  if (!read) return std::unexpected(read.error());
  std::ranges::sort(pods);
  std::vector<Shape> shapes;
  for (const auto& pod : pods) shapes.push_back(pod.second);
  return list_of(list_name(path), shapes);
}

PodList list_of(std::string name, const std::vector<Shape>& pods) {
  PodList list{.name = std::move(name), .shapes = pods, .pods = {}, .count = {}};
  std::ranges::sort(list.shapes);
  const auto repeated = std::ranges::unique(list.shapes);
  list.shapes.erase(repeated.begin(), repeated.end());
  list.count.resize(list.shapes.size());
  for (const Shape& pod : pods) {
    const auto place = std::ranges::lower_bound(list.shapes, pod) - list.shapes.begin();
    list.pods.push_back(static_cast<ShapeId>(place));
    list.count[static_cast<std::size_t>(place)] += 1;
  }
  return list;
}

}  // namespace ym::sim::placement
