// Slurm through slurmrestd: submits, lists and cancels. What it answers badly or not at all (accounting, configuration)
// goes to another client.
#pragma once

#include <memory>

#include "executor/slurm/client/client.h"
#include "executor/slurm/slurm_executor.h"
#include "net/http_client.h"

namespace ym::slurm {

// Errors: `invalid`: the URL.
Result<std::unique_ptr<SlurmClient>> make_rest_client(const SlurmOptions& options, std::unique_ptr<SlurmClient> others);
std::unique_ptr<SlurmClient> make_rest_client(SlurmOptions options, std::unique_ptr<net::HttpClient> http,
                                              std::unique_ptr<SlurmClient> others);

}  // namespace ym::slurm
