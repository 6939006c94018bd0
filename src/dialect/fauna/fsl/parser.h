// Parses FSL. The grammar; items and members end at a new line or `;`:
//
//   file       := {{annotation} item}              annotation := @alias(name) | @role(name)
//   item       := collection name { {member} }
//               | function name ( [parameter {, parameter}] ) [: type] { statements }
//               | role name { {privileges name { {action} } | membership name [predicate]} }
//               | access provider name { issuer text  jwks_uri text  {role name [predicate]} }
//   name       := identifier | text of letters, digits and ;@+$-_.!~%
//   parameter  := [...] identifier [: type]        all have types, or none
//   action     := read | write | create | delete | create_with_id | history_read | history_write
//               | unrestricted_read | call, and [predicate]
//   predicate  := { predicate ( lambda ) }
//   member     := identifier : type [= expression] | * : type
//               | compute identifier [: type] = lambda
//               | index identifier { [terms [ term, … ]] [values [ value, … ]] }
//               | unique [ term, … ] | check identifier ( lambda )
//               | history_days number | ttl_days number | document_ttls (true | false)
//               | migrations { {migration} }
//   term       := path | mva( path )
//   value      := term | asc( term ) | desc( term )
//   migration  := add path | drop path | move path -> path | split path -> path, path …
//               | backfill path = expression | move_conflicts path | move_wildcard path
//               | add_wildcard
//
// Types, expressions, statements and lambdas are FQL's. A keyword before `:` is a field's name.
#pragma once

#include <span>

#include "base/result.h"
#include "dialect/fauna/fsl/ast.h"
#include "dialect/fauna/syntax/parsed.h"

namespace mayfly::fauna::fsl {

Parsed<File> parse_file(const SourcePtr& source);

// Fails with invalid if two files have an item of the same name. Collections and functions share
// one space of names and aliases. Within one file, the parser has checked this already.
Result<void> check_names(std::span<const File> files);

}  // namespace mayfly::fauna::fsl
