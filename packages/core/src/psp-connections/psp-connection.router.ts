import { operate, read, router, write } from '../trpc.ts';
import { ConnectPsp, GetPspConnection, PspConnectionRecord, RotateWebhookSecret } from './psp-connection.schema.ts';
import { connectPsp, disconnectPsp, getPspConnection, rotateWebhookSecret } from './psp-connection.service.ts';

/** Settings, Payment provider; not under /api/v1. */
export const pspConnectionRouter = router({
  get: read('psp')
    .input(GetPspConnection)
    .output(PspConnectionRecord)
    .query(({ ctx }) => getPspConnection(ctx)),

  connect: operate('psp')
    .input(ConnectPsp)
    .output(PspConnectionRecord)
    .mutation(({ ctx, input }) => connectPsp(ctx, input)),

  disconnect: write('psp', GetPspConnection)
    .output(PspConnectionRecord)
    .mutation(({ ctx }) => disconnectPsp(ctx)),

  rotateWebhookSecret: write('psp', RotateWebhookSecret)
    .output(PspConnectionRecord)
    .mutation(({ ctx, input }) => rotateWebhookSecret(ctx, input)),
});
