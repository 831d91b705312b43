/**
 * Example of a merchant's webhook receiver, which verifies webhooks and prints them. Run it with `node examples/receiver.mjs <signing secret>
 * [port]`. It uses `standardwebhooks`, a general verifier that also exists for other languages: https://www.standardwebhooks.com.
 */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const [secret, port = '4000'] = process.argv.slice(2);
const webhook = new Webhook(secret);

const server = createServer(async (request, response) => {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  try {
    const event = webhook.verify(await text(request), request.headers);
    process.stdout.write(`verified ${event.type} ${event.id}\n`);
    response.writeHead(204).end();
  } catch (error) {
    process.stdout.write(`refused: ${String(error)}\n`);
    response.writeHead(401).end();
  }
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`receiving on port ${port}\n`));
