#include "cli/main.h"
#include "commit.h"

int main(int argc, char** argv) { return spillway::spillway_main(argc, argv, SPILLWAY_COMMIT); }
