import { Command } from 'commander';
import { withInstallation } from './session.ts';

interface Output {
  json?: boolean;
}

export function jobsCommand(): Command {
  const jobs = new Command('jobs').description('jobs of the workers');
  jobs
    .command('list')
    .description('show the number of jobs of each queue: waiting, active and failed, and the age of the oldest waiting job')
    .option('--json', 'print one line of JSON: a list of queue, waiting, active, failed, oldest_seconds')
    .action(async ({ json }: Output) => {
      const { SILENT_SECONDS, findWorkers, queueFigures } = await import('@affiliate/worker/job-inspection');
      const [figures, { working, silent }] = await withInstallation(async ({ jobs: queues }) => [
        await queues.inspect(queueFigures, []),
        await queues.inspect(findWorkers, { working: 0, silent: 0 }),
      ]);
      if (silent > 0) process.stderr.write(`Workers without a heartbeat for ${SILENT_SECONDS} s: ${silent}. Restart them.\n`);
      if (working + silent === 0) process.stderr.write('No worker is connected to the database. Run `affiliate worker`.\n');
      print(figures, json, ({ queue, waiting, active, failed, oldest_seconds }) =>
        [`${queue}: ${waiting} waiting, ${active} active, ${failed} failed`, oldest_seconds > 0 && `oldest ${oldest_seconds} s`]
          .filter(Boolean)
          .join(', '),
      );
    });
  jobs
    .command('failed')
    .description(
      'list the jobs whose last retry failed and the maintenance jobs (scheduled) whose last run failed, with their errors',
    )
    .option('--json', 'print one line of JSON: a list of queue, id, subject, failed_at, error')
    .action(async ({ json }: Output) => {
      const { failedJobs } = await import('@affiliate/worker/job-inspection');
      const failed = await withInstallation((installation) => installation.jobs.inspect(failedJobs, []));
      print(failed, json, ({ queue, id, subject, failed_at, error }) =>
        [`${failed_at} ${queue} ${id}`, subject && ` ${subject}`, `: ${JSON.stringify(error)}`].filter(Boolean).join(''),
      );
    });
  jobs
    .command('retry')
    .description(
      'send all failed jobs back to their queues, where workers find them within a minute; maintenance jobs run again without this',
    )
    .action(async () => {
      const { retryFailedJobs } = await import('@affiliate/worker/job-inspection');
      const number = await withInstallation((installation) => installation.jobs.inspect(retryFailedJobs, 0));
      process.stdout.write(`jobs sent again: ${number}\n`);
    });
  return jobs;
}

function print<Row>(rows: readonly Row[], json = false, line: (row: Row) => string): void {
  process.stdout.write(json ? `${JSON.stringify(rows)}\n` : rows.map((row) => `${line(row)}\n`).join(''));
}
