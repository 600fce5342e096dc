/** PostgreSQL from Debian's package, as the user that the package made, on a socket in a folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { postgresPrograms } from '#tests/ha/cluster/shipped-files.ts';
import { run } from './commands.ts';

export interface DebianPostgres {
  /** Of its programs. */
  path: string;
  socket: string;
  /** The folder around the one of the data. */
  volume: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** @param folder where the user can look into */
export async function makeDebianPostgres(folder: string, password: string): Promise<DebianPostgres> {
  const programs = postgresPrograms();
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (option) => Number(await run('id', [option, 'postgres']))),
  );
  const asItsUser = { cwd: '/', ...(uid && gid ? { uid, gid } : {}) };
  const [volume, socket, secret] = ['database', 'socket', 'password'].map((name) => path.join(folder, name));
  if (!volume || !socket || !secret) throw new Error('never');
  mkdirSync(volume);
  mkdirSync(socket);
  writeFileSync(secret, password);
  await run('chown', ['postgres:postgres', volume, socket, secret]);
  await run('chmod', ['1777', socket]);
  const data = path.join(volume, 'current');
  await run(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'handstamp', '--auth-local=scram-sha-256', '--data-checksums', `--pwfile=${secret}`],
    asItsUser,
  );
  const control = (...args: string[]) =>
    run(path.join(programs, 'pg_ctl'), ['-D', data, '-w', '-l', path.join(volume, 'log'), ...args], asItsUser);
  return {
    path: `${programs}:${process.env['PATH']}`,
    socket,
    volume,
    start: async () => {
      await control('-o', `-c listen_addresses= -c unix_socket_directories=${socket}`, 'start');
    },
    stop: async () => {
      await control('-m', 'fast', 'stop');
    },
  };
}
