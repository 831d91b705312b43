import { apiKeysRouter } from './api-keys/api-key.router.ts';
import { campaignsRouter } from './campaigns/campaign.router.ts';
import { pspConnectionRouter } from './psp-connections/psp-connection.router.ts';
import { router } from './trpc.ts';

/** Every operation of the service. */
export const appRouter = router({
  apiKeys: apiKeysRouter,
  campaigns: campaignsRouter,
  pspConnection: pspConnectionRouter,
});
export type AppRouter = typeof appRouter;
