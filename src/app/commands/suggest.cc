#include "app/commands/suggest.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>

#include "base/similar.h"

namespace mayfly::app {
namespace {

constexpr std::size_t letters_max = 2;
constexpr std::size_t flag_bytes_max = 64;  // longer ones are compared with none

}  // namespace

std::vector<std::string> flags_like(std::string_view given, const std::vector<std::string>& known) {
  std::vector<std::string> like;
  const std::string_view word = given.substr(std::min(given.find_first_not_of('-'), given.size()));
  if (word.empty() || given.size() > flag_bytes_max) return like;
  for (const std::string& flag : known) {
    const bool is_part = flag.ends_with("-" + std::string(word)) || flag.starts_with(given);
    if (is_part || edit_distance(given, flag) <= letters_max) like.push_back(flag);
  }
  return like;
}

void suggest_flags(const CLI::App& verb) {
  std::vector<std::string> known;
  for (const CLI::Option* option : verb.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  for (const std::string& given : verb.remaining()) {
    if (!given.starts_with("--")) continue;
    std::string text;
    for (const std::string& flag : flags_like(given.substr(0, given.find('=')), known)) {
      text += (text.empty() ? "" : ", ") + flag;
    }
    if (!text.empty()) std::fprintf(stderr, "Did you mean %s?\n", text.c_str());
  }
  for (const CLI::App* inner : verb.get_subcommands()) suggest_flags(*inner);
}

}  // namespace mayfly::app
