import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers';

/**
 * Receiver in a process of its own, so that its work is not counted as the sender's. It answers `/hook` at once, answers one in a hundred
 * calls to `/uneven` after two seconds, and never answers `/hung`. For `/probe` it reports the time between the event and the first byte.
 */
const HUNG_MS = 2_000;
let uneven = 0;

const server = createServer((request, response) => {
  const at = Date.now();
  const path = request.url ?? '';
  if (path === '/hung') return;
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (path === '/uneven' && (uneven += 1) % 100 === 0) setTimeout(() => response.end('ok'), HUNG_MS);
    else response.end('ok');
    if (path !== '/probe') return;
    const { occurred_at } = JSON.parse(Buffer.concat(chunks).toString()) as { occurred_at: string };
    process.send?.({ latency: at - Date.parse(occurred_at) });
  });
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
