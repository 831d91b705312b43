import { defineEntity, p } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import { instant, modeOfAccount, recordColumns, type Row } from '../../platform/db/columns.ts';

export const PayoutMethod = defineEntity({
  name: 'PayoutMethod',
  tableName: 'payout_method',
  properties: {
    ...recordColumns,
    ...modeOfAccount,
    affiliate_id: p.string(),
    kind: p.string(),
    /** The address in the form of its kind, as sealed JSON (`PayoutAddress`). Null once the affiliate was erased. */
    sealed_address: p.string().strictNullable(),
    /** The part of the address that names the account, and its fingerprint, by which equal accounts are found (`accountText`). */
    sealed_account: p.string().strictNullable(),
    account_hash: p.string().strictNullable(),
    /** Enough of the address for its owner to recognize it. */
    hint: p.string(),
    /** Incremented by every change of the address. */
    version: p.integer(),
    /** Time of the last change of the address. */
    since: instant(),
    /** Id of the caller who set the address. */
    set_by: p.string(),
    /** Time at which the method was removed. An affiliate has at most one method of a kind that is not removed. */
    retired_at: instant().strictNullable(),
  },
});

/** A way in which an affiliate is paid. Methods change under the lock of their affiliate. */
export type PayoutMethod = Row<typeof PayoutMethod>;

declare module '../../platform/db/tables.ts' {
  interface Tables {
    payout_method: InferKyselyTable<typeof PayoutMethod>;
  }
}
