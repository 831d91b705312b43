import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { parseAllowedNetworks } from '@affiliate/core';
import { EndpointConnections, postWebhook } from '@affiliate/worker';
import { describe, expect, it } from 'vitest';
import { type Answer, closed, respond, startReceiver } from '../support/webhook-receiver.ts';
import { loopbackTransport, postTo } from '../support/webhook-transport.ts';

describe('address pinning', () => {
  it('resolves once and connects to the address that was checked', async () => {
    await using checked = await startReceiver(respond(200));
    await using other = await startReceiver(respond(200), { host: '127.0.0.2', port: checked.port });
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    let asked = 0;
    const resolve = async () => answers[asked++] ?? [];
    const exchange = await postWebhook(postTo(`http://rebinding.test:${checked.port}/`), loopbackTransport({ resolve }));
    expect(exchange.errorCode).toBeUndefined();
    expect(asked).toBe(1);
    expect(checked.requests[0]).toContain(`\r\nhost: rebinding.test:${checked.port}\r\n`);
    expect(other.sockets).toHaveLength(0);
  });

  it('checks the new addresses of a name whose connection is still open', async () => {
    await using receiver = await startReceiver(respond(200));
    const answers = [['127.0.0.1'], ['127.0.0.1', '10.0.0.1']];
    const transport = loopbackTransport({ resolve: async () => answers.shift()! });
    const post = postTo(`http://rebinding.test:${receiver.port}/`);
    expect((await postWebhook(post, transport)).errorCode).toBeUndefined();
    expect((await postWebhook(post, transport)).errorCode).toBe('private_uri');
    expect(receiver.requests).toHaveLength(1);
  });

  it('does not reuse a connection to an address the name no longer has', async () => {
    await using before = await startReceiver(respond(200));
    await using after = await startReceiver(respond(200), { host: '127.0.0.2', port: before.port });
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const transport = loopbackTransport({ resolve: async () => answers.shift()! });
    const post = postTo(`http://moving.test:${before.port}/`);
    await postWebhook(post, transport);
    await postWebhook(post, transport);
    expect([before.requests.length, after.requests.length]).toEqual([1, 1]);
  });

  it('tries the next checked address when one does not answer', async () => {
    await using receiver = await startReceiver(respond(200), { host: '127.0.0.2' });
    const transport = loopbackTransport({
      resolve: async () => ['127.0.0.1', '::1', '127.0.0.2'],
      allowed: parseAllowedNetworks('127.0.0.0/8,::1/128'),
    });
    const exchange = await postWebhook(postTo(`http://several.test:${receiver.port}/`), transport);
    expect(exchange.errorCode).toBeUndefined();
  });

  it('reports connection_error when no address answers', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    const transport = loopbackTransport({ resolve: async () => ['127.0.0.1', '127.0.0.2'] });
    expect((await postWebhook(postTo(`http://dead.test:${port}/`), transport)).errorCode).toBe('connection_error');
  });
});

describe('connections', () => {
  it('are reused by one endpoint and not shared with another', async () => {
    await using receiver = await startReceiver(respond(200));
    const transport = loopbackTransport();
    for (let post = 0; post < 10; post += 1) await postWebhook(postTo(receiver.url, { endpointId: 'whe_1' }), transport);
    const opened = receiver.sockets.length;
    expect(opened).toBeLessThanOrEqual(2);
    await postWebhook(postTo(receiver.url, { endpointId: 'whe_2' }), transport);
    expect(receiver.sockets).toHaveLength(opened + 1);
    await transport.connections.close();
  });

  it('are not blocked by another exchange with the same endpoint', async () => {
    const waiting: (() => void)[] = [];
    const bothArrived = Promise.withResolvers<void>();
    const answerTogether: Answer = (socket, request) => {
      waiting.push(() => respond(200)(socket, request));
      if (waiting.length === 2) bothArrived.resolve();
    };
    await using receiver = await startReceiver(answerTogether);
    const transport = loopbackTransport();
    const exchanges = [postWebhook(postTo(receiver.url), transport), postWebhook(postTo(receiver.url), transport)];
    await bothArrived.promise;
    for (const answer of waiting) answer();
    const codes = (await Promise.all(exchanges)).map(({ errorCode }) => errorCode);
    expect(codes).toEqual([undefined, undefined]);
  });

  it('are closed when idle, however long the receiver offers to keep them', async () => {
    await using receiver = await startReceiver(respond(200, { connection: 'keep-alive', 'keep-alive': 'timeout=600' }));
    await postWebhook(postTo(receiver.url), loopbackTransport());
    const idleSince = performance.now();
    await closed(receiver.sockets[0]!);
    expect(performance.now() - idleSince).toBeLessThan(5_000);
  });

  it('of the least recently used endpoint are closed first, after their exchanges', async () => {
    const held = Promise.withResolvers<() => void>();
    await using slow = await startReceiver((socket, request) => held.resolve(() => respond(200)(socket, request)));
    await using quick = await startReceiver(respond(200));
    const transport = loopbackTransport({ connections: new EndpointConnections({ maxEndpoints: 1 }) });
    const underWay = postWebhook(postTo(slow.url, { endpointId: 'whe_slow' }), transport);
    const answer = await held.promise;
    await postWebhook(postTo(quick.url, { endpointId: 'whe_quick' }), transport);
    answer();
    expect((await underWay).errorCode).toBeUndefined();
    await closed(slow.sockets[0]!);
  });

  it('that the receiver closed are replaced', async () => {
    await using receiver = await startReceiver((socket, request) => {
      respond(200)(socket, request);
      socket.end();
    });
    const transport = loopbackTransport();
    await postWebhook(postTo(receiver.url), transport);
    await closed(receiver.sockets[0]!);
    expect((await postWebhook(postTo(receiver.url), transport)).errorCode).toBeUndefined();
    expect(receiver.sockets).toHaveLength(2);
  });
});
