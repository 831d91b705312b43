import { createClickPartition } from '@affiliate/core';
import type { PgClient } from '@affiliate/postgres';
import type { CopiedTable } from './table-copies.ts';

/** Table into which the clicks of a backup are loaded before they are moved to the partitions of their days. */
const STAGING = 'restored_click';

/** Creates the table into which clicks are loaded, without indexes. */
export async function stageClicks(client: PgClient, clicks: CopiedTable): Promise<CopiedTable> {
  await client.query(`create unlogged table ${STAGING} (like click)`);
  return { ...clicks, name: STAGING };
}

/**
 * Moves the loaded clicks into one partition per day. Otherwise all clicks would be in the default partition, and a worker would have to read
 * that partition twice for each day while visitors wait. Each day has its own transaction, because one transaction for all days would lock more
 * partitions than the server may allow.
 */
export async function divideClicks(client: PgClient, { columns }: CopiedTable): Promise<void> {
  const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  await client.query(`create index on ${STAGING} (day)`);
  const { rows } = await client.query<{ day: string }>(`select distinct day::text from ${STAGING} order by 1`);
  for (const { day } of rows) {
    await client.query('begin');
    await client.query(createClickPartition(day));
    await client.query(`insert into click (${names}) select ${names} from ${STAGING} where day = $1`, [day]);
    await client.query('commit');
  }
  await client.query(`drop table ${STAGING}`);
}
