import { createHmac } from 'node:crypto';
import pg from 'pg';
import { Pool } from 'undici';

const TAKEN_AT_ONCE = 500;
/** Maximum number of concurrent posts to one endpoint, the same as the worker's. */
const IN_FLIGHT = 8;

interface Delivery {
  id: string;
  body: string;
  url: string;
}

/**
 * Delivers as fast as possible, as a limit for comparison: takes 500 due deliveries at a time, signs and posts each, and records all 500 in
 * one statement while the next ones are posted. There are no retries, locks, address checks, time limits or fairness.
 *
 * @returns the number of recorded deliveries
 */
export async function rawAndBatch(databaseUrl: string, origin: string, isOver: () => boolean): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const pool = new Pool(origin, { connections: 64 });
  let recorded = 0;
  let recording: Promise<unknown> = Promise.resolve();
  let after = '';
  while (!isOver()) {
    const { rows } = await client.query<Delivery>({
      name: 'take',
      text: `select delivery.id, event.body, endpoint.url from webhook_delivery delivery
        join event on event.id = delivery.event_id join webhook_endpoint endpoint on endpoint.id = delivery.endpoint_id
        where delivery.id > $1 and delivery.next_attempt_at is not null and endpoint.url not like '%/hung' order by delivery.id limit $2`,
      values: [after, TAKEN_AT_ONCE],
    });
    if (rows.length === 0) break;
    after = rows.at(-1)!.id;
    const queue = rows.values();
    const outcomes: object[] = [];
    const sender = async () => {
      for (const { id, body, url } of queue) {
        const startedAt = new Date();
        const timestamp = Math.floor(startedAt.getTime() / 1_000);
        const signature = createHmac('sha256', 'secret').update(`${id}.${timestamp}.${body}`).digest('base64');
        const headers = {
          'content-type': 'application/json',
          'hook-id': id,
          'hook-timestamp': String(timestamp),
          'hook-signature': signature,
        };
        const response = await pool.request({ method: 'POST', path: new URL(url).pathname, headers, body });
        const excerpt = await response.body.text();
        outcomes.push({
          id,
          started_at: startedAt,
          status: response.statusCode,
          request_headers: headers,
          response_headers: response.headers,
          excerpt,
        });
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT * 8 }, sender));
    await recording;
    recording = client.query(RECORD, [JSON.stringify(outcomes)]).then(() => (recorded += outcomes.length));
  }
  await recording;
  await pool.close();
  await client.end();
  return recorded;
}

const RECORD = `
  with result as materialized (
    select * from json_to_recordset($1::json) as result (id text, started_at timestamptz, status int, request_headers jsonb, response_headers jsonb, excerpt text)
  ), recorded as (
    insert into webhook_attempt (id, delivery_id, attempt, trigger, started_at, duration_ms, request_headers, response_status, response_headers, response_excerpt)
    select new_id('att', now()), id, 1, 'schedule', started_at, 1, request_headers, status, response_headers, excerpt from result
  )
  update webhook_delivery delivery set attempts = 1, schedule_step = 1, next_attempt_at = null, status = 'succeeded', completed_at = now()
  from result where delivery.id = result.id`;
