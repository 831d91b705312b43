import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

const NEEDED = ['debootstrap', 'unshare', 'nsenter'];
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** Packages of every machine that an installer of Debian sets up. */
const BASE = 'systemd,systemd-sysv,dbus,ca-certificates,iproute2,procps,openssl';

/** Makes the tree of a machine the root of new namespaces, and becomes its systemd. The network is the loopback interface alone. */
const BOOT = `set -e
tree=$1
ip link set lo up
mount --make-rprivate /
mount --bind "$tree" "$tree"
cd "$tree"
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,ro,bind proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
for device in null:3 zero:5 full:7 random:8 urandom:9; do mknod -m 666 "dev/\${device%:*}" c 1 "\${device#*:}"; done
mknod -m 666 dev/tty c 5 0
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mkdir -p former
hostname debian
pivot_root . former
umount -l /former
exec env -i container=other PATH=${PATH} /lib/systemd/systemd`;

/** Returns the reason for which this machine cannot run another Debian, or null if it can. */
export function obstacleToDebian(): string | null {
  if (process.getuid?.() !== 0) return 'root is needed to start a Debian';
  const missing = NEEDED.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  return missing.length > 0 ? `${missing.join(', ')} not installed` : null;
}

/** A bare Debian that systemd runs, in namespaces of its own. */
export class Debian implements AsyncDisposable {
  readonly tree: string;
  readonly #group: string;
  #init: ChildProcess | null = null;

  private constructor(tree: string) {
    this.tree = tree;
    const [, mounted] = /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'))!;
    this.#group = join(mounted!, `affiliate-${basename(tree)}`);
  }

  /** Installs the release of Debian into a new directory, and boots it. */
  static async install(release: string): Promise<Debian> {
    const tree = mkdtempSync(join(tmpdir(), 'affiliate-debian-'));
    execFileSync('debootstrap', ['--variant=minbase', `--include=${BASE}`, release, tree], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return Debian.boot(tree);
  }

  static async boot(tree: string): Promise<Debian> {
    const machine = new Debian(tree);
    copyFileSync('/etc/resolv.conf', join(tree, 'etc/resolv.conf'));
    mkdirSync(machine.#group, { recursive: true });
    // Process 1 of the machine must be in the group before its group becomes the root of the machine's groups.
    const init = spawn(
      'sh',
      [
        '-c',
        'echo $$ > "$0/cgroup.procs"; shift; exec "$@"',
        machine.#group,
        '',
        'unshare',
        ...'--pid --mount --net --uts --ipc --cgroup --fork --kill-child'.split(' '),
        'sh',
        '-c',
        BOOT,
        'boot',
        tree,
      ],
      { stdio: 'ignore', detached: true },
    );
    machine.#init = init;
    while (machine.#systemd() === null) await setTimeout(50);
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const { output } = await machine.run('systemctl is-system-running', { mayFail: true });
      if (/^(running|degraded)$/m.test(output)) return machine;
      await setTimeout(100);
    }
    throw new Error('systemd did not start.');
  }

  /**
   * Runs commands in bash as root, and returns their output. With `isOnline`, with the network of this machine, e.g. to install packages.
   *
   * @throws Error with the output if a command fails
   */
  async run(commands: string, { isOnline = false, mayFail = false } = {}): Promise<{ output: string; code: number }> {
    const child = spawn(
      'nsenter',
      [
        '--target',
        this.#systemd()!,
        '--mount',
        '--pid',
        '--uts',
        '--ipc',
        '--cgroup',
        '--root',
        '--wd',
        ...(isOnline ? [] : ['--net']),
        'env',
        '-i',
        'HOME=/root',
        'LANG=C.UTF-8',
        `PATH=${PATH}`,
        ...(isOnline ? this.#authorities() : []),
        'bash',
        '-s',
      ],
      { stdio: ['pipe', 'pipe', 'pipe'] },
    );
    child.stdin.end(`exec 2>&1\n${mayFail ? '' : 'set -e\n'}${commands}\n`);
    const [output, errors, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]);
    if (code !== 0 && !mayFail) throw new Error(`Exit code ${code}:\n${output}${errors}`);
    return { output: output + errors, code };
  }

  /** Returns the process id, on this machine, of process 1 of the other one. */
  #systemd(): string | null {
    if (this.#init!.exitCode !== null) throw new Error(`The Debian ended with exit code ${this.#init!.exitCode}.`);
    return /\d+/.exec(spawnSync('pgrep', ['--parent', String(this.#init!.pid)], { encoding: 'utf8' }).stdout)?.[0] ?? null;
  }

  /** Lets Node in the machine trust the authorities that Node of this machine trusts in addition, e.g. those of a proxy. */
  #authorities(): string[] {
    const file = process.env['NODE_EXTRA_CA_CERTS'];
    if (!file || !existsSync(file)) return [];
    writeFileSync(join(this.tree, 'etc/ssl/extra-authorities.pem'), readFileSync(file));
    return ['NODE_EXTRA_CA_CERTS=/etc/ssl/extra-authorities.pem'];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#init!, 'exit');
    this.#init!.kill('SIGKILL');
    await exited;
    // The kernel ends the processes of the machine with its process 1.
    for (let attempt = 0; attempt < 100; attempt += 1) {
      if (
        spawnSync('find', [this.#group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';'], { stdio: 'ignore' }).status === 0 &&
        !existsSync(this.#group)
      )
        break;
      await setTimeout(100);
    }
    rmSync(this.tree, { recursive: true, force: true });
  }
}
