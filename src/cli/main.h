#pragma once

namespace spillway {

// The entire program except main() itself.  `commit`: what it was built from, or nothing if nobody
// can tell.  Never throws.
int spillway_main(int argc, char** argv, const char* commit);

}  // namespace spillway
