import { createHmac, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../errors.ts';
import { RemoteError, type RemoteService, reasonOf } from './remote-service.ts';

interface ListedEvent {
  id: string;
  type: string;
  sequence: number;
  subject_id: string;
  test: boolean;
}

const PAGE = 100;
const POLL_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** A receiver on the same machine is soon started again. */
const MAX_RECEIVER_PAUSE_MS = 2_000;
/** Time in which the receiver must answer, as for webhooks. */
const ANSWER_MS = 15_000;

export interface Forwarding {
  service: RemoteService;
  /** Address that the events are posted to. */
  target: URL;
  secret: string;
  /** Sequence of the last event that was forwarded. */
  position: number;
  /** Patterns of types to forward, e.g. `commission.*`. All types if empty. */
  types: readonly string[];
  /** Called after each event, forwarded or left out. The next start continues after it. */
  onPosition: (sequence: number) => void;
  /** Called with each line to show. */
  onLine: (line: string) => void;
  signal: AbortSignal;
  pollMs?: number;
}

/**
 * Forwards new events to a receiver on this machine, one after the other in the order of their sequence, until the signal is aborted. Reads them
 * from the API, so the service need not reach this machine. A broken connection to the service is repeated until it works again, from the last
 * event on, so no event is lost or forwarded out of order. The same holds for a receiver that is started again.
 *
 * @throws RemoteError if the service refuses the key; OperatorError if the receiver does not accept the first event
 */
export async function forwardEvents({ signal, pollMs = POLL_MS, ...forwarding }: Forwarding): Promise<void> {
  const { service, types, onPosition, onLine } = forwarding;
  let { position } = forwarding;
  let failures = 0;
  let hasReceiver = false;
  while (!signal.aborted) {
    let events: ListedEvent[];
    try {
      events = await eventsAfter(service, position, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!isPassing(error)) throw error;
      if (failures === 0) onLine(`${(error as Error).message}. Trying again…`);
      await sleep(Math.min(pollMs * 2 ** failures, MAX_PAUSE_MS), null, { signal }).catch(() => {});
      failures += 1;
      continue;
    }
    if (failures > 0) onLine('Connected again.');
    failures = 0;
    for (const event of events) {
      if (isWanted(event.type, types)) {
        const line = hasReceiver
          ? await forwardAgain(event, { ...forwarding, signal, pollMs })
          : await forward(event, forwarding);
        if (line === null) return;
        onLine(line);
        hasReceiver = true;
      }
      position = event.sequence;
      onPosition(position);
      if (signal.aborted) return;
    }
    if (events.length < PAGE) await sleep(pollMs, null, { signal }).catch(() => {});
  }
}

/** Forwards an event to a receiver that has accepted one before, and may be starting again. Returns null if the signal is aborted meanwhile. */
async function forwardAgain(event: ListedEvent, { signal, pollMs = POLL_MS, ...forwarding }: Forwarding): Promise<string | null> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      return await forward(event, forwarding);
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      if (failures === 0) forwarding.onLine(`${forwarding.target.href} does not accept connections. Trying again…`);
      await sleep(Math.min(pollMs * 2 ** failures, MAX_RECEIVER_PAUSE_MS), null, { signal }).catch(() => {});
    }
  }
  return null;
}

async function eventsAfter(service: RemoteService, position: number, signal: AbortSignal): Promise<ListedEvent[]> {
  const query = { after_sequence: String(position), limit: String(PAGE), include_total: 'false' };
  const { data } = (await service.send({ method: 'GET', path: '/api/v1/events', query, signal })) as { data: ListedEvent[] };
  return data;
}

/** Returns the sequence of the newest event of the account, or 0 if there is none. */
export async function newestSequence(service: RemoteService): Promise<number> {
  const query = { limit: '1', include_total: 'false' };
  const { data } = (await service.send({ method: 'GET', path: '/api/v1/events', query })) as { data: ListedEvent[] };
  return data[0]?.sequence ?? 0;
}

/** True for failures that may pass: no answer, overload, and errors of the service. */
function isPassing(error: unknown): boolean {
  return error instanceof RemoteError && (error.status === null || error.status === 429 || error.status >= 500);
}

function isWanted(type: string, patterns: readonly string[]): boolean {
  return (
    patterns.length === 0 ||
    patterns.some((each) => each === '*' || each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))))
  );
}

/** Posts an event, signed like a webhook. Returns a line about it. */
export async function forward(
  { subject_id: _, test: __, ...body }: ListedEvent,
  { target, secret }: Pick<Forwarding, 'target' | 'secret'>,
): Promise<string> {
  const text = JSON.stringify(body);
  const timestamp = Math.floor(Date.now() / 1000);
  const delivery = `listen_${body.id}`;
  const signature = createHmac('sha256', secret).update(`${delivery}.${timestamp}.${text}`).digest('base64');
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Affiliate-Webhooks/1.0',
    'hook-id': delivery,
    'hook-timestamp': String(timestamp),
    'hook-signature': `v1,${signature}`,
  };
  const about = `${body.sequence} ${body.type} ${body.id}`;
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body: text,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    await response.body?.cancel();
    return `${about} → ${response.status}`;
  } catch (cause) {
    if ((cause as Error).name === 'TimeoutError') return `${about} → no answer within 15 s`;
    throw new OperatorError(
      `${target.href} does not accept event ${body.sequence}: ${reasonOf(cause)}. Start the receiver, then run the command again: it continues with this event.`,
      { cause },
    );
  }
}

/** Returns the address that `localhost:4000`, `4000` or a URL stands for. */
export function targetOf(text: string): URL {
  const url = /^\d+$/.test(text) ? `http://localhost:${text}/` : text.includes('://') ? text : `http://${text}`;
  if (!URL.canParse(url)) throw new OperatorError(`${text} is not an address. Use for example localhost:4000/webhooks.`);
  return new URL(url);
}

export function newSessionSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`;
}
