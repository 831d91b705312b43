/**
 * Sets up what the tests of a file share, and ends it after them. Each function returns an object at once, when the file is loaded, and fills it
 * before the tests run: only hooks and tests may read it.
 */
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Fields } from './http.ts';
import { type Program, program } from './program.ts';
import { type ServiceOptions, startService, type TestAccount, type TestService } from './service.ts';

/** How often a thing is set up: for each test, or once for the file. */
type Scope = 'test' | 'file';

/** Calls `make` once per scope. Returns the object with the members of what it returned last. */
export function useMade<Made extends object>(scope: Scope, make: () => Promise<Made>): Made {
  const made = {} as Made;
  const fill = async () => {
    Object.assign(made, await make());
  };
  if (scope === 'file') beforeAll(fill);
  else beforeEach(fill);
  return made;
}

/** Starts a service for the file. Stops it after everything that was set up later. */
export function useService(options: ServiceOptions = {}): TestService {
  const service = useMade('file', () => startService(options));
  afterAll(() => service.stop());
  return service;
}

export function useAccount(service: TestService, scope: Scope = 'test'): TestAccount {
  return useMade(scope, () => service.createAccount());
}

/** Creates a campaign with an affiliate and a link, as `program` does. */
export function useProgram(account: TestAccount, terms: Fields = {}, scope: Scope = 'test'): Program {
  return useMade(scope, () => program(account, terms));
}
