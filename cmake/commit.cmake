# Writes a header with the commit that the sources in SOURCE are of, to FILE: twelve digits, "+" behind them if something
# was changed since.  In an archive that git made (git archive) it is the commit that git wrote into archived_commit, and
# nothing if this is neither.  The header is left alone if it says so already.
# cmake -D SOURCE= -D FILE= -P commit.cmake
set(commit "")
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
file(REAL_PATH ${SOURCE} source)
if(NOT failed AND top STREQUAL source)  # not a copy of the sources in a checkout of something else
  execute_process(COMMAND git -C ${SOURCE} describe --always --exclude=* --abbrev=12 --dirty=+
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT commit)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/archived_commit commit REGEX "^[0-9a-f]+$")
  string(SUBSTRING "${commit}" 0 12 commit)
endif()
set(text "#pragma once\n#define SPILLWAY_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${FILE})
  file(READ ${FILE} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${FILE} "${text}")
endif()
