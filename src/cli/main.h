#pragma once

namespace spillway {

// The whole program but for main() itself.  Never throws.
int spillway_main(int argc, char** argv);

}  // namespace spillway
