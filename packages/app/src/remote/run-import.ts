import { setTimeout as sleep } from 'node:timers/promises';
import type { RemoteService } from './remote-service.ts';

/** An import, as the API shows it. */
export interface RemoteImport {
  id: string;
  state: string;
  source: string;
  failure: string | null;
  failure_detail: string | null;
  resume_at: string | null;
  files: { kind: string; bytes: number; is_complete: boolean }[];
  counts: { kind: string; outcome: string | null; count: number; done: number }[];
  totals: { kind: string; currency: string | null; state: string; count: number; source_cents: number; here_cents: number }[];
}

interface RemoteRow {
  kind: string;
  source_id: string;
  reason: string | null;
  detail: string | null;
}

const PATH = '/api/settings/v1/imports';
const WORKING: ReadonlySet<string> = new Set(['reading', 'running', 'undoing']);
/** Problems that are listed. */
const LISTED = 20;

/** Begins an import of a tool or of files. */
export async function beginImport(service: RemoteService, body: object): Promise<RemoteImport> {
  return (await service.send({ method: 'POST', path: PATH, body })) as RemoteImport;
}

export async function getImport(service: RemoteService, id: string): Promise<RemoteImport> {
  return (await service.send({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` })) as RemoteImport;
}

/** Adds a part to a file of an import. */
export async function addPart(service: RemoteService, id: string, body: object): Promise<void> {
  await service.send({ method: 'POST', path: `${PATH}/${encodeURIComponent(id)}/parts`, body });
}

export async function actOnImport(service: RemoteService, id: string, act: 'run' | 'stop' | 'undo', body: object): Promise<void> {
  await service.send({ method: 'POST', path: `${PATH}/${encodeURIComponent(id)}/${act}`, body });
}

/** Waits until the service has nothing to do for an import, or waits for the tool itself. */
export async function settledImport(service: RemoteService, id: string): Promise<RemoteImport> {
  for (;;) {
    const found = await getImport(service, id);
    if (!WORKING.has(found.state) || found.resume_at !== null) return found;
    await sleep(1_000);
  }
}

/** Returns what an import has read or made as lines: the records by kind and outcome, the amounts beside those of the tool, and the first problems. */
export async function describeImport(service: RemoteService, its: RemoteImport): Promise<string[]> {
  const { id, state, failure, failure_detail, resume_at, counts, totals } = its;
  const path = `${PATH}/${encodeURIComponent(id)}/rows`;
  const query = { outcome: 'problem', limit: String(LISTED) };
  const { data } = (await service.send({ method: 'GET', path, query })) as { data: RemoteRow[] };
  return [
    `${id} ${state}`,
    ...(failure === null ? [] : [`failed: ${[failure, failure_detail].filter(Boolean).join(' ')}`]),
    ...(resume_at === null ? [] : [`The tool asked to wait. Reading goes on at ${resume_at}.`]),
    ...counts.map(({ kind, outcome, count, done }) => `${kind} ${outcome ?? 'unchecked'}: ${count}, ${done} done`),
    ...totals.map(
      ({ kind, currency, state: of, count, source_cents, here_cents }) =>
        `${kind} ${of} ${currency ?? 'no currency'}: ${count}, ${source_cents} there, ${here_cents} here`,
    ),
    ...data.map(
      ({ kind, source_id, reason, detail }) => `problem: ${[kind, source_id, reason, detail].filter(Boolean).join(' ')}`,
    ),
  ];
}
