// The target "nats": a message is published to a subject of a NATS broker.
#pragma once

#include <memory>
#include <string>

#include "delivery/nats/options.h"
#include "delivery/nats/subject.h"
#include "delivery/target.h"

namespace mayfly::delivery {

// The setting `subject` of a subscription is a template that begins as the parameter `subject`
// does, which is also its default. With JetStream a message is taken once it is stored. The broker
// recognises a repeated message by its id, the id of its subscription, and how often that was
// replayed.
std::unique_ptr<Target> nats_target(NatsOptions options, SubjectTemplate subject,
                                    std::string subject_text);

}  // namespace mayfly::delivery
