#pragma once

namespace spillway {

// The entire program except main() itself.  Never throws.
int spillway_main(int argc, char** argv);

}  // namespace spillway
