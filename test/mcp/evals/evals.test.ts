import { CONSENT_PERMISSIONS } from '@affiliate/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { Fields } from '../../support/http.ts';
import { ownerOf } from '../../support/people.ts';
import { type TestAccount } from '../../support/service.ts';
import { useService } from '../../support/suite.ts';
import type { ToolCaller, ToolReply } from '../assistant.ts';
import { RemoteAssistant } from '../remote-assistant.ts';
import { tokensOf } from '../tokens.ts';
import { Model } from './model.ts';
import { type Call, type Found, STORIES, type Script } from './stories.ts';

/** Access for a merchant's month: everything that a person can grant. */
const ACCESS = {
  permissions: Object.fromEntries(CONSENT_PERMISSIONS.map((name) => [name, true])),
  daily_pay_limits: [{ currency: 'USD', amount_cents: 1_000_000 }],
};

/** Most calls and tokens of replies that the whole month may take a scripted assistant. */
const BUDGET = { calls: 27, tokens: 13_000 };

const service = useService();

async function connected(generation: string): Promise<{ account: TestAccount; assistant: ToolCaller }> {
  const account = await service.createAccount();
  const { browser } = await ownerOf(service, account);
  const remote = new RemoteAssistant(service);
  const decision = { account_id: account.id, ...ACCESS };
  return {
    account,
    assistant: await (generation === '2025' ? remote.connectAs(browser, decision) : remote.connectStatelessAs(browser, decision)),
  };
}

/** Carries out the calls of a script, validates their arguments against the published schemas, and counts calls and tokens. */
class ScriptedAssistant implements Script {
  readonly calls: string[] = [];
  tokens = 0;
  readonly #assistant: ToolCaller;
  readonly #validators: Map<string, (args: unknown) => boolean>;

  private constructor(assistant: ToolCaller, tools: { name: string; inputSchema: object }[]) {
    this.#assistant = assistant;
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    this.#validators = new Map(tools.map(({ name, inputSchema }) => [name, ajv.compile(inputSchema)]));
  }

  static async of(assistant: ToolCaller): Promise<ScriptedAssistant> {
    const { tools } = await assistant.client.listTools();
    return new ScriptedAssistant(assistant, tools);
  }

  readonly call = async (call: Call): Promise<Found> => (await this.#reply(call)).body['result'] as Found;

  readonly reply = async (call: Call): Promise<Found> => (await this.#reply(call)).body;

  readonly list = async (call: Call): Promise<Found[]> => {
    const { columns, rows } = (await this.call(call)) as { columns: string[]; rows: unknown[][] };
    return rows.map((row) => Object.fromEntries(columns.map((column, place) => [column, row[place]])));
  };

  async #reply({ tool, action, arguments: given, isWrite }: Call): Promise<ToolReply> {
    const reply = await this.#send(tool, { action, ...given });
    if (!isWrite) return reply;
    const { preview_token } = reply.body;
    const token = preview_token === undefined ? {} : { preview_token };
    return this.#send(tool, { action, ...given, dry_run: false, idempotency_key: crypto.randomUUID(), ...token });
  }

  async #send(tool: string, args: Fields): Promise<ToolReply> {
    if (!this.#validators.get(tool)?.(args)) throw new Error(`The arguments of ${tool} are not valid: ${JSON.stringify(args)}`);
    const reply = await this.#assistant.call(tool, args);
    this.calls.push(`${tool} ${String(args['action'])}`);
    this.tokens += tokensOf(reply.body);
    if (reply.isError) throw new Error(`${tool}: ${JSON.stringify(reply.body)}`);
    return reply;
  }
}

describe.each(['2025', '2026'])("a merchant's month by OAuth alone, with the client of %s", (generation) => {
  it('is carried out without a wrong answer, within its budget', async () => {
    const { account, assistant } = await connected(generation);
    await using _ = assistant;
    const scripted = await ScriptedAssistant.of(assistant);
    for (const { name, prepare, script, mustCall, verify } of STORIES) {
      const { question, facts } = await prepare(service, account);
      const before = scripted.calls.length;
      const answer = await script(scripted, question);
      expect([name, scripted.calls.slice(before)]).toEqual([name, expect.arrayContaining(mustCall)]);
      await verify(account, facts, answer);
    }
    expect(scripted.calls.length).toBeLessThanOrEqual(BUDGET.calls);
    expect(scripted.tokens).toBeLessThanOrEqual(BUDGET.tokens);
    const { data } = await account.client.auditLog.list.query({ limit: 100 });
    const written = data.filter(({ caller_kind }) => caller_kind === 'connector');
    expect(written.every(({ outcome }) => outcome === 'succeeded')).toBe(true);
  });
});

const model = Model.configured(process.env);

describe('a model', () => {
  it.skipIf(model === null).each(STORIES)(
    '$name',
    async ({ prepare, mustCall, verify }) => {
      const { account, assistant } = await connected('2025');
      await using _ = assistant;
      const { question, facts } = await prepare(service, account);
      const { answer, calls } = await model!.answer(assistant, question);
      expect(calls).toEqual(expect.arrayContaining(mustCall));
      await verify(account, facts, answer);
    },
    300_000,
  );

  it.runIf(model === null)(
    'is not configured: set EVAL_MODEL_URL, EVAL_MODEL and EVAL_MODEL_KEY to run the stories by a model',
    () => {
      expect(Model.configured({})).toBeNull();
    },
  );
});
