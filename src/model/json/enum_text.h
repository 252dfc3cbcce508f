// How closed sets are written in rows.
#pragma once

#include <optional>
#include <string_view>

#include "model/cluster.h"
#include "model/job_spec.h"
#include "model/policy_settings.h"
#include "model/queue.h"
#include "model/states.h"

namespace ym::json {

template <class Enum>
struct EnumText {
  static std::string_view write(Enum value) { return to_string(value); }
  static std::optional<Enum> read(std::string_view text) { return parse_enum<Enum>(text); }
};

// The model has texts for it, and a function that reads them.
template <class Enum, std::optional<Enum> (*Parse)(std::string_view)>
struct ModelText {
  static std::string_view write(Enum value) { return to_string(value); }
  static std::optional<Enum> read(std::string_view text) { return Parse(text); }
};

template <>
struct EnumText<Launcher> : ModelText<Launcher, parse_launcher> {};
template <>
struct EnumText<PreemptRule> : ModelText<PreemptRule, parse_preempt_rule> {};
template <>
struct EnumText<JobOrder> : ModelText<JobOrder, parse_job_order> {};
template <>
struct EnumText<FlavorSearch> : ModelText<FlavorSearch, parse_flavor_search> {};
template <>
struct EnumText<BudgetUnit> : ModelText<BudgetUnit, parse_budget_unit> {};
template <>
struct EnumText<BudgetWindow> : ModelText<BudgetWindow, parse_budget_window> {};
template <>
struct EnumText<StopPolicy> : ModelText<StopPolicy, parse_stop_policy> {};
template <>
struct EnumText<Scoring> : ModelText<Scoring, parse_scoring> {};
template <>
struct EnumText<FlavorChoice> : ModelText<FlavorChoice, parse_flavor_choice> {};
template <>
struct EnumText<Consolidation> : ModelText<Consolidation, parse_consolidation> {};
template <>
struct EnumText<Resizing> : ModelText<Resizing, parse_resizing> {};
template <>
struct EnumText<FairShare> : ModelText<FairShare, parse_fair_share> {};

// Two values that have no text of their own in the model.
template <class Enum, Enum First, Enum Second>
struct TwoNames {
  static std::optional<Enum> pick(std::string_view text, std::string_view first, std::string_view second) {
    if (text == first) return First;
    if (text == second) return Second;
    return std::nullopt;
  }
};

template <>
struct EnumText<ManagedBy> {
  static std::string_view write(ManagedBy value) { return value == ManagedBy::file ? "file" : "api"; }
  static std::optional<ManagedBy> read(std::string_view text) {
    return TwoNames<ManagedBy, ManagedBy::file, ManagedBy::api>::pick(text, "file", "api");
  }
};

template <>
struct EnumText<Program::Form> {
  static std::string_view write(Program::Form value) { return value == Program::Form::argv ? "argv" : "shell"; }
  static std::optional<Program::Form> read(std::string_view text) {
    return TwoNames<Program::Form, Program::Form::argv, Program::Form::shell>::pick(text, "argv", "shell");
  }
};

}  // namespace ym::json
