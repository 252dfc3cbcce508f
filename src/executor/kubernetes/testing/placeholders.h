// For tests: an elastic flavor, its placeholders, and what the cluster shows of them.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "executor/kubernetes/nodes/placeholders.h"

namespace ym::kubernetes::testing {

class PlaceholdersTest : public ::testing::Test {
 protected:
  PlaceholdersTest() {
    flavor_.elastic = ElasticCapacity{.max_nodes = 8};
    flavor_.elastic->node.gpu_type = "h100";
    for (int i = 0; i < 8; ++i) flavor_.elastic->node.devices.push_back({.id = std::to_string(i)});
  }

  void want(std::int64_t nodes) {
    flavor_.wanted.nodes = nodes;
    placeholders_.want(flavor_);
  }
  static Node node(const std::string& name, const std::string& withheld = {}, int gpus = 0) {
    Node node{.name = name, .cluster = "gke", .gpu_type = "h100", .labels = {{"pool", "spot"}}, .withheld = withheld};
    for (int i = 0; i < gpus; ++i) node.devices.push_back({.id = std::to_string(i)});
    return node;
  }
  PodView show(const std::string& name, const std::string& on = {}, const std::string& phase = "Pending") {
    PodView pod;
    pod.phase = phase;
    pod.meta = {.name = name, .name_space = "ml", .uid = "uid-" + name, .version = "1"};
    pod.labels = {{std::string(kPlaceholderLabel), "Burst"}};
    pod.node = on;
    placeholders_.seen(pod);
    return pod;
  }
  Placeholders::Work pass(const std::vector<Node>& nodes, bool all_wanted = true) {
    return placeholders_.pass(nodes, now_, all_wanted);
  }
  // Expects `count` placeholders that wait.
  void wait(int count) {
    want(count);
    pass({});
    for (int i = 1; i <= count; ++i) {
      placeholders_.tried(name(i));
      show(name(i));
    }
  }
  static Api<std::string> refused(ApiError::Kind kind, const std::string& words) {
    return std::unexpected(ApiError{.kind = kind, .status = 403, .message = words, .retry_after = {}});
  }
  static std::vector<std::string> removed(const Placeholders::Work& work) {
    std::vector<std::string> names;
    for (const auto& [name, uid] : work.remove) names.push_back(name);
    return names;
  }
  static std::vector<std::string> created(const Placeholders::Work& work) {
    std::vector<std::string> names;
    for (const auto& [name, body] : work.create) names.push_back(name);
    return names;
  }

  static std::string name(int number) { return placeholder_name("ym1", "Burst", number); }
  PodOptions options_{.name_space = "ml", .instance = "ym1", .wrapper_image = "wrapper"};
  Flavor flavor_{.name = "Burst", .gpu_type = "h100", .cluster = "gke", .labels = {{"pool", "spot"}}};
  Placeholders placeholders_{options_};
  Instant now_{1'000'000};
};

}  // namespace ym::kubernetes::testing
