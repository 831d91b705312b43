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
