import { Command } from 'commander';
import { profileOption } from './profile.ts';

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
      const [{ Profiles }, { RemoteService }, { triggerEvent }] = await Promise.all([
        import('../remote/profiles.ts'),
        import('../remote/remote-service.ts'),
        import('../remote/trigger-events.ts'),
      ]);
      const events = await triggerEvent(new RemoteService(new Profiles(process.env).get(profile)), type);
      if (json) process.stdout.write(`${JSON.stringify(events)}\n`);
      else
        for (const { sequence, type: caused, id, subject_id } of events)
          process.stdout.write(`${sequence} ${caused} ${id} ${subject_id}\n`);
    });
}
