import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ReadPage, checkPortalHosts } from '@affiliate/core';
import { program } from '../support/program.ts';
import { type TestAccount, type TestService, startService } from '../support/service.ts';
import { askUnder, callUnder } from './under-host.ts';

export const HOST = 'partners.shop.example';
export const OTHER = 'partners.bistro.example';

/** A service with two accounts, each with a verified portal host and with Ada as an affiliate. */
export class PortalHosts {
  /** The account whose portal is at HOST. */
  readonly account: TestAccount;
  /** The account whose portal is at OTHER. */
  readonly other: TestAccount;
  readonly service: TestService;
  /** Ada's id as an affiliate of `account`. */
  ada = '';
  /** Host names that resolve to the service. */
  readonly leadsHere = new Set<string>();
  /** Reads a page under a host name that does not resolve to the service. */
  elsewhere: ReadPage = async () => 'unreachable';
  /** DNS TXT records by name. */
  readonly records = new Map<string, readonly string[]>();
  readonly #pages: string;

  private constructor(service: TestService, account: TestAccount, other: TestAccount, pages: string) {
    [this.service, this.account, this.other, this.#pages] = [service, account, other, pages];
  }

  static async start(): Promise<PortalHosts> {
    const pages = mkdtempSync(join(tmpdir(), 'pages-'));
    for (const name of ['index.html', 'portal.html', 'join.html', 'sign-in.html'])
      writeFileSync(join(pages, name), `<html lang="en">${name}<title>Affiliate</title>`);
    writeFileSync(join(pages, 'pages.json'), '["/"]');
    const service = await startService({ pages });
    const hosts = new PortalHosts(service, await service.createAccount(), await service.createAccount(), pages);
    await hosts.#fill();
    return hosts;
  }

  async #fill(): Promise<void> {
    const { service, account, other } = this;
    service.services.readPage = async (url) => {
      const { host, pathname } = new URL(url);
      if (!this.leadsHere.has(host)) return this.elsewhere(url);
      return { url, html: (await this.ask(host, 'GET', pathname)).text, policies: [] };
    };
    service.services.resolveTexts = async (name) => this.records.get(name) ?? [];
    this.ada = (await program(account, { default: true, name: 'Friends' }, { email: 'ada@partner.example' })).affiliate.id;
    await program(other, { default: true, name: 'Friends' }, { email: 'ada@partner.example' });
    await account.client.portalSettings.update.mutate({ brand_name: 'Northwind', brand_color: '#ffee00' });
    for (const [merchant, host] of [
      [account, HOST],
      [other, OTHER],
    ] as const) {
      this.leadsHere.add(host);
      this.own(host, merchant);
      await merchant.client.portalSettings.update.mutate({ portal_host: host });
    }
    await checkPortalHosts(service.services);
    this.refresh();
  }

  async stop(): Promise<void> {
    await this.service.stop();
    rmSync(this.#pages, { recursive: true });
  }

  /** Sets the DNS TXT record of a host name, so that it names these accounts. */
  own = (host: string, ...owners: readonly { id: string }[]): void => {
    this.records.set(
      `_affiliate-portal.${host}`,
      owners.map(({ id }) => id),
    );
  };

  /** Advances the clock by five seconds, so that the service reads the hosts again. */
  refresh = (): void => this.service.clock.advance(5, 'seconds');

  ask = (host: string, ...rest: [method: string, path: string, headers?: Record<string, string>]) =>
    askUnder(this.service, host, ...rest);

  call = <Output>(host: string, ...rest: [procedure: string, input?: object, headers?: Record<string, string>]) =>
    callUnder<Output>(this.service, host, ...rest);

  mailedUrl = async (email: string, subject: RegExp): Promise<URL> =>
    new URL(/https?:\S+/.exec((await this.service.mailbox.take(email, subject)).text)![0]);
}

export const tokenOf = ({ hash }: URL): string => new URLSearchParams(hash.slice(1)).get('token')!;
