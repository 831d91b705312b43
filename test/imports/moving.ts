import { advanceImports } from '@affiliate/core';
import type { Fields } from '../support/http.ts';
import type { TestAccount, TestService } from '../support/service.ts';

interface Count {
  kind: string;
  outcome: string | null;
  count: number;
  done: number;
}

export interface Moved extends Fields {
  id: string;
  state: string;
  counts: Count[];
}

export interface ReadRow extends Fields {
  kind: string;
  source_id: string;
  outcome: string;
  reason: string | null;
  detail: string | null;
  record_id: string | null;
}

const PATH = '/api/settings/v1/imports';

/** The imports of an account, whose job runs in this process when a test says so. */
export class Mover {
  readonly #service: TestService;
  readonly #account: TestAccount;

  constructor(service: TestService, account: TestAccount) {
    this.#service = service;
    this.#account = account;
  }

  begin<Body = Moved>(body: Fields) {
    return this.#account.api.send<Body>('POST', PATH, { body });
  }

  act<Body = Moved>(id: string, act: 'run' | 'stop' | 'undo', body: Fields = {}) {
    return this.#account.api.send<Body>('POST', `${PATH}/${id}/${act}`, { body });
  }

  advance(mustStop?: () => boolean): Promise<void> {
    return advanceImports(this.#service.services, mustStop);
  }

  async get(id: string): Promise<Moved> {
    return (await this.#account.api.get<Moved>(`${PATH}/${id}`)).body;
  }

  async rows(id: string, query = ''): Promise<ReadRow[]> {
    return (await this.#account.api.get<{ data: ReadRow[] }>(`${PATH}/${id}/rows?limit=100${query}`)).body.data;
  }

  /** Begins an import and lets it be read and checked. */
  async read(body: Fields): Promise<Moved> {
    const { status, body: begun, text } = await this.begin(body);
    if (status !== 201) throw new Error(text);
    await this.advance();
    return this.get(begun.id);
  }

  /** Runs an import to its end. */
  async run(id: string, body: Fields = {}): Promise<Moved> {
    const { status, text } = await this.act(id, 'run', body);
    if (status !== 200) throw new Error(text);
    await this.advance();
    return this.get(id);
  }

  async list<Row extends Fields>(path: string): Promise<Row[]> {
    return (await this.#account.api.get<{ data: Row[] }>(path)).body.data;
  }
}

/** Returns the outcomes of an import as texts, e.g. `affiliate new 3/3`: 3 affiliates, of which 3 are done. */
export function outcomesOf({ counts }: Moved): string[] {
  return counts.map(({ kind, outcome, count, done }) => `${kind} ${outcome} ${done}/${count}`);
}
