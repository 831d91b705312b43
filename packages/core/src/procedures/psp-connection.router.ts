import { EventActivity, getEventActivity } from '../intake/provider-events/event-activity.queries.ts';
import { resumeKeptEvents } from '../intake/provider-events/kept-events.ts';
import { getLastEvents, LastEvents } from '../intake/provider-events/last-event.queries.ts';
import { operate, read, router, write } from '../platform/trpc/trpc.ts';
import { getEndpointStatus } from '../sources/connections/endpoint.service.ts';
import {
  ConnectPsp,
  EndpointStatus,
  GetPspConnection,
  PspConnectionRecord,
  RepairEndpoint,
  RotateWebhookSecret,
  UpdatePspConnection,
} from '../sources/connections/psp-connection.schema.ts';
import {
  connectPsp,
  disconnectPsp,
  getPspConnection,
  repairPspEndpoint,
  rotateWebhookSecret,
  updatePspConnection,
} from '../sources/connections/psp-connection.service.ts';

/** Procedures of the page Settings > Stripe. Not part of the REST API. */
export const pspConnectionRouter = router({
  get: read('psp')
    .input(GetPspConnection)
    .output(PspConnectionRecord)
    .query(({ ctx }) => getPspConnection(ctx)),

  lastEvents: read('psp')
    .input(GetPspConnection)
    .output(LastEvents)
    .query(({ ctx }) => getLastEvents(ctx)),

  connect: operate('psp', ConnectPsp)
    .output(PspConnectionRecord)
    .mutation(async ({ ctx, input }) => {
      const connection = await connectPsp(ctx, input);
      if (!ctx.preview) await resumeKeptEvents(ctx);
      return connection;
    }),

  activity: read('psp')
    .input(GetPspConnection)
    .output(EventActivity)
    .query(({ ctx }) => getEventActivity(ctx)),

  endpoint: read('psp')
    .input(GetPspConnection)
    .output(EndpointStatus)
    .query(({ ctx }) => getEndpointStatus(ctx)),

  repairEndpoint: operate('psp', RepairEndpoint)
    .output(EndpointStatus)
    .mutation(({ ctx }) => repairPspEndpoint(ctx)),

  update: operate('psp', UpdatePspConnection)
    .output(PspConnectionRecord)
    .mutation(async ({ ctx, input }) => {
      const connection = await updatePspConnection(ctx, input);
      if (!ctx.preview) await resumeKeptEvents(ctx);
      return connection;
    }),

  disconnect: write('psp', GetPspConnection)
    .output(PspConnectionRecord)
    .mutation(({ ctx }) => disconnectPsp(ctx)),

  rotateWebhookSecret: write('psp', RotateWebhookSecret)
    .output(PspConnectionRecord)
    .mutation(({ ctx, input }) => rotateWebhookSecret(ctx, input)),
});
