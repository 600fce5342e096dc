/** The configuration of the highly available database, as its programs read it. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { openPool } from '#server/platform/database.ts';
import { findPatroni, isSafe } from '#tests/ha/cluster/patroni-program.ts';
import { forNode, shippedFile } from '#tests/ha/cluster/shipped-files.ts';
import { repository } from './planted-tree.ts';

const seconds = z
  .string()
  .regex(/^\d+s$/)
  .transform((text) => Number.parseInt(text, 10));
const patroniFile = z.object({
  name: z.string(),
  restapi: z.object({ listen: z.string(), connect_address: z.string() }),
  etcd3: z.object({ hosts: z.string() }),
  bootstrap: z.object({
    dcs: z.object({
      ttl: z.int(),
      loop_wait: z.int(),
      retry_timeout: z.int(),
      synchronous_mode: z.string(),
      synchronous_mode_strict: z.boolean(),
      maximum_lag_on_failover: z.int(),
      postgresql: z.object({
        use_pg_rewind: z.boolean(),
        parameters: z.object({ max_connections: z.int(), wal_sender_timeout: seconds }).catchall(z.unknown()),
      }),
    }),
    initdb: z.array(z.unknown()),
  }),
  postgresql: z.object({
    listen: z.string(),
    connect_address: z.string(),
    basebackup: z.object({ checkpoint: z.string() }),
  }),
  watchdog: z.object({ mode: z.string() }),
});
const patroniOf = (text: string) => patroniFile.parse(parse(text));
const patroni = patroniOf(shippedFile('patroni.yml'));
const etcdOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/^(ETCD_\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value] as const),
  );
const haproxy = shippedFile('haproxy.cfg');
const { dcs } = patroni.bootstrap;

const haproxyProgram = (...args: string[]) => promisify(execFile)('haproxy', args);
const installed = await haproxyProgram('-v').then(
  () => ['haproxy'],
  () => [],
);

describe('Patroni', () => {
  it('gives up a primary that reaches no etcd before it promotes another one [OPS-17]', () => {
    expect(dcs.loop_wait + 2 * dcs.retry_timeout).toBeLessThanOrEqual(dcs.ttl);
  });

  it('confirms no commit that only one node has [OPS-17]', () => {
    expect([dcs.synchronous_mode, dcs.synchronous_mode_strict]).toEqual(['quorum', true]);
    expect(dcs.postgresql.parameters).not.toHaveProperty('synchronous_commit');
    // Which is why it may promote a standby that lacks other WAL.
    expect(dcs.maximum_lag_on_failover).toBe(10 * 1024 ** 3);
    expect(dcs.postgresql.parameters).not.toHaveProperty('statement_timeout');
  });

  it('takes a former primary back, and stops one whose Patroni is gone', () => {
    expect(dcs.postgresql.use_pg_rewind).toBe(true);
    expect(dcs.postgresql.parameters['wal_keep_size']).toBe('1GB');
    expect(patroni.postgresql.basebackup.checkpoint).toBe('fast');
    expect(patroni.bootstrap.initdb).toContain('data-checksums');
    expect(patroni.watchdog.mode).toBe('required');
  });

  it('finds a standby that hangs before a server gives up the commit that waits for it', async () => {
    const pool = openPool('postgresql://localhost/unused', () => {});
    const { query_timeout: patience = 0 } = pool.options;
    await pool.end();

    expect(dcs.postgresql.parameters.wal_sender_timeout * 1000).toBeLessThan(patience);
  });

  it.each(['2.1.4', '3.0.2', '3.3.1'])('of version %s is refused', async (version) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'handstamp-patroni-'));
    const program = path.join(folder, 'patroni');
    await writeFile(program, `#!/bin/sh\necho "patroni ${version}"\n`);
    await chmod(program, 0o755);

    expect(() => findPatroni(program)).toThrow(`Patroni ${version} can lose orders`);
    await rm(folder, { recursive: true });
  });

  it('is safe from version 4.0 on', () => {
    expect(['4.0.0', '4.1.4', '10.2.0'].map(isSafe)).toEqual([true, true, true]);
    expect(['3.9.9', ''].map(isSafe)).toEqual([false, false]);
  });
});

describe('The three nodes', () => {
  const nodes = ['db1', 'db2', 'db3'].map((name, index) => ({ name, address: `10.0.0.2${index + 1}` }));

  it('know each other, in Patroni, in etcd and in HAProxy', () => {
    const cluster = nodes.map(({ name, address }) => `${name}=http://${address}:2380`).join(',');
    const servers = [...haproxy.matchAll(/^ {2}server (\w+) (\S+)$/gm)].map(([, name, address]) => ({ name, address }));

    expect(patroni.etcd3.hosts).toBe(nodes.map(({ address }) => `${address}:2379`).join(','));
    expect(etcdOf(shippedFile('etcd.env'))).toMatchObject({ ETCD_INITIAL_CLUSTER: cluster });
    expect(servers).toEqual(nodes.map(({ name, address }) => ({ name, address: `${address}:5432` })));
  });

  it.each(nodes)('differ in name and address: $name', ({ name, address }) => {
    const own = (file: string) => forNode(shippedFile(file), { name, subnet: '10.0.0' });
    const { name: called, restapi, postgresql } = patroniOf(own('patroni.yml'));

    expect(called).toBe(name);
    expect([restapi.listen, restapi.connect_address]).toEqual([`${address}:8008`, `${address}:8008`]);
    expect([postgresql.listen, postgresql.connect_address]).toEqual([`${address}:5432`, `${address}:5432`]);
    expect(etcdOf(own('etcd.env'))).toMatchObject({
      ETCD_NAME: name,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${address}:2379`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${address}:2380`,
    });
  });
});

describe('HAProxy', () => {
  it('leads to the primary only, and ends the connections to a former one [OPS-17]', () => {
    const checkedPort = /check port (\d+)/.exec(haproxy)?.[1];

    expect(haproxy).toContain('option httpchk GET /primary\n');
    expect(haproxy).toContain('on-marked-down shutdown-sessions\n');
    expect(patroni.restapi.listen).toMatch(new RegExp(`:${checkedPort}$`));
  });

  it.each(installed)('accepts both files: %s', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'handstamp-haproxy-'));
    const app = await readFile(path.join(repository, 'deploy/haproxy.cfg'), 'utf8');
    const errors = path.join(repository, 'deploy/handstamp-503.http');
    await writeFile(path.join(folder, 'app.cfg'), app.replace('/etc/haproxy/handstamp-503.http', errors));
    await writeFile(path.join(folder, 'database.cfg'), haproxy);

    for (const file of ['app.cfg', 'database.cfg'])
      await expect(haproxyProgram('-c', '-f', path.join(folder, file))).resolves.toBeDefined();
    await rm(folder, { recursive: true });
  });
});
