import { getEventActivity, getLastEvents } from '../intake/provider-events/event-activity.queries.ts';
import { EventActivity, LastEvents } from '../intake/provider-events/event-activity.schema.ts';
import { resumeKeptEvents } from '../intake/provider-events/psp-event.ts';
import {
  StartedTestPurchase,
  StartTestPurchase,
  TestPurchase,
  TestPurchaseId,
} from '../intake/test-purchases/test-purchase.schema.ts';
import { getTestPurchase, startTestPurchase } from '../intake/test-purchases/test-purchase.service.ts';
import { onceResumable } from '../platform/idempotency/idempotency.ts';
import { rest } from '../platform/trpc/rest-route.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { PSP } from '../platform/wire/psp-name.ts';
import { GetPspCatalog, getPspCatalog, PspCatalog } from '../sources/catalog/psp-catalog.ts';
import {
  ConnectPsp,
  connectPsp,
  disconnectPsp,
  EndpointStatus,
  getEndpointStatus,
  getPspConnection,
  GetPspConnection,
  PspConnectionRecord,
  RepairEndpoint,
  repairPspEndpoint,
  RotateWebhookSecret,
  rotateWebhookSecret,
  UpdatePspConnection,
  updatePspConnection,
} from '../sources/psp-wire.ts';

const PROVIDER_ERRORS = ['PSP_NOT_CONNECTED', 'PSP_ERROR'] as const;

/** Procedures of the page Settings > payment provider (docs/rules/sources.md#provider-connection). */
export const pspConnectionRouter = router({
  get: rest(read('psp'), 'GET /api/settings/v1/psp_connection', {
    summary: `Retrieve the connection to ${PSP}`,
    description: 'Returns the connection, without its secrets. `connected` is false if there is none.',
  })
    .input(GetPspConnection)
    .output(PspConnectionRecord)
    .query(({ ctx }) => getPspConnection(ctx)),

  lastEvents: rest(read('psp'), 'GET /api/settings/v1/psp_connection/last_events', {
    summary: `Retrieve the last events from ${PSP}`,
    description: `Returns when the account last received an event from ${PSP}, in live and in test mode.`,
  })
    .input(GetPspConnection)
    .output(LastEvents)
    .query(({ ctx }) => getLastEvents(ctx)),

  catalog: rest(read('campaigns'), 'GET /api/settings/v1/psp_connection/catalog', {
    summary: 'List products and prices',
    description:
      'Returns the products and prices at all connected payment providers, to choose them by name in reward rules. They are at most a minute old. Empty if no provider is connected.',
  })
    .input(GetPspCatalog)
    .output(PspCatalog)
    .query(({ ctx }) => getPspCatalog(ctx)),

  connect: rest(operate('psp', ConnectPsp), 'PUT /api/settings/v1/psp_connection', {
    summary: `Connect the account to ${PSP}`,
    description: `Checks the key with ${PSP}, stores it encrypted, and replaces an earlier connection. Without \`webhook_secret\`, the service creates the webhook endpoint in ${PSP}. Events that arrived before are handled now.`,
    errors: ['PSP_ERROR'],
  })
    .output(PspConnectionRecord)
    .mutation(({ ctx, input }) =>
      // Connecting again gives the same connection, so nothing has to commit together with the response.
      onceResumable(ctx, ctx.request, async () => {
        const connection = await connectPsp(ctx, input);
        if (!ctx.preview) await resumeKeptEvents(ctx);
        return connection;
      }),
    ),

  activity: rest(read('psp'), 'GET /api/settings/v1/psp_connection/activity', {
    summary: 'Retrieve the activity of the connection',
    description: `Returns what the service made of recent events from ${PSP}, and which of them it could not handle.`,
  })
    .input(GetPspConnection)
    .output(EventActivity)
    .query(({ ctx }) => getEventActivity(ctx)),

  endpoint: rest(read('psp'), 'GET /api/settings/v1/psp_connection/endpoint', {
    summary: `Retrieve the webhook endpoint in ${PSP}`,
    description: `Asks ${PSP} for the endpoint that sends events to this service, and for the permissions that the key lacks.`,
    errors: PROVIDER_ERRORS,
  })
    .input(GetPspConnection)
    .output(EndpointStatus)
    .query(({ ctx }) => getEndpointStatus(ctx)),

  repairEndpoint: rest(operate('psp', RepairEndpoint), 'POST /api/settings/v1/psp_connection/repair_endpoint', {
    summary: `Repair the webhook endpoint in ${PSP}`,
    description: 'Creates the endpoint again, enables it, or subscribes it to the missing event types.',
    errors: PROVIDER_ERRORS,
  })
    .output(EndpointStatus)
    .mutation(({ ctx }) => onceResumable(ctx, ctx.request, () => repairPspEndpoint(ctx))),

  startTestPurchase: rest(operate('psp', StartTestPurchase), 'POST /api/settings/v1/psp_connection/test_purchases', {
    summary: 'Start a test purchase',
    description: `Opens a checkout in the test mode of ${PSP} that names the newest link that can earn. Pay there with a test card, e.g. 4242 4242 4242 4242. Needs a key of test mode with the permission Checkout Sessions (write). After a lost answer (409 \`OPERATION_PENDING\`), the same request gives the same checkout.`,
    status: 201,
    errors: PROVIDER_ERRORS,
  })
    .output(StartedTestPurchase)
    .mutation(({ ctx }) => onceResumable(ctx, ctx.request, () => startTestPurchase(ctx))),

  testPurchase: rest(read('psp', 'sales', 'commissions'), 'GET /api/settings/v1/psp_connection/test_purchases/{id}', {
    summary: 'Retrieve a test purchase',
    description: 'Returns how far a test purchase has come: its checkout, its payment, and the commission.',
  })
    .input(TestPurchaseId)
    .output(TestPurchase)
    .query(({ ctx, input }) => getTestPurchase(ctx, input.id)),

  update: rest(operate('psp', UpdatePspConnection), 'PATCH /api/settings/v1/psp_connection', {
    summary: 'Update the settings of the connection',
    description: 'Updates the given fields. The secret key does not change.',
    errors: PROVIDER_ERRORS,
  })
    .output(PspConnectionRecord)
    .mutation(({ ctx, input }) =>
      onceResumable(ctx, ctx.request, async () => {
        const connection = await updatePspConnection(ctx, input);
        if (!ctx.preview) await resumeKeptEvents(ctx);
        return connection;
      }),
    ),

  disconnect: rest(write('psp', GetPspConnection), 'DELETE /api/settings/v1/psp_connection', {
    summary: `Disconnect the account from ${PSP}`,
    description:
      'Deletes the stored secrets. Recorded sales and commissions stay. The settings are kept for the next connection.',
    status: 204,
  })
    .output(PspConnectionRecord)
    .mutation(({ ctx }) => disconnectPsp(ctx)),

  rotateWebhookSecret: rest(write('psp', RotateWebhookSecret), 'POST /api/settings/v1/psp_connection/rotate_webhook_secret', {
    summary: 'Replace the signing secret of the connection',
    description: 'For 24 hours, events that are signed with the previous secret are also accepted.',
    errors: ['PSP_NOT_CONNECTED'],
  })
    .output(PspConnectionRecord)
    .mutation(({ ctx, input }) => rotateWebhookSecret(ctx, input)),
});
