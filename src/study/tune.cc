#include "study/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>

#include "sim/search/coordinate_descent.h"
#include "study/runs.h"
#include "study/setting.h"

namespace ym::study {
namespace {

namespace json = boost::json;

constexpr std::string_view kAsItIs = "as it is";

// "all/wait_seconds/mean". A missing figure counts as 0.
double figure_at(const json::value& figures, std::string_view path) {
  boost::system::error_code none;
  const auto* found = figures.find_pointer(fmt::format("/{}", path), none);
  return found && found->is_number() ? found->to_number<double>() : 0;
}

class Tuner {
 public:
  Tuner(const TuneOptions& options, Study& study, Candidate base, std::vector<Setting> settings)
      : objective_(*std::ranges::find(kObjectives, options.objective, &Objective::name)),
        study_(study),
        base_(std::move(base)),
        settings_(std::move(settings)) {}

  // Each setting starts with its present value.
  std::vector<std::size_t> values() const {
    std::vector<std::size_t> counts;
    for (const auto& setting : settings_) counts.push_back(setting.values.size() + 1);
    return counts;
  }

  Result<double> cost(const sim::Choice& choice) {
    Candidate candidate = base_;
    candidate.name = fmt::format("try {}", runs_.size() + 1);
    for (std::size_t i = 0; i < choice.size(); ++i)
      if (choice[i] > 0)
        if (auto done = set(candidate.site, settings_[i], settings_[i].values[choice[i] - 1], study_.listener.warnings);
            !done)
          return std::unexpected(done.error());
    auto runs = runs_of(study_, candidate);
    if (!runs) return std::unexpected(runs.error());
    runs_.push_back(figures_of(*runs));
    const double value = figure_at(runs_.back(), objective_.path);
    return objective_.more_is_better ? -value : value;
  }

  json::object to_json(const sim::Search& search) const {
    json::array tried;
    for (std::size_t i = 0; i < search.tried.size(); ++i) {
      json::object one{{"settings", settings_of(search.tried[i].choice)},
                       {"value", figure_at(runs_[i], objective_.path)}};
      if (const auto* ci = runs_[i].if_contains("ci95")) one["ci95"] = figure_at(*ci, objective_.path);
      one["figures"] = runs_[i];
      tried.push_back(std::move(one));
    }
    return {{"objective", objective_.name},
            {"tried", std::move(tried)},
            {"best", static_cast<std::int64_t>(search.best)},
            {"complete", search.complete}};
  }

 private:
  json::object settings_of(const sim::Choice& choice) const {
    json::object settings;
    for (std::size_t i = 0; i < choice.size(); ++i)
      settings[settings_[i].name()] = choice[i] == 0 ? std::string(kAsItIs) : settings_[i].values[choice[i] - 1];
    return settings;
  }

  const Objective& objective_;
  Study& study_;
  Candidate base_;
  std::vector<Setting> settings_;
  std::vector<json::object> runs_;
};

// Checks all values first, because each simulation may take hours.
Result<std::vector<Setting>> settings_of(const TuneOptions& options, const Candidate& base,
                                         const OnWarnings& on_warnings) {
  std::vector<Setting> settings;
  for (const auto& written : options.tries) {
    auto setting = parse_setting(written);
    if (!setting) return std::unexpected(setting.error());
    for (const auto& value : setting->values) {
      sim::SiteOptions site = base.site;
      if (auto done = set(site, *setting, value, on_warnings); !done) return std::unexpected(done.error());
    }
    settings.push_back(std::move(*setting));
  }
  return settings;
}

}  // namespace

Result<json::object> tune(const TuneOptions& options, const Listener& listener) {
  auto candidates = candidates_of(options.simulate, listener);
  if (!candidates) return std::unexpected(candidates.error());
  auto settings = settings_of(options, candidates->front(), listener.warnings);
  if (!settings) return std::unexpected(settings.error());
  Study study{.options = options.simulate, .listener = listener};
  Tuner tuner(options, study, std::move(candidates->front()), std::move(*settings));
  const auto search =
      sim::descend(tuner.values(), options.most_runs, [&](const sim::Choice& choice) { return tuner.cost(choice); });
  if (!search) return std::unexpected(search.error());
  return tuner.to_json(*search);
}

}  // namespace ym::study
