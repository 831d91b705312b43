import { advancePayoutAttempts, type Services } from '@affiliate/core';
import { METHODS } from '../../../packages/core/src/payouts/methods/methods.ts';
import type { SendingMethod } from '../../../packages/core/src/payouts/port/method.ts';
import type { RailDouble } from '../../support/rail-double.ts';

/** A process that dies at one of the moments between which something becomes visible: begin and end of each transaction, and of each call to the rail. */
export class MortalWorker {
  #left: number;
  readonly #services: Services;
  readonly #double: RailDouble | undefined;

  /**
   * @param moments number of moments that the process survives. `Infinity`: it does not die
   * @param double a server that nobody else uses. The process may also die before and after each of the requests that make up a call
   */
  constructor(services: Services, moments: number, double?: RailDouble) {
    this.#left = moments;
    this.#double = double;
    const { database } = services;
    const transaction: typeof database.transaction = async (work, ...rest) => {
      this.#live();
      const result = await database.transaction(
        async (db) => {
          const outcome = await work(db);
          this.#live();
          return outcome;
        },
        ...rest,
      );
      this.#live();
      return result;
    };
    const guarded = <Call extends (...given: never[]) => Promise<unknown>>(call: Call): Call =>
      (async (...given: never[]) => {
        this.#live();
        const word = await call(...given);
        this.#live();
        return word;
      }) as unknown as Call;
    this.#services = {
      ...services,
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
      database: new Proxy(database, {
        get: (target, name) => (name === 'transaction' ? transaction : (Reflect.get(target, name, target) as unknown)),
      }),
      payoutMethods: (services.payoutMethods ?? METHODS).map((method) => ({
        ...method,
        ...('send' in method && { send: guarded((...given: Parameters<SendingMethod['send']>) => method.send!(...given)) }),
        ...('look' in method && { look: guarded((...given: Parameters<SendingMethod['look']>) => method.look!(...given)) }),
        ...('find' in method && { find: guarded((...given: Parameters<SendingMethod['look']>) => method.find!(...given)) }),
        ...('quote' in method && {
          quote: guarded((...given: Parameters<NonNullable<SendingMethod['quote']>>) => method.quote!(...given)),
        }),
        ...('cancel' in method && { cancel: guarded((...given: Parameters<SendingMethod['look']>) => method.cancel!(...given)) }),
      })),
    };
  }

  get isDead(): boolean {
    return this.#left < 0;
  }

  /** Number of moments that the process still survives. */
  get left(): number {
    return this.#left;
  }

  /** Does a job, by default that of the attempts that are due. A process that dies is silent. */
  async work(job: (services: Services) => Promise<void> = advancePayoutAttempts): Promise<void> {
    if (this.#double) this.#double.isCutOff = () => (this.#left -= 1) < 0;
    try {
      await job(this.#services);
    } catch (error) {
      if (!this.isDead) throw error;
    } finally {
      if (this.#double) this.#double.isCutOff = () => false;
    }
  }

  #live(): void {
    this.#left -= 1;
    if (this.isDead) throw new Error('The process was killed.');
  }
}
