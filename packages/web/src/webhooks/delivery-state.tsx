import { Text } from '@mantine/core';
import type { Outputs } from '../api/client.ts';
import { Filled } from '../components/filled.tsx';
import { Moment } from '../components/moment.tsx';
import { StateBadge } from '../components/state-badge.tsx';
import { t } from '../texts/webhooks.ts';

const FAILURES: Readonly<Record<string, string>> = {
  connection_error: t.failedConnection,
  dns_error: t.failedDns,
  invalid_uri: t.failedInvalidUri,
  private_uri: t.failedPrivateUri,
  ssl_error: t.failedTls,
  timeout: t.failedTimeout,
};

/** Returns the error code of an attempt in words. */
export function failureText(errorCode: string): string {
  const [, status] = /^http_(\d+)$/.exec(errorCode) ?? [];
  return status === undefined ? (FAILURES[errorCode] ?? errorCode) : t.failedHttp({ status });
}

export type Delivery = Outputs['webhookDeliveries']['list']['data'][number];

/** A delivery whose next attempt is due within this time is polled. */
const SOON_MS = 10_000;
const POLL_MS = 1_000;

export function DeliveryState({ delivery }: { delivery: Delivery }) {
  const { status, next_attempt_at, retry_requested_at, response_status, error_code } = delivery;
  return (
    <div>
      <StateBadge state={status} />
      <Text size="sm" component="div">
        {retry_requested_at !== null && <div>{t.retrying}</div>}
        {error_code !== null ? (
          <div>{failureText(error_code)}</div>
        ) : (
          response_status !== null && <div>{t.http({ responseStatus: response_status })}</div>
        )}
        {next_attempt_at !== null && (
          <div>
            <Filled text={t.nextAttempt} values={{ at: <Moment at={next_attempt_at} /> }} />
          </div>
        )}
      </Text>
    </div>
  );
}

/** Returns the polling interval in milliseconds while an attempt is in progress or due soon, otherwise false. */
export function pollWhileUnderWay(deliveries: Delivery[] | undefined): number | false {
  return deliveries?.some(isUnderWay) ? POLL_MS : false;
}

function isUnderWay({ status, next_attempt_at, retry_requested_at }: Delivery): boolean {
  if (retry_requested_at !== null) return true;
  return status === 'pending' && next_attempt_at !== null && Date.parse(next_attempt_at) < Date.now() + SOON_MS;
}
