import type { Ctx } from '../../platform/call/context.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { ownMode } from '../../sources/connections/own-mode.ts';
import type { PayoutBatch } from '../batches/payout-batch.entity.ts';
import type { Credentials } from '../method/rail.ts';
import { PAYOUT_REASONS } from '../method/reasons.ts';
import { accessTo, findRailFor } from '../rails/open-rail.ts';
import { methodOf } from './export-file.ts';
import { type ExportFormat, kindOfFormat } from './export-formats.schema.ts';

type Needed = Pick<Ctx, 'db' | 'accountId' | 'services'>;

/** Returns the account from which files of a format are paid now, or null if they name none. Throws VALIDATION_ERROR if it is not connected. */
export async function getPayer(ctx: Needed, format: ExportFormat): Promise<Credentials | null> {
  const { accounts } = methodOf(format);
  if (!accounts) return null;
  const rail = await findRailFor(ctx, kindOfFormat(format), ownMode(ctx.accountId));
  if (rail !== null) return accessTo(ctx.services, rail).credentials;
  throw invalid('export_format', PAYOUT_REASONS.payer_account_missing({ rail: accounts.name }), 'not_connected');
}

/** Returns the account from which the file of an export is paid: the one at its creation, unless the file is made in another format. */
export async function payerOf(
  ctx: Needed,
  { method, sealed_payer }: PayoutBatch,
  format: ExportFormat,
): Promise<Credentials | null> {
  if (method !== kindOfFormat(format)) return getPayer(ctx, format);
  return sealed_payer === null ? null : (JSON.parse(ctx.services.secrets.open(sealed_payer)) as Credentials);
}
