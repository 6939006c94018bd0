# What keeps a whole build short, besides precompiled headers (precompiled.cmake).

# Sources of a folder are compiled in batches: what all of them include is parsed once for a batch. A change of one file
# then compiles its batch anew; MAYFLY_UNITY=OFF compiles each file alone.
option(MAYFLY_UNITY "Compile sources in batches" OFF)
# The tests run for moments and are compiled for minutes. What they test keeps the flags of the build.
set(MAYFLY_TEST_FLAGS "" CACHE STRING "Flags for the sources of test programs, after those of the build")
separate_arguments(test_flags UNIX_COMMAND "${MAYFLY_TEST_FLAGS}")

# in_batches(target size): compiles the target's sources in batches of so many.
function(in_batches target size)
  if(MAYFLY_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      # In a batch the compiler takes a source for a header, where a type of one file would be wrong.
      # And a batch names its sources by their whole paths: the compiler's cache knows them in another checkout, too, where
      # __FILE__ is the same there.
      target_compile_options(${target} PRIVATE -Wno-subobject-linkage -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
    endif()
  endif()
endfunction()

# test_program(target): compiles a test program the way that takes least.
function(test_program target)
  use_precompiled(${target} precompiled_test)
  # What the precompiled header's libraries define must be defined here as well.
  target_link_libraries(${target} PRIVATE GTest::gmock GTest::gtest)
  target_compile_options(${target} PRIVATE ${test_flags})
  in_batches(${target} 12)
endfunction()
