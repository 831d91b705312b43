import { Command } from 'commander';
import { profileOption } from './profile.ts';

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
