#include "capacity.h"
#include "cli/cli.h"
#include "forecast.h"
#include "migrate.h"
#include "replay.h"
#include "serve.h"
#include "simulate.h"
#include "tune.h"

int main(int argc, char** argv) {
  return ym::run_cli(argc, argv,
                     {.serve = ym::serve,
                      .simulate = ym::simulate,
                      .tune = ym::tune,
                      .forecast = ym::forecast,
                      .capacity = ym::capacity,
                      .replay = ym::replay_recordings,
                      .migrate = ym::migrate});
}
