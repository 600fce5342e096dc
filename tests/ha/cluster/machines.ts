/**
 * Three machines on one: each has a network of its own behind a cable, and a small disk. Needs root.
 *
 * Whatever happens to the test run, its processes, networks and disks are removed.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, closeSync, mkdirSync, mkdtempSync, openSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';

/** PostgreSQL refuses to run as root. Debian's package has this account. */
const ACCOUNT = 'postgres';
/** PostgreSQL keeps up to a gigabyte of WAL, and a former primary is copied next to what it has. */
const DISK = '3g';
/** A network device that drops what it is given. */
const NOWHERE = 'nowhere';
const NAMES = ['db1', 'db2', 'db3'] as const;

// Reads until its stdin closes, which happens however this process ends. Killed processes can hold a disk for a moment longer.
const CLEAN_UP = `
read -r _
for name in db1 db2 db3; do
  while pids=$(ip netns pids "$1-$name" 2>/dev/null) && [ -n "$pids" ]; do kill -KILL $pids; sleep 0.1; done
  ip netns delete "$1-$name"
  umount --lazy "$2/$name"
done
while read -r pid; do kill -KILL "$pid"; done < "$2/pids"
ip link delete "$1"
rm -rf "$2"
`;

export interface Machine {
  name: (typeof NAMES)[number];
  address: string;
  /** Its disk. */
  folder: string;
  /** Runs a program as PostgreSQL's user. What it prints goes to a file. */
  run(program: string, args: readonly string[], env?: Record<string, string>): ChildProcess;
  /** Every process of the machine. */
  signal(signal: NodeJS.Signals): void;
  /** Processes whose command line matches. */
  signalEach(pattern: RegExp, signal: NodeJS.Signals): number;
  setCable(isPlugged: boolean): void;
  /** Its packets to these addresses are dropped. Those to others aren't. */
  setReachable(addresses: readonly string[], isReachable: boolean): void;
  fillDisk(): void;
  emptyDisk(): void;
}

export interface Machines {
  all: readonly Machine[];
  /** `10.0.0.0/24` of the shipped files is `${subnet}.0/24` here. */
  subnet: string;
  /** Where the programs' output is, for a failure. */
  folder: string;
  /** Ends this process of ours, too, if the test run is killed. */
  watch(pid: number | undefined): void;
  close(): Promise<void>;
}

export function openMachines(): Machines {
  const folder = mkdtempSync(path.join(tmpdir(), 'handstamp-machines-'));
  chmodSync(folder, 0o755);
  appendFileSync(path.join(folder, 'pids'), '');
  const id = `hs${randomInt(0x1000, 0xffff).toString(16)}`;
  const subnet = freeSubnet();
  const watcher = spawn('/bin/sh', ['-c', CLEAN_UP, 'sh', id, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  watcher.unref();
  // The test runner was killed: without this, its worker would go on until the end of the test.
  process.once('disconnect', () => process.exit(1));
  ip('link', 'add', id, 'type', 'bridge');
  ip('address', 'add', `${subnet}.1/24`, 'dev', id);
  ip('link', 'set', id, 'up');
  return {
    all: NAMES.map((name, index) => openMachine({ id, name, number: index + 1, subnet, folder })),
    subnet,
    folder,
    watch: (pid) => appendFileSync(path.join(folder, 'pids'), `${pid}\n`),
    async close() {
      const gone = once(watcher, 'exit');
      watcher.ref();
      watcher.stdin.end();
      await gone;
    },
  };
}

interface Plan {
  id: string;
  name: Machine['name'];
  number: number;
  subnet: string;
  folder: string;
}

function openMachine({ id, name, number, subnet, folder }: Plan): Machine {
  const namespace = `${id}-${name}`;
  const cable = `${id}v${number}`;
  const address = `${subnet}.${20 + number}`;
  const inside = ['netns', 'exec', namespace, 'ip'];
  ip('netns', 'add', namespace);
  ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  ip('link', 'set', cable, 'master', id, 'up');
  ip(...inside, 'address', 'add', `${address}/24`, 'dev', 'eth0');
  ip(...inside, 'link', 'set', 'eth0', 'up');
  ip(...inside, 'link', 'set', 'lo', 'up');
  ip(...inside, 'link', 'add', NOWHERE, 'type', 'bridge');
  ip(...inside, 'link', 'set', NOWHERE, 'arp', 'off', 'up');

  const disk = path.join(folder, name);
  mkdirSync(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk]);
  const [user, group] = idsOf(ACCOUNT);
  chownSync(disk, user, group);
  const filler = path.join(disk, 'filler');

  const pids = () =>
    execFileSync('ip', ['netns', 'pids', namespace], { encoding: 'utf8' }).split('\n').filter(Boolean).map(Number);
  return {
    name,
    address,
    folder: disk,
    run(program, args, env = {}) {
      const enter = [
        `--net=/run/netns/${namespace}`,
        'setpriv',
        `--reuid=${user}`,
        `--regid=${group}`,
        '--clear-groups',
      ];
      const output = openSync(path.join(folder, `${name}-${path.basename(args[0] ?? program)}.log`), 'a');
      const child = spawn('nsenter', [...enter, program, ...args], {
        cwd: disk,
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: disk, LC_ALL: 'C.UTF-8', ...env },
        stdio: ['ignore', output, output],
      });
      closeSync(output);
      return child;
    },
    signal: (signal) => {
      for (const pid of pids()) send(pid, signal);
    },
    signalEach(pattern, signal) {
      const matching = pids().filter((pid) => pattern.test(commandOf(pid)));
      for (const pid of matching) send(pid, signal);
      return matching.length;
    },
    setCable: (isPlugged) => ip('link', 'set', cable, isPlugged ? 'up' : 'down'),
    setReachable(addresses, isReachable) {
      for (const to of addresses) ip(...inside, 'route', isReachable ? 'delete' : 'add', `${to}/32`, 'dev', NOWHERE);
    },
    fillDisk() {
      try {
        execFileSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=1M'], { stdio: 'ignore' });
      } catch {
        // It ends when the disk is full.
      }
    },
    emptyDisk: () => execFileSync('rm', ['-f', filler]),
  };
}

const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'inherit'] });

function freeSubnet(): string {
  const taken = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
  for (;;) {
    const subnet = `10.213.${randomInt(1, 255)}`;
    if (!taken.some((address) => address.startsWith(`${subnet}.`))) return subnet;
  }
}

const idsOf = (account: string): [number, number] => [idOf(account, '-u'), idOf(account, '-g')];
const idOf = (account: string, which: string) => Number(execFileSync('id', [which, account], { encoding: 'utf8' }));

function commandOf(pid: number): string {
  try {
    return execFileSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' }).replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
