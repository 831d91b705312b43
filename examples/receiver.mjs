/**
 * A merchant's webhook receiver: verifies what arrives, and prints it. Run as `node examples/receiver.mjs <signing secret> [port]`.
 * `standardwebhooks` is a verifier that knows nothing of this service; see https://www.standardwebhooks.com for other languages.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const [secret, port = '4000'] = process.argv.slice(2);
const webhook = new Webhook(secret, { format: 'raw' });

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  try {
    // The service calls its headers hook-*; the verifier knows them as webhook-*.
    const event = webhook.verify(await text(request), {
      'webhook-id': request.headers['hook-id'],
      'webhook-timestamp': request.headers['hook-timestamp'],
      'webhook-signature': request.headers['hook-signature'],
    });
    process.stdout.write(`verified ${event.type} ${event.id}\n`);
    response.writeHead(204).end();
  } catch (error) {
    process.stdout.write(`refused: ${String(error)}\n`);
    response.writeHead(401).end();
  }
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`receiving on port ${port}\n`));
