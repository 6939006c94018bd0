// Whether the server is ready for requests, why not, and what to do about it.
import { ApiError, get } from '../../api/client';
import { useLoad } from '../../api/load';
import { ErrorNote } from '../../parts/notes';
import { read_every } from './readings';

interface Readiness {
  status: 'ok' | 'not_ready';
  reason?: string;
  warnings?: string[];
}

// What to do, by the text of a reason or a warning.
const advice: [text: RegExp, what: string][] = [
  [/is starting/, 'Wait a moment; this page goes on by itself.'],
  [/is stopping/, 'Send it no more requests.'],
  [/nearly full/, 'Reads still work.'],
  [/disk does not confirm/, 'Check the disk: a flush takes too long. Everything continues when the disk does.'],
  [/ahead of the machine/, "Check the machine's clock. Documents expire late until it has caught up."],
  [/commit takes too long/, 'Check the disk. Everything continues when the commit ends.'],
  [/^the (ends|expirations) of/, 'Reads stay exact. Look for the name of the damaged file in the log.'],
  [/its settings do not name one/, 'Set nats.url and start the server again. Messages wait in the feeds.'],
  [/^no message is delivered/, 'Check that the broker runs and can be reached. Messages wait in the feeds.'],
  [/^the job/, 'The job runs again by itself. If it fails again, the log says more.'],
];

// While the server is not ready, the answer is a readiness, too, with the status 503.
function readinessOf(error: unknown): Readiness | undefined {
  if (!(error instanceof ApiError) || error.status !== 503) return undefined;
  try {
    const { status, reason } = JSON.parse(error.message) as Readiness;
    return status === 'not_ready' ? { status, reason } : undefined;
  } catch {
    return undefined;
  }
}

export async function readReadiness(signal: AbortSignal): Promise<Readiness> {
  try {
    return await get<Readiness>('/ready', { signal });
  } catch (error) {
    const readiness = readinessOf(error);
    if (!readiness) throw error;
    return readiness;
  }
}

function WithAdvice({ text }: { text: string }) {
  const what = advice.find(([pattern]) => pattern.test(text))?.[1];
  return <>{text}. {what && <span class="hint">{what}</span>}</>;
}

function State({ status, reason, warnings = [] }: Readiness) {
  if (status !== 'ok') {
    return <p><strong>Not ready for requests:</strong> <WithAdvice text={reason ?? 'it does not say why'} /></p>;
  }
  if (warnings.length === 0) return <p><strong>Healthy and ready.</strong></p>;
  return (
    <>
      <p><strong>Ready, but it needs your attention:</strong></p>
      <ul>{warnings.map((text) => <li key={text}><WithAdvice text={text} /></li>)}</ul>
    </>
  );
}

function levelOf({ status, warnings }: Readiness) {
  if (status !== 'ok') return 'state fails';
  return warnings && warnings.length > 0 ? 'state warns' : 'state';
}

// What is known while the server does not answer is out of date, so only the error is shown then.
export function Health() {
  const { data, error } = useLoad(readReadiness, [], read_every);
  if (error) return <div class="state fails"><ErrorNote error={error} /></div>;
  return <div role="status" class={data ? levelOf(data) : 'state'}>{data ? <State {...data} /> : <p>Reading…</p>}</div>;
}
