import { Command } from 'commander';
import { OperatorError } from '../errors.ts';
import { profileOption, serviceOf } from './profile.ts';

interface ResendOptions {
  profile: string;
  forwardTo?: string;
  secret?: string;
  endpoint?: string;
}

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
      const { forward, newSessionSecret, targetOf } = await import('../remote/forward-events.ts');
      const service = await serviceOf(profile);
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

interface ListenOptions {
  profile: string;
  forwardTo: string;
  events: string[];
  latest?: boolean;
  secret?: string;
}

/** Forwards events of a running service to a receiver on this machine. */
export function listenCommand(): Command {
  return new Command('listen')
    .description('forward new events of a running service to a receiver on this machine; needs no public address')
    .requiredOption('--forward-to <address>', 'receiver, e.g. localhost:4000/webhooks')
    .option('--events <types>', 'types to forward, e.g. commission.*,payout.paid', (text) => text.split(','), [])
    .option('--latest', 'start with new events, instead of continuing after the last forwarded one')
    .option('--secret <secret>', 'signing secret; default: a new one, which is printed')
    .addOption(profileOption())
    .action(async ({ profile, forwardTo, events, latest, secret: given }: ListenOptions) => {
      const [{ Profiles }, { RemoteService }, { forwardEvents, newSessionSecret, newestSequence, targetOf }] = await Promise.all([
        import('../remote/profiles.ts'),
        import('../remote/remote-service.ts'),
        import('../remote/forward-events.ts'),
      ]);
      const profiles = new Profiles(process.env);
      const target = targetOf(forwardTo);
      const { url, account_id, api_key } = profiles.get(profile);
      const service = new RemoteService({ url, account_id, api_key });
      const key = `${url} ${account_id} ${target.href}`;
      const newest = await newestSequence(service);
      const position = latest ? newest : (profiles.lastForwarded(key) ?? newest);
      const secret = given ?? newSessionSecret();
      const onLine = (line: string) => void process.stdout.write(`${line}\n`);
      onLine(`Signing secret: ${secret}`);
      onLine(`Forwarding events after ${position} to ${target.href}`);
      profiles.keepForwarded(key, position);
      const stop = new AbortController();
      for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
      const onPosition = (sequence: number) => profiles.keepForwarded(key, sequence);
      await forwardEvents({ service, target, secret, position, types: events, onPosition, onLine, signal: stop.signal });
    });
}

interface TriggerOptions {
  profile: string;
  json?: boolean;
}

/** Makes real test records that cause an event. */
export function triggerCommand(): Command {
  return new Command('trigger')
    .description(
      'make the test records that cause an event, e.g. `affiliate trigger commission.due`; only with a key of test mode',
    )
    .argument('<event>', 'type of the event, e.g. payout.paid')
    .addOption(profileOption())
    .option('--json', 'print the events as JSON in one line')
    .action(async (type: string, { profile, json }: TriggerOptions) => {
      const { triggerEvent } = await import('../remote/trigger-events.ts');
      const events = await triggerEvent(await serviceOf(profile), type);
      if (json) process.stdout.write(`${JSON.stringify(events)}\n`);
      else
        for (const { sequence, type: caused, id, subject_id } of events)
          process.stdout.write(`${sequence} ${caused} ${id} ${subject_id}\n`);
    });
}
