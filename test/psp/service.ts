import {
  type ErrorEnvelope,
  appRouter,
  createCallerFactory,
  issueApiKey,
  type PermissionMap,
  toEnvelope,
  createSources,
} from '@affiliate/core';
import { afterAll } from 'vitest';
import { Api } from '../support/http.ts';
import { PspServer, type TestAccount as PspAccount } from '../support/psp-server/index.ts';
import { credentials, type ServiceOptions, startService, type TestService } from '../support/service.ts';
import { useMade } from '../support/suite.ts';

const createCaller = createCallerFactory(appRouter);

/** Time-out in milliseconds for the service's calls to the provider. Long enough on a busy machine, unless the file itself keeps it busy. */
const PSP_TIMEOUT_MS = 1_500;

/** The service, with a payment provider for its tests. */
export interface PspTestService extends TestService {
  psp: PspServer;
  /** Creates an account with an account at the provider, which is in test mode by default. */
  createMerchant(mode?: 'live' | 'test'): Promise<Merchant>;
}

/**
 * A merchant's account in the service, and the merchant's account at the provider. The two are not connected yet. The account in the service has no
 * members, because hashing passwords takes time.
 */
export interface Merchant {
  id: string;
  apiKey: string;
  /** A client with a key that has all permissions. */
  api: Api;
  apiWith(permissions: PermissionMap): Promise<Api>;
  psp: PspAccount;
  webhookSecret: string;
  /** Calls procedures in this process, by default with all permissions. */
  call(permissions?: PermissionMap): ReturnType<typeof createCaller>;
  connect(): Promise<void>;
}

export async function startPspService({
  pspTimeoutMs = PSP_TIMEOUT_MS,
  ...options
}: Omit<ServiceOptions, 'sources'> & { pspTimeoutMs?: number } = {}): Promise<PspTestService> {
  const psp = await PspServer.start();
  const service = await startService({ ...options, sources: createSources({ apiBase: psp.url, timeoutMs: pspTimeoutMs }) });
  return {
    ...service,
    psp,
    createMerchant: (mode = 'test') => newMerchant(service, psp, mode),
    stop: async () => {
      await service.stop();
      await psp[Symbol.asyncDispose]();
    },
  };
}

/** Starts a service with a payment provider for the file, as `useService` does. */
export function usePspService(options: Omit<ServiceOptions, 'sources'> = {}): PspTestService {
  const service = useMade('file', () => startPspService(options));
  afterAll(() => service.stop());
  return service;
}

async function newMerchant({ services, url, clock }: TestService, psp: PspServer, mode: 'live' | 'test'): Promise<Merchant> {
  const id = `acct_${crypto.randomUUID()}`;
  const at = clock.instant();
  const row = { id, name: 'Shop', slug: id, currency: 'USD', code_before_link: false, created_at: at, updated_at: at };
  await services.database.kysely.insertInto('account').values(row).execute();
  const newKey = async (permissions: PermissionMap) =>
    (await issueApiKey(services, { accountId: id, name: 'Test', permissions })).api_key;
  const apiKey = await newKey({ all: true });
  const pspAccount = psp.addAccount(mode);
  const webhookSecret = `whsec_${crypto.randomUUID()}`;
  const call: Merchant['call'] = (permissions = { all: true }) =>
    createCaller({
      services,
      requestId: 'test',
      principal: { kind: 'api_key', id: 'key_test', account_id: id, permissions },
      surface: 'v1',
      reply: {},
    });
  const merchant: Merchant = {
    id,
    apiKey,
    api: new Api(url, credentials(id, apiKey)),
    apiWith: async (permissions) => new Api(url, credentials(id, await newKey(permissions))),
    psp: pspAccount,
    webhookSecret,
    call,
    connect: async () => {
      await call().pspConnection.connect({ secret_key: merchant.psp.secretKey, webhook_secret: webhookSecret });
    },
  };
  return merchant;
}

/** Returns the error body of a call that must fail. */
export async function errorOf(promise: Promise<unknown>): Promise<ErrorEnvelope> {
  return promise.then(
    () => {
      throw new Error('The call must fail, but succeeded.');
    },
    (error: unknown) => toEnvelope(error).body,
  );
}
