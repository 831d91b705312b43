import type { WriteCtx } from '../../platform/call/context.ts';
import { lock } from '../../platform/call/records.ts';
import { saveMerchantData } from '../../platform/call/save-merchant-data.ts';
import { Sale } from './sale.entity.ts';
import { getListedSale } from './sale-list.queries.ts';
import type { ListedSale } from './sale-list.schema.ts';
import type { UpdateSale } from './sale.schema.ts';

/** Changes the metadata of a sale. Throws NOT_FOUND. */
export async function updateSale(ctx: WriteCtx, { id, metadata }: UpdateSale): Promise<ListedSale> {
  saveMerchantData(ctx, Sale, await lock(ctx, Sale, id), { metadata });
  return getListedSale(ctx, id);
}
