// For tests: objects in the JSON of an API server.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "executor/kubernetes/pods/pod_book.h"

namespace ym::kubernetes::testing {

inline json::value object(std::string_view text) {
  auto value = parse_json(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : json::value();
}

inline LaunchRequest request_of(std::uint64_t job, std::vector<std::string> nodes) {
  auto spec = std::make_shared<JobSpec>();
  spec->nodes = static_cast<std::int32_t>(nodes.size());
  spec->stop.grace = seconds(30);
  LaunchRequest request{.token = {JobId{job}, 1, 7}, .spec = spec, .job_name = "train", .owner = "ann"};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    request.placement.push_back({.task = static_cast<std::int32_t>(i), .node = nodes[i], .devices = {}});
  return request;
}

// A pod of this server on `node` (empty: not bound), with a status as JSON.
inline PodView pod_of(const PodKey& key, const std::string& node, const std::string& status = R"({"phase":"Pending"})",
                      const std::string& uid = "u1", int version = 1, bool deleting = false) {
  json::object labels;
  for (const auto& [name, value] : pod_labels(key, "yardmaster")) labels[name] = value;
  json::object meta{
      {"name", pod_name(key)}, {"uid", uid}, {"resourceVersion", std::to_string(version)}, {"labels", labels}};
  if (deleting) meta["deletionTimestamp"] = "2026-11-24T00:00:00Z";
  auto pod = read_pod(
      json::object{{"metadata", meta}, {"spec", json::object{{"nodeName", node}}}, {"status", object(status)}});
  EXPECT_TRUE(pod);
  return *pod;
}

inline std::string running() {
  return R"({"phase":"Running","containerStatuses":[{"name":"task","state":{"running":{}}}]})";
}

inline std::string ended(const std::string& phase, const std::string& terminated, const std::string& more = "") {
  return R"({"phase":")" + phase + R"(",)" + more + R"("containerStatuses":[{"name":"task","state":{"terminated":)" +
         terminated + "}}]}";
}

}  // namespace ym::kubernetes::testing
