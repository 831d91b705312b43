import { Command } from 'commander';
import { profileOption } from './profile.ts';

interface ResendOptions {
  profile: string;
  forwardTo?: string;
  secret?: string;
  endpoint?: string;
}

/** Commands about the events of a running service. */
export function eventsCommand(): Command {
  const events = new Command('events').description('events of a running service');
  events
    .command('resend')
    .description('send events again: one to a receiver on this machine, or all since a time to a webhook endpoint')
    .argument('<event>', 'id of an event (evt_…), or with --endpoint a time in ISO 8601')
    .option('--forward-to <address>', 'receiver, e.g. localhost:4000/webhooks')
    .option('--secret <secret>', 'signing secret for --forward-to; default: a new one, which is printed')
    .option('--endpoint <id>', 'webhook endpoint that gets all events since the time')
    .addOption(profileOption())
    .action(async (what: string, { profile, forwardTo, secret: given, endpoint }: ResendOptions) => {
      const [{ Profiles }, { RemoteService }, { forward, newSessionSecret, targetOf }, { OperatorError }] = await Promise.all([
        import('../remote/profiles.ts'),
        import('../remote/remote-service.ts'),
        import('../remote/forward-events.ts'),
        import('../operator-error.ts'),
      ]);
      const service = new RemoteService(new Profiles(process.env).get(profile));
      if (endpoint !== undefined) {
        const path = `/api/settings/v1/webhook_endpoints/${encodeURIComponent(endpoint)}/resend`;
        const summary = await service.send({ method: 'POST', path, body: { since: what } });
        process.stdout.write(`${JSON.stringify(summary)}\n`);
        return;
      }
      if (forwardTo === undefined) throw new OperatorError('Name the receiver: --forward-to <address>, or --endpoint <id>.');
      const event = await service.send({ method: 'GET', path: `/api/v1/events/${encodeURIComponent(what)}` });
      const secret = given ?? newSessionSecret();
      if (given === undefined) process.stdout.write(`Signing secret: ${secret}\n`);
      const line = await forward(event as Parameters<typeof forward>[0], { target: targetOf(forwardTo), secret });
      process.stdout.write(`${line}\n`);
    });
  return events;
}
