/** PostgreSQL under Patroni on three machines, with the configuration that we ship. */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { until } from '#tests/support/metrics.ts';
import { type Machine, type Machines, openMachines } from './machines.ts';
import { findPatroni } from './patroni-program.ts';
import { forNode, postgresPrograms, replaced, shippedFile } from './shipped-files.ts';

const PASSWORD = 'password of the tests';
const START_SECONDS = 90;
const LOG_LINES = 60;

const state = z.object({
  members: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      state: z.string(),
      lag: z.union([z.number(), z.string()]).optional(),
    }),
  ),
});
type Member = z.infer<typeof state>['members'][number];

export interface Node extends Machine {
  startEtcd(): void;
  startPatroni(): void;
  /** Starts what doesn't run. */
  start(): void;
}

export interface Cluster {
  patroniVersion: string;
  machines: Machines;
  nodes: readonly Node[];
  primary(): Promise<Node>;
  standby(): Promise<Node>;
  etcdLeader(): Promise<Node>;
  /** As `patronictl switchover` does without a candidate. */
  switchOver(): Promise<void>;
  /** Three nodes run, both standbys follow, and a commit waits for one of them. */
  untilHealthy(): Promise<void>;
  /** The last lines of each node's Patroni and PostgreSQL. */
  lastLines(): string;
  /** User and password of the database, without its address. */
  credentials: string;
  close(): Promise<void>;
}

export async function openCluster(): Promise<Cluster> {
  const { command, version } = findPatroni();
  const machines = openMachines();
  const nodes = machines.all.map((machine) => openNode(machine, machines.subnet, command));
  const cluster: Cluster = {
    patroniVersion: version,
    machines,
    nodes,
    primary: () => nodeAs('leader'),
    standby: () => nodeAs('quorum_standby'),
    etcdLeader,
    async switchOver() {
      const leader = await nodeAs('leader');
      const answer = await fetch(`http://${leader.address}:8008/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from('patroni:PASSWORD_OF_PATRONI').toString('base64')}` },
        body: JSON.stringify({ leader: leader.name }),
      });
      if (!answer.ok) throw new Error(`The switchover was refused: ${answer.status} ${await answer.text()}`);
    },
    untilHealthy: () =>
      until('three nodes are healthy', async () => isHealthy(await members()), START_SECONDS).catch(
        async (error: unknown) => {
          throw new Error([JSON.stringify(await members()), cluster.lastLines()].join('\n\n'), { cause: error });
        },
      ),
    lastLines: () => nodes.map(lastLinesOf).join('\n\n'),
    credentials: `handstamp:${encodeURIComponent(PASSWORD)}`,
    close: () => machines.close(),
  };
  try {
    for (const node of nodes) node.start();
    await cluster.untilHealthy();
    await createDatabase(await cluster.primary());
    return cluster;
  } catch (error) {
    await cluster.close();
    throw error;
  }

  async function nodeAs(role: string): Promise<Node> {
    const found = (await members()).find((member) => member.role === role);
    const node = nodes.find(({ name }) => name === found?.name);
    if (!node) throw new Error(`no node is ${role}`);
    return node;
  }

  /** As the first node sees them that answers. */
  async function members(): Promise<Member[]> {
    for (const { address } of nodes) {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      );
      if (answer?.ok) return state.parse(await answer.json()).members;
    }
    return [];
  }

  async function etcdLeader(): Promise<Node> {
    for (const node of nodes) {
      const metrics = await fetch(`http://${node.address}:2379/metrics`).then((answer) => answer.text());
      if (/^etcd_server_is_leader 1$/m.test(metrics)) return node;
    }
    throw new Error('etcd has no leader');
  }
}

function isHealthy(members: readonly Member[]): boolean {
  const standbys = members.filter(({ role }) => role !== 'leader');
  return (
    members.length === 3 &&
    members.some(({ role, state }) => role === 'leader' && state === 'running') &&
    standbys.length === 2 &&
    standbys.every(({ role, state, lag }) => role === 'quorum_standby' && state === 'streaming' && lag === 0)
  );
}

function openNode(machine: Machine, subnet: string, [program, ...args]: readonly [string, ...string[]]): Node {
  const { name, folder } = machine;
  const own = (file: string) => forNode(shippedFile(file), { name, subnet });
  const configuration = path.join(path.dirname(folder), `${name}.yml`);
  writeFileSync(
    configuration,
    replaced(own('patroni.yml'), {
      '/var/lib/postgresql/17/handstamp': path.join(folder, 'data'),
      '/usr/lib/postgresql/17/bin': postgresPrograms(),
      '/var/lib/postgresql/patroni.pgpass': path.join(folder, 'pgpass'),
      '/var/run/postgresql': folder,
      // The machines are processes: a watchdog would restart this one.
      'mode: required': 'mode: "off"',
    }),
  );
  const etcdSettings = Object.fromEntries(
    replaced(own('etcd.env'), { '/var/lib/etcd/handstamp': path.join(folder, 'etcd') })
      .split('\n')
      .filter((line) => line.startsWith('ETCD_'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  let etcd: ChildProcess | undefined;
  let patroni: ChildProcess | undefined;
  const node: Node = {
    ...machine,
    startEtcd: () => {
      etcd = machine.run('etcd', [], etcdSettings);
    },
    startPatroni: () => {
      patroni = machine.run(program, [...args, configuration]);
    },
    start: () => {
      if (!runs(etcd)) node.startEtcd();
      if (!runs(patroni)) node.startPatroni();
    },
  };
  return node;
}

/** Of Patroni, whose log has PostgreSQL's, too. */
function lastLinesOf({ name, folder }: Node): string {
  const logs = path.dirname(folder);
  const ofPatroni = readdirSync(logs).filter((file) => file.startsWith(`${name}-`) && file.includes('patroni'));
  const lines = ofPatroni.flatMap((file) => readFileSync(path.join(logs, file), 'utf8').trimEnd().split('\n'));
  return [`${name}:`, ...lines.slice(-LOG_LINES)].join('\n');
}

const runs = (child: ChildProcess | undefined) => child && child.exitCode === null && child.signalCode === null;

/** As docs/running.md says. */
async function createDatabase({ folder }: Node): Promise<void> {
  const file = path.join(path.dirname(folder), 'database.sql');
  writeFileSync(file, shippedFile('database.sql'));
  const connect = ['--host', folder, '--dbname', 'postgres', '--no-psqlrc', '--set', 'ON_ERROR_STOP=1'];
  execFileSync(
    'setpriv',
    [
      '--reuid=postgres',
      '--regid=postgres',
      '--clear-groups',
      'psql',
      ...connect,
      '--set',
      `password=${PASSWORD}`,
      '--file',
      file,
    ],
    { cwd: '/', stdio: ['ignore', 'ignore', 'inherit'] },
  );
}
