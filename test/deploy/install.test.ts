/**
 * Follows docs/install.md on a bare Debian, command by command. Runs with `npx -y pnpm@12 test:deploy`, which needs root, the packages debootstrap and
 * util-linux, and the registries of Debian and npm. The machine has no public name, so a script takes the place of certbot, and a program in the machine
 * takes the place of the mail server.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ROOT, commandsOf } from '../readme/manuals.ts';
import { Debian, obstacleToDebian } from './debian.ts';

const MINUTE_MS = 60_000;
const MAILS = '/var/log/mails';
const NAME = 'affiliates.example.com';

const CERTBOT = `#!/bin/bash
while [ $# -gt 0 ]; do
  case $1 in --domain) name=$2 ;; --webroot-path) root=$2 ;; esac
  shift
done
directory=/etc/letsencrypt/live/$name
mkdir -p $directory $root/.well-known/acme-challenge
echo proof > $root/.well-known/acme-challenge/token
curl -sf http://localhost/.well-known/acme-challenge/token
cp /root/certificate.pem $directory/fullchain.pem
cp /root/key.pem $directory/privkey.pem
`;

const MAIL_SERVER = `import { SMTPServer } from 'smtp-server';
import { appendFileSync, readFileSync } from 'node:fs';
const options = {
  key: readFileSync('/root/key.pem'),
  cert: readFileSync('/root/certificate.pem'),
  onAuth: ({ username, password }, _session, done) => done(password === 'the password' ? null : new Error('refused'), { user: username }),
  onData: (stream, _session, done) => {
    stream.on('data', (chunk) => appendFileSync('${MAILS}', chunk));
    stream.on('end', done);
  },
};
new SMTPServer(options).listen(2525, '127.0.0.1');
`;

/** Makes the certificate of the mail server and the proxy, which the machine trusts, and starts the mail server with a package of the sources. */
const SURROUNDINGS = `echo '127.0.0.1 ${NAME}' >> /etc/hosts
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj '/CN=${NAME}' -addext 'subjectAltName=DNS:${NAME},DNS:localhost' \\
  -keyout /root/key.pem -out /root/certificate.pem
cp /root/certificate.pem /usr/local/share/ca-certificates/tests.crt
update-ca-certificates
cp /root/mail-server.mjs /usr/src/affiliate/
systemd-run --quiet --unit mail-server --working-directory /usr/src/affiliate node mail-server.mjs`;

const obstacle = process.env['DEPLOY'] === 'on' ? obstacleToDebian() : 'runs with test:deploy';
if (process.env['DEPLOY'] === 'on' && obstacle !== null) process.stderr.write(`\nSKIPPED: docs/install.md: ${obstacle}.\n`);

describe.skipIf(obstacle !== null)('an installation by docs/install.md', () => {
  let debian: Debian;
  /** Commands of the page. The first block sets the variables that the others use. */
  const [variables = '', packages = '', build = '', ...others] = commandsOf('docs/install.md');
  const own = variables
    .replace(/^SMTP_HOST=.*$/m, 'SMTP_HOST=localhost SMTP_PORT=2525')
    .replace(/^SOURCES=.*$/m, 'SOURCES=/srv/affiliate.git');

  beforeAll(async () => {
    debian = await Debian.install('trixie');
    execFileSync('git', ['clone', '--quiet', '--bare', ROOT, join(debian.tree, 'srv/affiliate.git')]);
    writeFileSync(join(debian.tree, 'root/mail-server.mjs'), MAIL_SERVER);
  }, 10 * MINUTE_MS);
  afterAll(async () => {
    await debian?.[Symbol.asyncDispose]();
  }, 5 * MINUTE_MS);

  it('ends with a doctor who finds nothing', { timeout: 30 * MINUTE_MS }, async () => {
    const start = performance.now();
    await debian.run(`${own}\n${packages}\n${build}`, { isOnline: true });
    writeFileSync(join(debian.tree, 'usr/local/bin/certbot'), CERTBOT, { mode: 0o755 });
    await debian.run(SURROUNDINGS);
    const rest = others
      .join('\n')
      // The command asks a person for the password.
      .replace(/^affiliate account create .*$/m, `$& <<< 'correct horse battery'`)
      // Debian's Node does not use the authorities of the machine.
      .replace(/^MAIL_FROM=/m, 'NODE_OPTIONS=--use-system-ca\n$&')
      // This machine has no name server.
      .replace(/^affiliate doctor$/m, 'affiliate doctor || true');
    const { output } = await debian.run(`${own}\n${rest}`);
    process.stdout.write(`docs/install.md: ${Math.round((performance.now() - start) / 1_000)} s\n`);
    const findings = [...output.matchAll(/^(warning|failed) +([^:\n]+):/gm)].map(([, , check]) => check);
    expect(findings).toEqual(['name server']);
    expect(output).toMatch(/^ok +database: .*TLSv1\.3/m);
    expect(output).toMatch(/^ok +backup: the last backup ended/m);
  });

  it('sends an email when the worker stops', { timeout: 8 * MINUTE_MS }, async () => {
    await debian.run('systemctl stop affiliate-worker');
    const mails = () => readFileSync(join(debian.tree, MAILS), { encoding: 'utf8', flag: 'a+' });
    await vi.waitUntil(() => mails().includes('AffiliateDown'), { timeout: 5 * MINUTE_MS, interval: 1_000 });
    expect(mails()).toContain('To: you@example.com');
    await debian.run('systemctl start affiliate-worker');
  });

  it('finds a worker that hangs in 15 s, and restarts it', { timeout: 4 * MINUTE_MS }, async () => {
    const pid = async () => (await debian.run('systemctl show --property MainPID --value affiliate-worker')).output.trim();
    const hanging = await pid();
    const start = performance.now();
    await debian.run(`kill -STOP ${hanging}`);
    while (!(await debian.run('affiliate doctor', { mayFail: true })).output.includes('no heartbeat for 10 seconds'))
      await setTimeout(500);
    expect(performance.now() - start).toBeLessThan(15_000);
    while ((await pid()) === hanging) await setTimeout(500);
    process.stdout.write(`a worker that hangs was restarted after ${Math.round((performance.now() - start) / 1_000)} s\n`);
    await debian.run('until [ "$(systemctl is-active affiliate-worker)" = active ]; do sleep 0.5; done');
  });
});
