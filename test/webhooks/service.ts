import { appRouter, createCallerFactory, type EventSubscription, type PermissionMap } from '@affiliate/core';
import type { Worker, WorkerOptions } from '@affiliate/worker';
import { afterAll } from 'vitest';
import { HookReceiver, type Reply } from '../support/hook-receiver.ts';
import { type Outputs, startService, type TestAccount, type TestService } from '../support/service.ts';
import { useMade } from '../support/suite.ts';

const createCaller = createCallerFactory(appRouter);

type Endpoint = Outputs['webhookEndpoints']['create'];
export type Delivery = Outputs['webhookDeliveries']['get'];

/** The service with a worker, and merchants who subscribe to events. */
export interface WebhookTestService extends TestService {
  worker: Worker;
  createMerchant(): Promise<Merchant>;
}

export interface Merchant extends TestAccount {
  /** Calls procedures in this process, by default with all permissions. */
  call(permissions?: PermissionMap): ReturnType<typeof createCaller>;
  /** Starts a receiver and creates an endpoint for it. */
  subscribe(reply?: Reply, eventTypes?: EventSubscription[]): Promise<Subscription>;
  /** Creates an affiliate in a state that causes only the event `affiliate.created`, without `affiliate.approved`. Returns the affiliate's id. */
  createAffiliate(): Promise<string>;
  /** Returns an endpoint's deliveries, oldest first, with their attempts. */
  deliveries(endpointId: string): Promise<Delivery[]>;
}

export interface Subscription extends AsyncDisposable {
  endpoint: Endpoint;
  receiver: HookReceiver;
}

export async function startWebhookService(
  worker: Omit<WorkerOptions, 'databaseUrl' | 'queue'> = {},
): Promise<WebhookTestService> {
  const service = await startService({ worker });
  return {
    ...service,
    worker: service.worker!,
    createMerchant: async () => newMerchant(service, await service.createAccount()),
  };
}

/** Starts a service for the file, with a merchant. */
export function useWebhookMerchant(): { service: WebhookTestService; merchant: Merchant } {
  const service = useMade('file', startWebhookService);
  afterAll(() => service.stop());
  return { service, merchant: useMade('file', () => service.createMerchant()) };
}

async function newMerchant({ services }: TestService, account: TestAccount): Promise<Merchant> {
  const call: Merchant['call'] = (permissions = { all: true }) =>
    createCaller({
      services,
      requestId: 'test',
      principal: { kind: 'api_key', id: 'key_test', account_id: account.id, permissions },
      surface: 'v1',
      reply: {},
    });
  const campaign = await call().campaigns.create({
    name: 'Friends',
    url: 'https://shop.example.com',
    reward_type: 'percent',
    commission_percent: 10,
    default: true,
  });
  return {
    ...account,
    call,
    subscribe: async (reply, eventTypes = ['affiliate.created']) => {
      const receiver = await HookReceiver.start(reply);
      const endpoint = await call().webhookEndpoints.create({ name: 'Receiver', url: receiver.url, event_types: eventTypes });
      return { endpoint, receiver, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() };
    },
    createAffiliate: async () => {
      const email = `affiliate-${crypto.randomUUID()}@example.com`;
      const affiliate = await call().affiliates.create({ email, campaign_id: campaign.id, state: 'pending' });
      return affiliate.id;
    },
    deliveries: async (endpointId) => {
      const { data } = await call().webhookDeliveries.list({ endpoint_id: endpointId, limit: 100 });
      return Promise.all(data.toReversed().map(({ id }) => call().webhookDeliveries.get({ id })));
    },
  };
}
