# What `cmake --install` puts where.  Links between the pages work there as they do in the sources.
install(TARGETS spillway)
install(FILES include/spillway/model_abi.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spillway)

find_program(SCDOC scdoc)
if(SCDOC)
  set(man_page ${PROJECT_BINARY_DIR}/spillway.1)
  set(man_source ${PROJECT_SOURCE_DIR}/docs/manual/spillway.1.scd)
  add_custom_command(OUTPUT ${man_page} DEPENDS ${man_source} VERBATIM
    COMMAND sh -c "\"$0\" <\"$1\" >\"$2\"" ${SCDOC} ${man_source} ${man_page})
  add_custom_target(man_page ALL DEPENDS ${man_page})
  install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
else()
  message(STATUS "There is no scdoc: the man page is not made.  On Debian: apt install scdoc")
endif()

if(NOT CMAKE_CROSSCOMPILING)  # the program is asked for its options
  set(completions ${PROJECT_BINARY_DIR}/completions)
  add_custom_command(OUTPUT ${completions}/spillway.bash ${completions}/_spillway ${completions}/spillway.fish
    DEPENDS spillway ${PROJECT_SOURCE_DIR}/completions/generate.py VERBATIM
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/completions/generate.py $<TARGET_FILE:spillway> ${completions})
  add_custom_target(completions ALL DEPENDS ${completions}/spillway.bash)
  install(FILES ${completions}/spillway.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME spillway)
  install(FILES ${completions}/_spillway DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${completions}/spillway.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

# The licences of the libraries that are linked or inlined, as Debian's packages have them.
set(licenses ${PROJECT_BINARY_DIR}/LICENSES-of-libraries)
add_custom_target(licenses ALL BYPRODUCTS ${licenses} VERBATIM
  COMMAND ${CMAKE_COMMAND} -D FILE=${licenses} -P ${PROJECT_SOURCE_DIR}/cmake/licenses.cmake)
install(FILES ${licenses} DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)

install(FILES README.md CHANGES.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/manual DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs
  FILES_MATCHING PATTERN "*.md" PATTERN "*.json" PATTERN "*.png" PATTERN "*.svg")
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN CMakeLists.txt EXCLUDE)

# Vim and Emacs find their files there if the prefix is /usr.  VS Code has no such place.
install(DIRECTORY editors/vim/ DESTINATION ${CMAKE_INSTALL_DATADIR}/vim/vimfiles)
install(FILES editors/emacs/spillway.el DESTINATION ${CMAKE_INSTALL_DATADIR}/emacs/site-lisp)
install(DIRECTORY editors/vscode DESTINATION ${CMAKE_INSTALL_DATADIR}/spillway/editors)
