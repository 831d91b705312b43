import { type Database, openDatabase, type Services } from '@affiliate/core';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import type { TestService } from '../support/service.ts';

/** Processes of the service that die while they work: from a statement on, nothing leaves them any more, and their connections are reset. */
export class DoomedProcesses {
  /** Statements that all processes have sent. */
  sent = 0;
  /** Statements that the next one to die has left. */
  left = Infinity;
  readonly #service: TestService;
  readonly #proxy: DatabaseProxy;
  #living: Database | null = null;

  private constructor(service: TestService, proxy: DatabaseProxy) {
    this.#service = service;
    this.#proxy = proxy;
  }

  static async start(service: TestService): Promise<DoomedProcesses> {
    return new DoomedProcesses(service, await startDatabaseProxy(service.databaseUrl));
  }

  /** Does work in the process that lives, or in a new one. Returns false if the process has died meanwhile. */
  async survives(work: (services: Services) => Promise<unknown>): Promise<boolean> {
    this.#living ??= await openDatabase({ url: this.#proxy.url, poolSize: 4, onStatement: () => this.#send() });
    try {
      const { log, ...services } = this.#service.services;
      // What a dead process would log is of no interest.
      await work({ ...services, log: { ...log, error: () => undefined }, database: this.#living });
      return true;
    } catch (error) {
      if (this.left >= 0) throw error;
      await this.#living.close();
      this.#living = null;
      this.#proxy.recover();
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#living?.close();
    await this.#proxy[Symbol.asyncDispose]();
  }

  #send(): void {
    this.sent += 1;
    this.left -= 1;
    if (this.left >= 0) return;
    this.#proxy.cut();
    throw new Error('The process was killed');
  }
}
