import { Client } from 'pg';

/** Tables that stay small, or are read as a whole. */
const SMALL = new Set([
  'account',
  'auth_verification',
  'click_rollup_progress',
  'commission_count_change',
  'connection',
  'late_click_hour',
  'password_reset_request',
  'payout_rail',
  'setup_token',
  'sign_in_link',
  'tier_check',
  'webhook_endpoint',
]);

/** Statements that read much because they are rare: the deletion of an account, a person's data, erasure and its searches. */
const RARE = [
  /^delete from "?\w+"? where ctid = any/,
  /^select count\(\*\)::int as n from "\w+" where account_id/,
  /regexp_replace/,
  /ilike any/,
  /made_ids &&/,
  /^select to_jsonb\(part\)/,
];

/** Statements that this process has checked. */
const known = new Set<string>();

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Subplan Name'?: string;
  Plans?: Plan[];
}

/**
 * Asserts that each statement can find its rows by an index. PostgreSQL chooses a scan of a whole table only if no index helps, because it is told to
 * avoid them. One for a hashed subquery is allowed: PostgreSQL decides between it and an index by the number of rows.
 */
export async function assertIndexed(databaseUrl: string, texts: Iterable<string>): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('set enable_seqscan = off');
    const scans: string[] = [];
    for (const text of texts) {
      const words = text.trim().replaceAll(/\s+/g, ' ');
      if (known.has(words)) continue;
      known.add(words);
      if (!/^\(*(?:select|insert|update|delete|with)\b.* where /.test(words) || RARE.some((rare) => rare.test(words))) continue;
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (generic_plan, verbose, format json) ${text}`,
      );
      const [{ Plan: plan }] = rows[0]!['QUERY PLAN'];
      const hashed = new Set([...JSON.stringify(plan).matchAll(/hashed (SubPlan \d+)/g)].map(([, name]) => name));
      for (const table of scannedIn(plan, hashed)) if (!SMALL.has(table)) scans.push(`${table}: ${words}`);
    }
    if (scans.length > 0) throw new Error(`Statements that no index helps:\n${scans.join('\n')}`);
  } finally {
    await client.end();
  }
}

function scannedIn(plan: Plan, hashed: ReadonlySet<string | undefined>): string[] {
  if (hashed.has(plan['Subplan Name'])) return [];
  const own = plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name']!] : [];
  return [...own, ...(plan.Plans ?? []).flatMap((each) => scannedIn(each, hashed))];
}
