import { receivePspEvent } from '@affiliate/core';
import { newId } from '../../../packages/core/src/platform/wire/ids.ts';
import { send } from '../../support/http.ts';
import type { TestService } from '../../support/service.ts';
import { type ToyOrder, ToySource } from './toy-source.ts';

const SECRET = 'toy_secret';

/** An account's connection to the toy shop. */
export class ToyShop {
  readonly source: ToySource;
  readonly connectionId: string;
  readonly #service: TestService;

  private constructor(service: TestService, source: ToySource, connectionId: string) {
    this.#service = service;
    this.source = source;
    this.connectionId = connectionId;
  }

  /** Adds the toy shop to the table of sources, and connects an account to it. */
  static async connect(service: TestService, accountId: string): Promise<ToyShop> {
    const source = new ToySource();
    service.services.sources = new Map([...service.services.sources, ['toy', source]]);
    const { database, secrets, clock } = service.services;
    const id = newId('connection', clock.now());
    const at = clock.now().toISOString();
    await database.kysely
      .insertInto('connection')
      .values({
        id,
        account_id: accountId,
        source: source.kind,
        mode: 'live',
        state: 'connected',
        settings: {},
        psp_account_id: 'toy_1',
        psp_account_name: 'Toy shop',
        outside_payments: 'count',
        write_back: false,
        sealed_credentials: secrets.seal('toy_key'),
        sealed_webhook_secret: secrets.seal(SECRET),
        created_at: at,
        updated_at: at,
      })
      .execute();
    return new ToyShop(service, source, id);
  }

  /** Delivers an order without HTTP. */
  async receive(order: ToyOrder): Promise<void> {
    const { body, headers } = this.source.message(order, SECRET);
    await receivePspEvent(this.#service.services, {
      to: { connectionId: this.connectionId },
      readBody: () => Promise.resolve(new TextEncoder().encode(body)),
      header: (name) => (name === 'toy-signature' ? headers['Toy-Signature'] : undefined),
      requestId: 'story',
    });
  }

  /** Tells an order at the door of the connection. Returns the status of the answer and its outcome. */
  async tell(order: ToyOrder, { isHint = false, secret = SECRET } = {}): Promise<[status: number, outcome: unknown]> {
    const { body, headers } = this.source.message(order, secret, isHint);
    const reply = await send(`${this.#service.url}/sources/${this.connectionId}/events`, 'POST', { raw: body, headers });
    return [reply.status, reply.body['outcome']];
  }
}
