# The console's files, bundled from console/ and put into the library of src/dialect/console.
find_program(console_node NAMES node nodejs REQUIRED)
if(NOT EXISTS ${PROJECT_SOURCE_DIR}/console/node_modules/esbuild)
  message(FATAL_ERROR "the console's bundler is missing; ./dev installs it, as does: npm ci --prefix console")
endif()
file(GLOB_RECURSE console_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/console/src/*)
set(console_assets ${PROJECT_BINARY_DIR}/console)
add_custom_command(OUTPUT ${console_assets}/assets.S ${console_assets}/assets.cc
  COMMAND ${console_node} ${PROJECT_SOURCE_DIR}/console/build.mjs ${console_assets}
  DEPENDS ${console_sources} ${PROJECT_SOURCE_DIR}/console/build.mjs ${PROJECT_SOURCE_DIR}/console/package-lock.json
  COMMENT "Bundling the console" VERBATIM)
target_sources(dialect_console PRIVATE ${console_assets}/assets.S ${console_assets}/assets.cc)
