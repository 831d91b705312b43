import { appRouter, createCallerFactory, type PermissionMap, StripeGateway } from '@affiliate/core';
import { PspServer, type TestAccount as PspAccount } from '../support/psp-server/index.ts';
import { startService, type TestAccount, type TestService } from '../support/service.ts';

const createCaller = createCallerFactory(appRouter);

/** How long the service waits for the provider in these tests, in milliseconds. */
export const PSP_TIMEOUT_MS = 300;

/** The service, with a payment provider of its own to talk to. */
export interface PspTestService extends TestService {
  psp: PspServer;
  createMerchant(): Promise<Merchant>;
}

/** One account of the service, with its account at the provider; not connected yet. */
export interface Merchant extends TestAccount {
  psp: PspAccount;
  webhookSecret: string;
  /** The procedures, called with all permissions unless others are given. */
  call(permissions?: PermissionMap): ReturnType<typeof createCaller>;
  connect(): Promise<void>;
}

export async function startPspService(): Promise<PspTestService> {
  const psp = await PspServer.start();
  const service = await startService({ psp: new StripeGateway({ apiBase: psp.url, timeoutMs: PSP_TIMEOUT_MS }) });
  return {
    ...service,
    psp,
    createMerchant: async () => newMerchant(service, psp, await service.createAccount()),
    stop: async () => {
      await service.stop();
      await psp[Symbol.asyncDispose]();
    },
  };
}

function newMerchant({ services }: TestService, psp: PspServer, account: TestAccount): Merchant {
  const pspAccount = psp.addAccount();
  const webhookSecret = `whsec_${crypto.randomUUID()}`;
  const call: Merchant['call'] = (permissions = { all: true }) =>
    createCaller({
      services,
      requestId: 'test',
      principal: { kind: 'api_key', id: 'key_test', account_id: account.id, permissions },
      surface: 'v1',
      reply: {},
    });
  return {
    ...account,
    psp: pspAccount,
    webhookSecret,
    call,
    connect: async () => {
      await call().pspConnection.connect({ secret_key: pspAccount.secretKey, webhook_secret: webhookSecret });
    },
  };
}

/** The error of a call that must fail. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error('did not fail');
    },
    (error: unknown) => error,
  );
}
