// One subscription: what it sends where, how far it is, and what can be done with it.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { call, pathOf, post } from '../../api/client';
import { Confirm } from '../../parts/dialog';
import { ErrorNote } from '../../parts/notes';
import { timeText } from '../../parts/time';
import { useAction } from '../../parts/action';
import { DeadLetters } from './dead_letters';
import { Replay } from './replay';
import { Lag, StateText } from './state';
import { isServersOwn, nameOf, targetText, type Subscription } from './types';

interface SubscriptionProps {
  database: string;
  subscription: Subscription;
  onChange: () => void;
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return <><dt>{name}</dt><dd>{children}</dd></>;
}

function instantText(instant: string | null): string {
  return instant === null ? 'not yet' : timeText(Date.parse(instant), 'millis');
}

function WhatItSends({ subscription }: { subscription: Subscription }) {
  const { collections, kinds, filter, target } = subscription;
  return (
    <>
      <Fact name="Id"><code>{subscription.id}</code></Fact>
      <Fact name="Target">{targetText(target)}</Fact>
      {target.webhook && (
        <Fact name="Messages in a body">
          {target.webhook.batch_max ? `a list of at most ${target.webhook.batch_max}` : 'one'}
        </Fact>
      )}
      <Fact name="Collections">{collections.join(', ') || 'all'}</Fact>
      <Fact name="Kinds">{kinds.join(', ') || 'all'}</Fact>
      <Fact name="Filter">{filter === null ? 'none' : <code>{filter}</code>}</Fact>
      <Fact name="Attempts at most">{subscription.attempts_max}</Fact>
      <Fact name="Created">{instantText(subscription.created_at)}</Fact>
    </>
  );
}

function HowFarItIs({ subscription }: { subscription: Subscription }) {
  const { state, paused } = subscription;
  return (
    <>
      <Fact name="State"><StateText subscription={subscription} /></Fact>
      <Fact name="Delivered">{state.delivered}, the last one: {instantText(state.delivered_at)}</Fact>
      <Fact name="Waiting">{state.waiting}{paused && ' (a paused subscription reads nothing)'}</Fact>
      <Fact name="Under way">{state.under_way}</Fact>
      <Fact name="Given up">{state.dead}</Fact>
      <Fact name="Oldest event not done">
        {state.oldest === null ? 'none' : <>{instantText(state.oldest)}, lag <Lag oldest={state.oldest} /></>}
      </Fact>
      <Fact name="Last error">
        {state.last_error === null ? 'none' : `${state.last_error} (${instantText(state.failed_at)})`}
      </Fact>
      {state.gap && (
        <Fact name="Gap">
          <span class="soon">Events may be missing: they were no longer kept, or could not be read.</span>
        </Fact>
      )}
    </>
  );
}

function Actions({ database, subscription, onChange }: SubscriptionProps) {
  const [asking, setAsking] = useState<'replay' | 'remove'>();
  const { error, isBusy, run } = useAction();
  const path = pathOf(database, undefined, 'subscriptions', subscription.id);
  const stop = () => setAsking(undefined);
  const change = (work: () => Promise<unknown>) => run(async () => {
    stop();
    await work();
    onChange();
  });
  const verb = subscription.paused ? 'resume' : 'pause';
  return (
    <>
      <div class="bar">
        <button type="button" disabled={isBusy} onClick={() => change(() => post(`${path}/${verb}`))}>
          {subscription.paused ? 'Resume' : 'Pause'}
        </button>
        <button type="button" disabled={isBusy} onClick={() => setAsking('replay')}>Replay…</button>
        <button type="button" class="danger" disabled={isBusy} onClick={() => setAsking('remove')}>Remove…</button>
      </div>
      {error && <ErrorNote error={error} />}
      {asking === 'replay' && (
        <Replay onReplay={(from) => change(() => post(`${path}/replay`, { from }))} onClose={stop} />
      )}
      {asking === 'remove' && (
        <Confirm
          title={`Remove ${nameOf(subscription)}?`}
          action="Remove"
          isDangerous
          onConfirm={() => change(() => call('DELETE', path))}
          onClose={stop}
        >
          <p>Its events are no longer sent. Its messages that wait are not sent either.</p>
        </Confirm>
      )}
    </>
  );
}

export function SubscriptionDetails(props: SubscriptionProps) {
  const { database, subscription, onChange } = props;
  return (
    <section aria-labelledby="subscription">
      <h3 id="subscription">{nameOf(subscription)}</h3>
      {isServersOwn(subscription, database)
        ? <p class="hint">The server has it by its settings: it cannot be paused, replayed or removed.</p>
        : <Actions {...props} />}
      <dl class="subscription-facts">
        <HowFarItIs subscription={subscription} />
        <WhatItSends subscription={subscription} />
      </dl>
      <DeadLetters database={database} subscription={subscription} onSent={onChange} />
    </section>
  );
}
