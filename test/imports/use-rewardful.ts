import { beforeEach } from 'vitest';
import { type EventShop, useEventShop } from '../psp/event-shop.ts';
import { Mover } from './moving.ts';
import { RewardfulServer } from './rewardful-server/rewardful-server.ts';

/** A shop with Stripe that moves in from Rewardful. */
interface AtRewardful {
  mover: Mover;
  double: RewardfulServer;
}

/** Opens a new shop and a new account at Rewardful for each test of a file. */
export function useRewardful(): { shop: EventShop; at: AtRewardful } {
  const shop = useEventShop({ isLive: true, writesRows: true, restoresClock: true });
  const at = {} as AtRewardful;
  beforeEach(async () => {
    at.double = await new RewardfulServer().start();
    at.mover = new Mover(shop.service, shop.merchant);
    shop.service.services.imports = { apiBases: { rewardful: at.double.url }, pauseMs: 0 };
    return () => at.double.stop();
  });
  return { shop, at };
}
