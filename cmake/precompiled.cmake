# Headers that most sources include are compiled once for all libraries and once for all test programs.
# MAYFLY_PRECOMPILED=OFF builds without, which shows a missing #include.
option(MAYFLY_PRECOMPILED "Precompile common headers" ON)

# add_precompiled(target header libraries...): a target that holds the precompiled header for others.
function(add_precompiled target header)
  file(WRITE ${PROJECT_BINARY_DIR}/${target}.cc "")
  add_library(${target} OBJECT ${PROJECT_BINARY_DIR}/${target}.cc)
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header})
  target_link_libraries(${target} PRIVATE ${ARGN})
  # ccache asks this file what the precompiled header was made of: its bytes differ from build to build.
  execute_process(COMMAND dpkg-query -W -f=\${Package}-\${Version}. g++-* libstdc++-*-dev libc6-dev libfmt-dev
    libexpected-dev libgtest-dev libgmock-dev librapidcheck-dev OUTPUT_VARIABLE versions ERROR_QUIET)
  file(GLOB headers ${PROJECT_SOURCE_DIR}/cmake/precompiled*.h)
  foreach(file ${headers})
    file(SHA256 ${file} sum)
    string(APPEND versions ${sum})
  endforeach()
  file(WRITE ${PROJECT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum "${CMAKE_CXX_COMPILER_VERSION} ${versions}")
endfunction()

# use_precompiled(target holder): compiles the target's sources with the header that `holder` has precompiled.
function(use_precompiled target holder)
  if(MAYFLY_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${holder})
  endif()
endfunction()
