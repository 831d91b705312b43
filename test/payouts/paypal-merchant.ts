import { advancePayoutAttempts, createPayoutMethods } from '@affiliate/core';
import { type Fields, type Reply, send } from '../support/http.ts';
import { type PayPalApp, PayPalServer } from '../support/paypal-server/paypal-server.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';
import { payee, type Payee } from './program.ts';

/** A service whose payments go to a double of PayPal. */
export interface PayPalService {
  service: TestService;
  paypal: PayPalServer;
  stop(): Promise<void>;
}

export async function startPayPalService(): Promise<PayPalService> {
  const paypal = await new PayPalServer().start();
  const service = await startService();
  service.services.payoutMethods = createPayoutMethods({ apiBases: { paypal: paypal.url }, timeoutMs: 2_000 });
  paypal.now = () => service.clock.now();
  return {
    service,
    paypal,
    stop: async () => {
      await service.stop();
      await paypal.stop();
    },
  };
}

/** A merchant who pays affiliates through PayPal. */
export class PayPalMerchant {
  readonly account: TestAccount;
  readonly app: PayPalApp;
  railId = '';
  readonly #of: PayPalService;

  private constructor(of: PayPalService, account: TestAccount, app: PayPalApp) {
    this.#of = of;
    this.account = account;
    this.app = app;
  }

  static async open(of: PayPalService, isSandbox = false): Promise<PayPalMerchant> {
    const merchant = new PayPalMerchant(of, await of.service.createAccount(), of.paypal.addApp(isSandbox));
    merchant.railId = String(answered(201, await merchant.connect())['id']);
    return merchant;
  }

  connect(credentials: Fields = this.app.credentials): Promise<Reply> {
    return this.settings('POST', 'payout_rails', { kind: 'paypal', credentials });
  }

  settings(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: Fields): Promise<Reply> {
    return this.account.api.send(method, `/api/settings/v1/${path}`, body && { body });
  }

  /** Adds an affiliate who is paid. */
  payee(email: string, options: Parameters<typeof payee>[1] = {}): Promise<Payee> {
    return payee(this.account, { ...options, person: { walleta_email: email, walletb_email: null } });
  }

  async prepare(input: Fields = {}): Promise<Fields> {
    return answered(201, await this.account.api.post('/payout_batches', { method: 'paypal', ...input }));
  }

  /** Prepares and sends payments of all that is due. Returns the batch. */
  async pay(input: Fields = {}): Promise<Fields> {
    const { id } = await this.prepare(input);
    answered(200, await this.act(id, 'send'));
    await this.advance();
    return this.batch(id);
  }

  act(id: unknown, action: string): Promise<Reply> {
    return this.account.api.post(`/payout_batches/${String(id)}/${action}`);
  }

  attemptTo(action: string, id: unknown, input: Fields = {}): Promise<Reply> {
    return this.account.api.post(`/payout_attempts/${String(id)}/${action}`, input);
  }

  async batch(id: unknown): Promise<Fields & { attempts: Fields[] }> {
    const path = `/payout_batches/${String(id)}`;
    return (await this.account.api.get<Fields & { attempts: Fields[] }>(path, { expand: 'attempts' })).body;
  }

  /** Returns the attempts to pay a payout, newest first. */
  async attempts({ payout }: Payee): Promise<Fields[]> {
    return (await this.account.api.get<{ data: Fields[] }>('/payout_attempts', { payout_id: payout.id })).body.data;
  }

  async payout({ payout }: Payee): Promise<Fields> {
    return (await this.account.api.get(`/payouts/${payout.id}`)).body;
  }

  advance(): Promise<void> {
    return advancePayoutAttempts(this.#of.service.services);
  }

  async later(amount: number, unit: 'seconds' | 'minutes' | 'hours' | 'days'): Promise<void> {
    this.#of.service.clock.advance(amount, unit);
    await this.advance();
  }

  deliver({ body, headers }: { body: string; headers: Fields }, railId = this.railId): Promise<Reply> {
    const url = `${this.#of.service.url}/rails/${railId}/events`;
    return send(url, 'POST', {
      raw: body,
      headers: { 'Content-Type': 'application/json', ...(headers as Record<string, string>) },
    });
  }
}

/** Returns the body of a reply with the status. Throws for any other reply. */
export function answered(expected: number, { status, body }: Reply): Fields {
  if (status !== expected) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
