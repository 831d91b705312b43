import { foundOrThrow } from '../../platform/call/records.ts';
import type { AffiliateCtx } from '../access/affiliate-context.ts';
import type { AssetFile, PortalAssets } from './asset.schema.ts';
import { ASSET_COLUMNS } from './asset.service.ts';

/** Lists the files of the program, newest first. */
export async function listOwnAssets({ mine }: AffiliateCtx): Promise<PortalAssets> {
  return { data: await mine('asset').selectFrom('asset').select(ASSET_COLUMNS).orderBy('id', 'desc').execute() };
}

/** Returns a file of the program and the address of its content. Throws NOT_FOUND when the file does not exist or belongs to another account. */
export async function getOwnAsset({ mine, fileUrl }: AffiliateCtx, { id }: { id: string }): Promise<AssetFile> {
  const found = await mine('asset').selectFrom('asset').select(ASSET_COLUMNS).where('id', '=', id).executeTakeFirst();
  return { ...foundOrThrow(found, 'asset'), download_url: fileUrl({ kind: 'asset', id }) };
}
