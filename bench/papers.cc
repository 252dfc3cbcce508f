// Repeats published experiments. Each table has the published figures, those of the repetition, those of Yardmaster,
// and the bound.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "papers/ceiling/ceiling.h"
#include "papers/elastic/table.h"
#include "papers/fairness/table.h"
#include "papers/placement/table.h"
#include "papers/queueing/deadline_table.h"
#include "papers/queueing/gang_table.h"
#include "papers/queueing/table.h"
#include "papers/service/table.h"
#include "papers/spot/table.h"

namespace ym::sim {
namespace {

struct Arguments {
  std::string table, traces = "../shared/traces";
  std::vector<std::string> only;  // lists or traces; none: all
  std::int64_t seeds = 10, starts = 300;
  std::string bound = "price";
};

void line(const std::string& text) {
  fmt::print("{}\n", text);
  std::fflush(stdout);
}

template <class Rows>
Result<void> only_errors(const Rows& rows) {
  if (!rows) return std::unexpected(rows.error());
  return {};
}

// Rows are printed immediately: some tables take minutes.
const auto kPrint = [](const auto& row) { line(to_text(row)); };

Result<placement::Spread> ceiling_of(const placement::PodList& list, const placement::Fleet& fleet,
                                     std::uint64_t first_seed, std::int64_t seeds) {
  return placement::ceiling_of_seeds(list, fleet, first_seed, seeds);
}

Result<void> fills(const Arguments& arguments) {
  line(placement::fill_header());
  return only_errors(placement::fill_table({.folder = arguments.traces + "/openb-fgd-2023",
                                            .lists = arguments.only,
                                            .seeds = arguments.seeds,
                                            .with_compared = true,
                                            .ceiling = ceiling_of},
                                           kPrint));
}

Result<void> churns(const Arguments& arguments) {
  line(placement::churn_header());
  return only_errors(placement::churn_table(
      {.folder = arguments.traces + "/openb-fgd-2023", .lists = arguments.only, .seeds = arguments.seeds}, kPrint));
}

Result<void> services(const Arguments& arguments) {
  line(service::table_header());
  return only_errors(service::service_table(
      {.folder = arguments.traces + "/philly-muri-2022", .traces = arguments.only, .policies = {}}, kPrint));
}

Result<void> elastics(const Arguments& arguments) {
  const std::map<std::string, elastic::TableBound> bounds{{"simple", elastic::TableBound::isolated_or_srpt},
                                                          {"price", elastic::TableBound::price},
                                                          {"price-and-pauses", elastic::TableBound::price_and_pauses}};
  const auto rows = elastic::elastic_table(arguments.traces + "/pollux-osdi21", {.bound = bounds.at(arguments.bound)});
  if (!rows) return std::unexpected(rows.error());
  const auto print = [](const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const auto& cell : cells) text += " " + cell + " |";
    line(text);
  };
  print(elastic::table_titles());
  print(std::vector<std::string>(elastic::table_titles().size(), "---"));
  for (const auto& row : *rows) print(elastic::table_cells(row));
  return {};
}

Result<void> spots(const Arguments& arguments) {
  const spot::TableOptions options{.folder = arguments.traces + "/spot-aws-skypilot", .starts = arguments.starts};
  const auto part = [&](const char* title, const auto& table) {
    line(title);
    line(spot::table_header());
    return only_errors(table(options, spot::EachRow(kPrint)));
  };
  if (auto done = part("As published, whole files", spot::reproduced_table); !done) return done;
  if (auto done = part("\nOne zone, second half, learnt from the first", spot::single_zone_table); !done) return done;
  return part("\nAny zone, second half, learnt from the first", spot::several_zones_table);
}

Result<void> fairnesses(const Arguments& arguments) {
  line(fairness::table_header());
  const auto rows = fairness::fairness_table(
      {.folder = arguments.traces + "/shockwave-nsdi23", .traces = arguments.only, .policies = {}}, kPrint);
  if (!rows) return std::unexpected(rows.error());
  line(to_text(fairness::likeness(*rows)));
  return {};
}

Result<void> queues(const Arguments& arguments) {
  line(queueing::table_header());
  return only_errors(queueing::queueing_table(
      {.folder = arguments.traces + "/philly-passed-2017", .clusters = arguments.only}, kPrint));
}

Result<void> gangs(const Arguments& arguments) {
  line(queueing::gang_header());
  return only_errors(queueing::gang_table({.folder = arguments.traces + "/acme-kalos-2023"}, kPrint));
}

Result<void> deadlines(const Arguments& arguments) {
  line(queueing::deadline_header());
  return only_errors(queueing::deadline_table({.folder = arguments.traces + "/philly-slo-chronus"}, kPrint));
}

const std::map<std::string, std::function<Result<void>(const Arguments&)>>& tables() {
  static const std::map<std::string, std::function<Result<void>(const Arguments&)>> all{
      {"C1", fills},      {"C1-churn", churns}, {"C2", services}, {"C3", elastics},
      {"C4", spots},      {"C5", fairnesses},   {"C6", queues},   {"C6-deadlines", deadlines},
      {"C6-gangs", gangs}};
  return all;
}

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("Published tables, run again");
  std::vector<std::string> names;
  for (const auto& [name, run] : tables()) names.push_back(name);
  app.add_option("--table", arguments.table, "Which")->required()->check(CLI::IsMember(names));
  app.add_option("--traces", arguments.traces, "Folder of the published data")->check(CLI::ExistingDirectory);
  app.add_option("--only", arguments.only, "Lists of C1, traces of C2 and C5, virtual clusters of C6");
  app.add_option("--seeds", arguments.seeds, "Orders of arrival of C1")->capture_default_str();
  app.add_option("--starts", arguments.starts, "Starts in each file of C4")->capture_default_str();
  app.add_option("--bound", arguments.bound, "Of C3: simple, price, price-and-pauses (minutes)")
      ->check(CLI::IsMember({"simple", "price", "price-and-pauses"}))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto done = tables().at(arguments.table)(arguments);
  if (!done) fmt::print(stderr, "{}\n", done.error().message);
  return done ? 0 : 1;
}

}  // namespace
}  // namespace ym::sim

int main(int argc, char** argv) { return ym::sim::main(argc, argv); }
