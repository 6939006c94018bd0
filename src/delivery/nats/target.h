// The target "nats": a message is published to a subject of a NATS broker.
#pragma once

#include <memory>
#include <string>

#include "delivery/nats/options.h"
#include "delivery/nats/subject.h"
#include "delivery/target.h"

namespace mayfly::delivery {

// Settings: `subject`, a template that begins as `subject` does, which it is where none is asked
// for. With JetStream a message is taken once it is stored; a repeated one is known by its id,
// that of its subscription, and how often that was replayed.
std::unique_ptr<Target> nats_target(NatsOptions options, SubjectTemplate subject,
                                    std::string subject_text);

}  // namespace mayfly::delivery
