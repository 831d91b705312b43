import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { expect, it } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { HOST, OTHER, type PortalHosts } from './portal-hosts.ts';

const DOMAIN = 'affiliates.example.com';
const CADDYFILE = join(import.meta.dirname, '../../deploy/Caddyfile');

/**
 * Runs Caddy with the example's configuration in front of the service under test. Caddy issues its certificates itself, and calls only the service.
 */
class Caddy implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #directory: string;
  readonly ports: { http: number; https: number };

  private constructor(child: ChildProcess, directory: string, ports: { http: number; https: number }) {
    [this.#child, this.#directory, this.ports] = [child, directory, ports];
  }

  static async start(program: string, serviceUrl: string): Promise<Caddy> {
    const directory = mkdtempSync(join(tmpdir(), 'caddy-'));
    const ports = { http: await freePort(), https: await freePort() };
    const { host } = new URL(serviceUrl);
    const example = readFileSync(CADDYFILE, 'utf8').replaceAll(/\b(affiliate-)?rest(-\d)?:3000/g, host);
    const ownWorld = ['admin off', 'local_certs', 'skip_install_trust', `http_port ${ports.http}`, `https_port ${ports.https}`];
    const config = join(directory, 'Caddyfile');
    writeFileSync(config, example.replace('{\n', `{\n${ownWorld.map((line) => `\t${line}\n`).join('')}`));
    const child = spawn(program, ['run', '--config', config, '--adapter', 'caddyfile'], {
      env: { DOMAIN, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const caddy = new Caddy(child, directory, ports);
    const log: string[] = [];
    for await (const line of createInterface(child.stderr)) {
      log.push(line);
      if (line.includes('certificate obtained successfully')) break;
    }
    if (child.exitCode !== null) throw new Error(log.join('\n'));
    child.stderr.resume();
    return caddy;
  }

  /** Requests a path under a host name over TLS. Verifies the certificate, and returns the host names in it as `names`. */
  async secure(name: string, path: string): Promise<{ status: number; text: string; names: string }> {
    const ca = readFileSync(join(this.#directory, 'caddy/pki/authorities/local/root.crt'));
    const at = { host: '127.0.0.1', port: this.ports.https, servername: name, headers: { host: name, accept: 'text/html' } };
    const [response] = await once(httpsRequest({ ...at, path, ca, agent: false }).end(), 'response');
    const names = (response.socket as TLSSocket).getPeerCertificate().subjectaltname!;
    return { status: response.statusCode, text: await text(response), names };
  }

  async plain(name: string, path: string): Promise<{ status: number; location: string | undefined; text: string }> {
    const at = { host: '127.0.0.1', port: this.ports.http, headers: { host: name }, path, agent: false };
    const [response] = await once(httpRequest(at).end(), 'response');
    const { statusCode: status, headers } = response;
    return { status, location: headers.location, text: await text(response) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null) {
      this.#child.kill();
      await once(this.#child, 'exit');
    }
    rmSync(this.#directory, { recursive: true });
  }
}

/** Defines tests of the example proxy. They run the Caddy program whose path is in the environment variable CADDY. */
export function testProxy(at: () => PortalHosts): void {
  const program = process.env['CADDY'];
  it.runIf(program)('Caddy gets certificates only for verified hosts and the service’s own host', async () => {
    const { service, ask } = at();
    await using caddy = await Caddy.start(program!, service.url);
    for (const host of [HOST, OTHER]) {
      const portal = await caddy.secure(host, '/portal');
      expect(portal).toEqual({ status: 200, names: `DNS:${host}`, text: expect.stringContaining('lang="en">portal.html') });
      expect((await caddy.secure(host, '/metrics')).status).toBe(404);
      expect((await caddy.secure(host, '/sign-in')).status).toBe(404);
    }
    expect(await caddy.secure(DOMAIN, '/sign-in')).toMatchObject({ status: 200, names: `DNS:${DOMAIN}` });
    for (const name of ['unknown.example', `x.${HOST}`, `x.${DOMAIN}`])
      await expect(caddy.secure(name, '/portal')).rejects.toThrow(/alert|ECONNRESET|socket/);

    const path = `/.well-known/affiliate-portal/${'0'.repeat(32)}`;
    const proof = await ask('unknown.example', 'GET', path);
    expect(await caddy.plain('unknown.example', path)).toMatchObject({ status: 200, text: proof.text });
    for (const name of [HOST, DOMAIN])
      expect(await caddy.plain(name, '/portal?x=1')).toMatchObject({ status: 308, location: `https://${name}/portal?x=1` });
  });
}
