#include "papers/spot/table.h"

#include <algorithm>
#include <utility>

namespace ym::sim::spot {
namespace {

constexpr std::array kTenths{7, 8, 9};
// For 48 hours of work in 60.
constexpr std::array kPublishedAt8{Hours{.on_demand = 30.8, .spot = 17.2}, Hours{.on_demand = 25.1, .spot = 22.9},
                                   Hours{.on_demand = 20.7, .spot = 27.4}};

Job job_of(const MarketSet& set, int tenths) {
  return {.work_ms = set.work_ms, .deadline_ms = set.work_ms * 10 / tenths};
}

Starts starts_of_market(Starts starts, std::size_t index) {
  if (auto* random = std::get_if<RandomStarts>(&starts)) random->seed += index;
  return starts;
}

// Adds up what each market of a set contributes to the averages of a row.
class RowBuilder {
 public:
  RowBuilder(const MarketSet& set, const RowOptions& options)
      : options_(options), job_(job_of(set, options.tenths)), plans_(job_), markets_(set.markets.size()) {
    row_ = {.set = set.name, .tenths = options.tenths};
    if (options.with_best_zone) row_.best_zone.emplace();
  }

  void add(const Market& market, std::size_t index);
  TableRow take() { return std::move(row_); }

 private:
  double saving_percent(std::int64_t cost, std::size_t runs) const;
  void add_to(Score& score, const Total& total, std::size_t runs) const;
  Total total(Rule rule, const Market& market, const std::vector<std::size_t>& starts);
  void add_best_zone(const Market& market, const std::vector<std::size_t>& starts);

  const RowOptions& options_;
  Job job_;
  Plans plans_;
  std::size_t markets_;
  TableRow row_;
};

// Its share in the average over the markets.
double RowBuilder::saving_percent(std::int64_t cost, std::size_t runs) const {
  const auto alone = static_cast<double>(job_.work_ms * job_.prices.on_demand_cents);
  const double part = static_cast<double>(cost) / static_cast<double>(runs) / alone;
  return 100 * (1 - part) / static_cast<double>(markets_);
}

void RowBuilder::add_to(Score& score, const Total& total, std::size_t runs) const {
  const double hours = static_cast<double>(kHourMs) * static_cast<double>(runs * markets_);
  score.saving_percent += saving_percent(total.cost, runs);
  score.work.on_demand += static_cast<double>(total.on_demand_work_ms) / hours;
  score.work.spot += static_cast<double>(total.spot_work_ms) / hours;
  score.late += total.late;
}

Total RowBuilder::total(Rule rule, const Market& market, const std::vector<std::size_t>& starts) {
  const Estimator learnt(seen_before(market, options_.part), options_.estimator);
  return total_of(rule, job_, market, starts, learnt, plans_);
}

void RowBuilder::add_best_zone(const Market& market, const std::vector<std::size_t>& starts) {
  const auto best = [&](Rule rule) {
    std::vector<Total> totals;
    for (std::size_t zone = 0; zone < market.zones(); ++zone)
      totals.push_back(total(rule, one_zone(market, zone), starts));
    return std::ranges::min(totals, {}, &Total::cost);
  };
  add_to(row_.best_zone->uniform_progress, best(Rule::uniform_progress), starts.size());
  add_to(row_.best_zone->planned, best(Rule::planned), starts.size());
}

void RowBuilder::add(const Market& market, std::size_t index) {
  const auto starts = starts_of(market, job_, options_.part, starts_of_market(options_.starts, index));
  row_.runs += std::ssize(starts);
  for (const Rule rule : kRules)
    add_to(row_.scores[static_cast<std::size_t>(rule)], total(rule, market, starts), starts.size());
  row_.bound_percent += saving_percent(least_total(job_, market, starts), starts.size());
  if (row_.best_zone) add_best_zone(market, starts);
}

Result<std::vector<TableRow>> table_of(const std::vector<MarketSet>& sets, RowOptions options, const EachRow& each) {
  std::vector<TableRow> rows;
  for (const MarketSet& set : sets) {
    for (const int tenths : kTenths) {
      options.tenths = tenths;
      rows.push_back(row_of(set, options));
      if (options.part == Part::whole && tenths == 8) rows.back().published = kPublishedAt8;
      if (each) each(rows.back());
    }
  }
  return rows;
}

}  // namespace

std::optional<double> TableRow::gap_closed_percent() const {
  const double paced = score(Rule::uniform_progress).saving_percent;
  if (bound_percent <= paced) return std::nullopt;
  return 100 * (score(Rule::planned).saving_percent - paced) / (bound_percent - paced);
}

std::int64_t TableRow::late() const { return score(Rule::planned).late; }

TableRow row_of(const MarketSet& set, const RowOptions& options) {
  RowBuilder builder(set, options);
  for (std::size_t i = 0; i < set.markets.size(); ++i) builder.add(set.markets[i], i);
  return builder.take();
}

Result<std::vector<TableRow>> reproduced_table(const TableOptions& options, const EachRow& each) {
  auto sets = read_sets(options.folder, ZonesOfMarket::one);
  if (!sets) return std::unexpected(sets.error());
  sets->resize(1);
  return table_of(
      *sets, {.part = Part::whole, .starts = RandomStarts{.count = options.starts}, .estimator = options.estimator},
      each);
}

Result<std::vector<TableRow>> single_zone_table(const TableOptions& options, const EachRow& each) {
  const auto sets = read_sets(options.folder, ZonesOfMarket::one);
  if (!sets) return std::unexpected(sets.error());
  return table_of(*sets, {.starts = RandomStarts{.count = options.starts}, .estimator = options.estimator}, each);
}

Result<std::vector<TableRow>> several_zones_table(const TableOptions& options, const EachRow& each) {
  const auto sets = read_sets(options.folder, ZonesOfMarket::all);
  if (!sets) return std::unexpected(sets.error());
  return table_of(
      *sets, {.starts = EveryNthTick{.n = options.every_nth}, .estimator = options.estimator, .with_best_zone = true},
      each);
}

}  // namespace ym::sim::spot
