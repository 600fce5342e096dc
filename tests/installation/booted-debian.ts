/** A fresh Debian that runs: with its own processes and services, and the network of this machine. */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '#tests/support/metrics.ts';
import { run, start } from './commands.ts';
import { ALL_CERTIFICATES, type FreshDebian, openFreshDebian } from './fresh-debian.ts';

export interface BootedDebian extends FreshDebian {
  /** Runs a command as root, with nothing of the environment here, which has npm's settings. */
  inside(...command: string[]): Promise<string>;
  stop(): Promise<void>;
}

const ENVIRONMENT = [
  'HOME=/root',
  'LC_ALL=C.UTF-8',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  `NODE_EXTRA_CA_CERTS=${ALL_CERTIFICATES}`,
];
const BOOT_SECONDS = 60;
const BOOT = new URL('boot.sh', import.meta.url).pathname;

export async function bootDebian(): Promise<BootedDebian> {
  const debian = await openFreshDebian({ packages: ['systemd-sysv'] });
  const group = path.join(controlGroups(), `handstamp-${process.pid}`);
  mkdirSync(group);
  const namespaces = ['--fork', '--pid', '--mount', '--uts', '--ipc', '--cgroup', '--kill-child'];
  const enter = `echo $$ >${group}/cgroup.procs && exec unshare ${namespaces.join(' ')} sh ${BOOT} ${debian.root}`;
  const machine = start('sh', ['-c', enter]);
  const init = async () => (await run('pgrep', ['-P', String(machine.pid), '-f', 'systemd']).catch(() => '')).trim();
  const inside = async (...command: string[]) =>
    run('nsenter', [
      '-t',
      await init(),
      '-m',
      '-u',
      '-i',
      '-p',
      '-C',
      '-r',
      '-w',
      'env',
      '-i',
      ...ENVIRONMENT,
      ...command,
    ]);

  await until(
    'Debian has booted',
    async () => {
      const state = (await init()) && (await inside('systemctl', 'is-system-running').catch(stateOf));
      return state === 'running' || state === 'degraded';
    },
    BOOT_SECONDS,
  );
  return {
    ...debian,
    inside,
    async stop() {
      // Halts a container: its services end as they do when a machine is shut down.
      await run('kill', ['-s', 'RTMIN+3', await init()]);
      await machine.ended;
      // With those of its services, which are empty now.
      await run('find', [group, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';']);
    },
  };
}

/** `systemctl` exits with 1 for any other state than running, and prints it all the same. */
const stateOf = (error: unknown) => String((error as { stdout?: unknown }).stdout).trim();

/** Where the kernel keeps control groups of the second version. */
function controlGroups(): string {
  const mounted = readFileSync('/proc/mounts', 'utf8').match(/^\S+ (\S+) cgroup2 /m)?.[1];
  if (mounted === undefined) throw new Error('there are no control groups of version 2');
  return mounted;
}
