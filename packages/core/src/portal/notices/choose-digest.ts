import type { Db } from '../../platform/db/database.ts';
import type { Digest } from '../../platform/wire/states.ts';

/** Changes how often an affiliate gets digests. Does not change `updated_at`, because no API shows this choice. */
export async function chooseDigest(db: Db, affiliateId: string, digest: Digest): Promise<void> {
  await db.updateTable('affiliate').set({ digest }).where('id', '=', affiliateId).where('digest', '<>', digest).execute();
}
