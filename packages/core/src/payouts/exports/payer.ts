import type { Ctx } from '../../platform/call/context.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import type { Credentials } from '../port/rail.ts';
import { accessTo, getPayer } from '../rails/open-rail.ts';
import { methodOf } from './export-file.ts';
import { type ExportFormat, kindOfFormat } from './export-formats.schema.ts';

type Needed = Pick<Ctx, 'db' | 'accountId' | 'services'>;

/** Returns the account from which files of a format are paid now, or null if they name none. Throws VALIDATION_ERROR if it is not connected. */
export async function payerNow(ctx: Needed, format: ExportFormat): Promise<Credentials | null> {
  const rail = await getPayer(ctx, methodOf(format), ownMode(ctx.accountId), 'export_format');
  return rail && accessTo(ctx.services, rail).credentials;
}

/** Returns the account from which the file of an export is paid: the one at its creation, unless the file is made in another format. */
export async function payerOf(
  ctx: Needed,
  { method, sealed_payer }: PayoutBatch,
  format: ExportFormat,
): Promise<Credentials | null> {
  if (method !== kindOfFormat(format)) return payerNow(ctx, format);
  return sealed_payer === null ? null : (JSON.parse(ctx.services.secrets.open(sealed_payer)) as Credentials);
}
