/**
 * The payment provider's test mode is the own mode of a test account, which stores its records with `livemode` true (docs/rules/platform.md#test-mode).
 * These functions convert what the provider reports, where it enters the service.
 */
import { isTestAccount } from '../../platform/call/test-account-id.ts';
import type { ProviderMode } from '../port/port.ts';

/** Returns the provider's mode whose records an account stores with `livemode` true. */
export function ownMode(accountId: string): ProviderMode {
  return isTestAccount(accountId) ? 'test' : 'live';
}

/** Returns the stored `livemode` of a connection with a key of the provider's mode. */
export function isOwnMode(accountId: string, mode: ProviderMode): boolean {
  return mode === ownMode(accountId);
}

/** Returns what the provider reported to an account. In a test account, every `livemode` in it is inverted, except in an event's stored payload. */
export function inOwnMode<Reported>(accountId: string, reported: Reported): Reported {
  return isTestAccount(accountId) ? inverted(reported) : reported;
}

/** Returns access with the answers of its methods converted by `inOwnMode`, except completed events, which were converted before. */
export function inModeOfAccount<Access extends object>(accountId: string, access: Access): Access {
  if (!isTestAccount(accountId)) return access;
  return new Proxy(access, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method === 'object' && method !== null) return inModeOfAccount(accountId, method);
      if (typeof method !== 'function') return method;
      if (name === 'complete') return method.bind(target) as unknown;
      return (...input: unknown[]) => {
        const answer: unknown = Reflect.apply(method, target, input);
        return isIterable(answer) ? eachInverted(answer) : (answer as Promise<unknown>).then(inverted);
      };
    },
  });
}

function isIterable(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer;
}

async function* eachInverted(answers: AsyncIterable<unknown>): AsyncGenerator {
  for await (const answer of answers) yield inverted(answer);
}

function inverted<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(inverted) as Value;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]: [string, unknown]) => {
      if (name === 'payload') return [name, each];
      return [name, name === 'livemode' && typeof each === 'boolean' ? !each : inverted(each)];
    }),
  ) as Value;
}
