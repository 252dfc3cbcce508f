#include "cli/cli.h"
#include "serve.h"

int main(int argc, char** argv) { return ym::run_cli(argc, argv, {.serve = ym::serve}); }
