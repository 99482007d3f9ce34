#include "cli/main.h"

int main(int argc, char** argv) { return spillway::spillway_main(argc, argv); }
