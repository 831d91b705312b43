import { statfs } from 'node:fs/promises';
import { checkEndpointUrl } from '@affiliate/core';
import { createHostResolver } from '@affiliate/worker/resolve-host';
import { type Configuration, publicUrl } from '../configuration.ts';
import { assertUsableDataDirectory } from '../data-directory.ts';
import { isNewer, readNewestVersion } from '../releases.ts';
import { type Finding, failed, ok, reasonOf, warning } from './findings.ts';

const SCARCE_BYTES = 1e9;
const TOO_FEW_BYTES = 1e8;
/** Addresses that webhooks must not reach: this machine, a private network, and the metadata service of clouds. */
const FORBIDDEN = ['http://127.0.0.1/', 'http://[::1]/', 'http://10.0.0.1/', 'http://169.254.169.254/latest/meta-data/'];

export function checkAddress(configuration: Configuration): Finding {
  const address = publicUrl(configuration);
  const { protocol, hostname } = new URL(address);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  if (protocol === 'https:' || isLocal) return ok('address', address);
  return warning(
    'address',
    `${address} does not use https`,
    'Set PUBLIC_URL to an https address. Otherwise, browsers do not keep people signed in.',
  );
}

/** Compares the running version with the version in the file that NEWEST_VERSION_FILE names. Returns no finding if NEWEST_VERSION_FILE is not set. */
export async function checkVersion({ NEWEST_VERSION_FILE: file }: Configuration, running: string): Promise<Finding[]> {
  if (file === undefined) return [];
  try {
    const newest = await readNewestVersion(file);
    if (!isNewer(newest, running)) return [ok('version', `${running} is the newest version`)];
    return [
      warning(
        'version',
        `version ${newest} is available; this installation runs ${running}`,
        'Read the changelog of the new version, then upgrade as docs/upgrades.md describes.',
      ),
    ];
  } catch (error) {
    const advice = 'Check NEWEST_VERSION_FILE and the program that writes this file. It must contain one version, e.g. 0.2.0.';
    return [warning('version', `the newest version could not be determined: ${reasonOf(error)}`, advice)];
  }
}

/** Checks that the mail server accepts a connection and the credentials. Sends no email. */
export async function checkMail({ SMTP_URL, MAIL_FROM = '' }: Configuration): Promise<Finding> {
  if (SMTP_URL === undefined) {
    return warning('mail', 'SMTP_URL is not set, so emails and their links appear in the log', 'Set SMTP_URL and MAIL_FROM.');
  }
  const { verifySmtp } = await import('../mail/smtp-mailer.ts');
  const { host } = new URL(SMTP_URL);
  try {
    await verifySmtp({ url: SMTP_URL, from: MAIL_FROM });
    return ok('mail', `${host} accepts the connection and the credentials`);
  } catch (error) {
    return failed(
      'mail',
      `${host} refuses the connection or the credentials: ${reasonOf(error)}`,
      'Check SMTP_URL: host, port, user and password. docs/troubleshooting.md explains refused certificates.',
    );
  }
}

/** Checks that webhooks are refused for forbidden addresses, and that the host name of the service can be resolved. */
export async function checkAddressGuard(configuration: Configuration): Promise<Finding[]> {
  const { WEBHOOK_ALLOWED_NETWORKS: allowed } = configuration;
  const resolve = createHostResolver();
  const checks = await Promise.all(FORBIDDEN.map((url) => checkEndpointUrl(url, { allowed, resolve })));
  const open = FORBIDDEN.filter((_, i) => checks[i]!.ok);
  const guard =
    open.length === 0
      ? ok('address guard', 'webhooks cannot reach this machine or private networks')
      : warning(
          'address guard',
          `WEBHOOK_ALLOWED_NETWORKS lets webhooks reach ${open.join(', ')}`,
          'Unset WEBHOOK_ALLOWED_NETWORKS in production.',
        );
  const { hostname } = new URL(publicUrl(configuration));
  if (/^[\d.]+$|^\[|^localhost$/.test(hostname)) return [guard];
  const names = await resolve(hostname).then(
    () => ok('name server', `this machine resolves ${hostname}`),
    (error: unknown) =>
      warning(
        'name server',
        `this machine cannot resolve ${hostname}: ${reasonOf(error)}`,
        'Check the name servers of this machine, and the host name in PUBLIC_URL.',
      ),
  );
  return [guard, names];
}

/** Checks DATA_DIR and its free space. Only the embedded database stores files there. Another database uses the disk of its own server. */
export async function checkDisk({ DATABASE_URL, DATA_DIR }: Configuration): Promise<Finding> {
  if (DATABASE_URL !== undefined) return ok('disk', 'this process stores no files; monitor the disk of the database server');
  try {
    await assertUsableDataDirectory(DATA_DIR);
  } catch (error) {
    return failed('disk', reasonOf(error), 'Set DATA_DIR to a directory that the service can write to.');
  }
  const { bavail, bsize } = await statfs(DATA_DIR);
  const free = bavail * bsize;
  const found = `${(free / 1e9).toFixed(1)} GB free for DATA_DIR`;
  if (free > SCARCE_BYTES) return ok('disk', found);
  const advice = 'Free some space: PostgreSQL stops when the disk is full.';
  return free > TOO_FEW_BYTES ? warning('disk', found, advice) : failed('disk', found, advice);
}
