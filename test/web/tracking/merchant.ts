import { openDatabase, openVisits } from '@affiliate/core';
import { createApp, listen } from '@affiliate/rest';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Chromium } from '../../support/chromium/index.ts';
import { type Program, program } from '../../support/program.ts';
import { type TestAccount, type TestService, startService } from '../../support/service.ts';
import { Front, Shopper, Shops, launchForShops } from './shops.ts';

export const SERVICE = 'http://affiliates.test';

/** A merchant with two affiliates. The pages of the merchant's shops contain the tracking script. */
export class Merchant {
  service!: TestService;
  account!: TestAccount;
  ada!: Program;
  bob!: Program;
  shops!: Shops;
  #front!: Front;
  #browser!: Chromium;
  #stopProcess = async () => {};

  async open(): Promise<void> {
    this.service = await startService({ publicUrl: SERVICE });
    this.#front = await Front.open(this.service.url);
    this.shops = await Shops.open(this.#front.url);
    this.#browser = await launchForShops(this.shops, this.#front.url);
    this.account = await this.service.createAccount();
    this.ada = await program(this.account, { days_before_referrals_expire: 7 });
    this.bob = await program(this.account, {}, { first_name: 'Bob' });
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.shops[Symbol.asyncDispose]();
    await this.#front[Symbol.asyncDispose]();
    await this.#stopProcess();
    await this.service.stop();
  }

  /** Resets the pages of the shops: they contain only the script. */
  tidyUp(): void {
    this.useScript();
    this.shops.head = '';
    this.shops.body = '';
  }

  /** Sets the attributes of the script element. */
  useScript(more = '', src = `${SERVICE}/track.js`): void {
    this.shops.attributes = `src="${src}" data-account="${this.account.id}" ${more}`;
  }

  /** Returns the address that an affiliate shares. */
  share(host: string, { link }: Program = this.ada): string {
    return `http://${host}/?via=${link.token}`;
  }

  async referralRecord(id: string) {
    return (await this.account.api.get(`/referrals/${id}`)).body;
  }

  /** Returns a visitor with a separate browser profile. */
  arrive(): Promise<Shopper> {
    return Shopper.arrive(this.#browser);
  }

  /** Replaces the service's process. The new process knows only what is in the database. */
  async restart(): Promise<void> {
    this.#front.cut();
    await this.#stopProcess();
    const database = await openDatabase({ url: this.service.databaseUrl, poolSize: 4 });
    const services = { ...this.service.services, database };
    const visits = await openVisits(services, this.service.databaseUrl);
    const rateLimits = { caller: 1e9, publicAddress: 1e9, failedCredentials: 1e9 };
    const server = await listen(createApp(services, { rateLimits }), { host: '127.0.0.1', port: 0 });
    this.#front.target = server.url;
    this.#stopProcess = async () => {
      await server.close();
      await visits.close();
      await database.close();
    };
  }
}

/** Returns a merchant that all tests of a file share. */
export function useMerchant(): Merchant {
  const merchant = new Merchant();
  beforeAll(() => merchant.open());
  afterAll(() => merchant.close());
  beforeEach(() => merchant.tidyUp());
  return merchant;
}
