/** What happens to the database's machines. Each fault repairs what it broke, as an operator would. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster, Node } from './open-cluster.ts';

export interface Fault {
  name: string;
  /** Longest time without a successful checkout. */
  limitSeconds: number;
  /** Resolves to the moment from which the time counts, if it isn't the beginning. */
  run(cluster: Cluster): Promise<number | undefined>;
}

const SWITCHOVER_SECONDS = 5;
const CRASH_SECONDS = 35;
/** After the fail-over, which takes as long as Patroni's ttl of 20 seconds. */
const REPAIR_MS = 32_000;
const OPERATOR_MS = 10_000;

/** PostgreSQL's first process, which Patroni starts. */
const POSTMASTER = /bin\/postgres -D /;
const PATRONI = /patroni/;
const ETCD = /^etcd\b/;
const WAL_SENDER = /walsender/;

export const faults: readonly Fault[] = [
  { name: 'switchover', limitSeconds: SWITCHOVER_SECONDS, run: switchOver },
  { name: 'kill -9 of PostgreSQL on the primary', limitSeconds: CRASH_SECONDS, run: killPostgres },
  { name: 'kill -9 of Patroni on the primary', limitSeconds: CRASH_SECONDS, run: killPatroni },
  { name: 'kill -9 of everything on the primary', limitSeconds: CRASH_SECONDS, run: killPrimary },
  { name: 'the primary frozen for 40 s, then its cable cut', limitSeconds: CRASH_SECONDS, run: freezeAndCut },
  { name: 'the cable of the primary cut', limitSeconds: CRASH_SECONDS, run: cutCable },
  { name: 'the primary cut off from the other nodes only', limitSeconds: CRASH_SECONDS, run: cutOffFromNodes },
  {
    name: 'WAL senders frozen for 0.7 s, then the primary killed',
    limitSeconds: CRASH_SECONDS,
    run: freezeSenders(700),
  },
  {
    name: 'WAL senders frozen for 25 s, then the primary killed',
    limitSeconds: CRASH_SECONDS,
    run: freezeSenders(25_000),
  },
  { name: 'kill -9 of everything on a standby', limitSeconds: CRASH_SECONDS, run: killStandby },
  { name: 'the disk of the primary full, a switchover after 10 s', limitSeconds: CRASH_SECONDS, run: fillDisk },
  { name: 'kill -9 of a follower of etcd', limitSeconds: CRASH_SECONDS, run: killEtcd('follower') },
  { name: 'kill -9 of the leader of etcd', limitSeconds: CRASH_SECONDS, run: killEtcd('leader') },
  { name: 'a second switchover', limitSeconds: SWITCHOVER_SECONDS, run: switchOver },
];

async function switchOver(cluster: Cluster): Promise<undefined> {
  await cluster.switchOver();
}

async function killPostgres(cluster: Cluster): Promise<undefined> {
  const primary = await cluster.primary();
  primary.signalEach(POSTMASTER, 'SIGKILL');
  await sleep(15_000);
}

/** PostgreSQL runs on, and nothing demotes it. */
async function killPatroni(cluster: Cluster): Promise<undefined> {
  const primary = await cluster.primary();
  primary.signalEach(PATRONI, 'SIGKILL');
  await sleep(REPAIR_MS);
  primary.start();
}

async function killPrimary(cluster: Cluster): Promise<undefined> {
  await killAndStart(await cluster.primary());
}

async function killStandby(cluster: Cluster): Promise<undefined> {
  await killAndStart(await cluster.standby());
}

async function killAndStart(node: Node): Promise<undefined> {
  node.signal('SIGKILL');
  await sleep(REPAIR_MS);
  node.start();
}

/** When it wakes up, it still believes that it is the primary, and can't ask. */
async function freezeAndCut(cluster: Cluster): Promise<undefined> {
  const primary = await cluster.primary();
  primary.signal('SIGSTOP');
  await sleep(40_000);
  primary.setCable(false);
  primary.signal('SIGCONT');
  await sleep(40_000);
  primary.setCable(true);
}

async function cutCable(cluster: Cluster): Promise<undefined> {
  const primary = await cluster.primary();
  primary.setCable(false);
  await sleep(REPAIR_MS);
  primary.setCable(true);
}

/** The servers reach it and could go on selling there. */
async function cutOffFromNodes(cluster: Cluster): Promise<undefined> {
  const primary = await cluster.primary();
  const others = cluster.nodes.filter(({ name }) => name !== primary.name).map(({ address }) => address);
  primary.setReachable(others, false);
  await sleep(REPAIR_MS);
  primary.setReachable(others, true);
}

/** What is committed meanwhile is on the primary only: no buyer may see it. */
function freezeSenders(forMs: number) {
  return async (cluster: Cluster): Promise<number> => {
    const primary = await cluster.primary();
    if (primary.signalEach(WAL_SENDER, 'SIGSTOP') !== 2) throw new Error('the primary has not two WAL senders');
    await sleep(forMs);
    const killedAt = Date.now();
    await killAndStart(primary);
    return killedAt;
  };
}

/** etcd is on the same disk. PostgreSQL runs on and denies writes, so an operator moves the primary away. */
async function fillDisk(cluster: Cluster): Promise<undefined> {
  const primary = await cluster.primary();
  primary.fillDisk();
  await sleep(OPERATOR_MS);
  await cluster.switchOver();
  await sleep(OPERATOR_MS);
  primary.emptyDisk();
  primary.start();
}

function killEtcd(which: 'leader' | 'follower') {
  return async (cluster: Cluster): Promise<undefined> => {
    const leader = await cluster.etcdLeader();
    const node = which === 'leader' ? leader : cluster.nodes.find(({ name }) => name !== leader.name);
    node?.signalEach(ETCD, 'SIGKILL');
    await sleep(10_000);
    node?.start();
  };
}
