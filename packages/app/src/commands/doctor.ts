import { Command } from 'commander';

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'check configuration, database, migrations, clocks, secret key, mail, disk, clicks and pending work, and say how to fix problems',
    )
    .option('--json', 'print one line of JSON: ok, findings')
    .action(async ({ json }: { json?: boolean }) => {
      const { examine, report } = await import('../doctor/doctor.ts');
      const findings = await examine(process.env);
      const isOk = findings.every(({ status }) => status !== 'failed');
      process.stdout.write(`${json ? JSON.stringify({ ok: isOk, findings }) : report(findings)}\n`);
      if (!isOk) process.exitCode = 1;
    });
}
