/**
 * Finds the database directory and the account that runs PostgreSQL.
 *
 * The default is DATA_DIR/postgres and the current user. PostgreSQL refuses to run as root, so root uses another account. If
 * that account cannot enter DATA_DIR (a clone in /root), the database goes to /var/lib/handstamp and DATA_DIR/postgres becomes
 * a symbolic link to it, so that removing DATA_DIR still resets the product.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertUsable } from './assert-usable.ts';
import { PUBLIC_DIRECTORY } from './programs.ts';
import { type Account, runProgram } from './run-program.ts';
import { StartFailure } from './start-failure.ts';

export interface DataDirectory {
  databaseDir: string;
  account: Account | undefined;
}

const UNUSABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST']);
const FALLBACK_ACCOUNTS = ['postgres', '_postgres', 'nobody'];
/** The path of a Unix socket is limited to about 100 characters, of which `/.s.PGSQL.5432` takes 14. */
const SOCKET_DIRECTORY_MAX = 86;

export async function findDataDirectory(dataDir: string): Promise<DataDirectory> {
  const link = path.join(path.resolve(dataDir), 'postgres');
  try {
    mkdirSync(dataDir, { recursive: true });
    const existing = existingDatabase(link);
    if (process.getuid?.() !== 0) return { databaseDir: existing ?? link, account: undefined };
    return existing ? await existingDirectory(existing) : await newDirectory(link);
  } catch (error) {
    if (isErrno(error) && UNUSABLE.has(error.code ?? '')) {
      throw new StartFailure(
        `${error.path ?? dataDir} cannot be used as a data directory by this account (${error.code}). ` +
          'Set DATA_DIR to a directory you may write, or start with the account that owns it.',
        78,
      );
    }
    throw error;
  }
}

/** Creates a private directory for the socket that the account can enter. */
export async function makeSocketDirectory(account: Account | undefined): Promise<string> {
  for (const parent of new Set([tmpdir(), '/tmp'])) {
    const prefix = path.join(parent, 'handstamp-');
    if (prefix.length + 6 > SOCKET_DIRECTORY_MAX || !existsSync(parent)) continue;
    const directory = mkdtempSync(prefix);
    if (account) chownSync(directory, account.uid, account.gid);
    if (await canEnter(account, directory)) return directory;
    rmdirSync(directory);
  }
  throw new StartFailure(
    `PostgreSQL needs a short directory for its socket, and ${tmpdir()} is not one it can use. Set TMPDIR=/tmp.`,
    78,
  );
}

export const isErrno = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && 'code' in error;

function existingDatabase(link: string): string | undefined {
  const entry = lstatSync(link, { throwIfNoEntry: false });
  if (!entry) return undefined;
  if (!existsSync(link)) {
    const target = entry.isSymbolicLink() ? readlinkSync(link) : link;
    throw new StartFailure(
      `The database of this directory was in ${target}, which is gone or closed to this account. ` +
        `Bring it back, or remove ${link} to start with an empty one.`,
      78,
    );
  }
  const directory = realpathSync(link);
  if (!statSync(directory).isDirectory()) {
    throw new StartFailure(`${directory} should be the database's directory but is a file. Move it away.`, 78);
  }
  if (readdirSync(directory).length > 0) {
    assertUsable(directory);
    return directory;
  }
  if (entry.isSymbolicLink()) return directory;
  rmdirSync(directory);
  return undefined;
}

async function existingDirectory(databaseDir: string): Promise<DataDirectory> {
  const { uid, gid } = statSync(databaseDir);
  const account = uid === 0 ? fallbackAccount() : { name: accountName(uid), uid, gid };
  if (uid === 0 || !(await canEnter(account, databaseDir))) {
    throw new StartFailure(
      `The database in ${databaseDir} must belong to an account that can enter it (PostgreSQL refuses to run as root). ` +
        `Now it belongs to ${accountName(uid)}. Open its parent directories to that account, or set DATA_DIR to another place.`,
      78,
    );
  }
  return { databaseDir, account };
}

async function newDirectory(link: string): Promise<DataDirectory> {
  const account = fallbackAccount();
  if (await canEnter(account, path.dirname(link))) return { databaseDir: link, account };

  mkdirSync(PUBLIC_DIRECTORY, { recursive: true });
  chmodSync(PUBLIC_DIRECTORY, 0o755);
  const directory = mkdtempSync(path.join(PUBLIC_DIRECTORY, 'database-'));
  chmodSync(directory, 0o755);
  const databaseDir = path.join(directory, 'postgres');
  mkdirSync(databaseDir, { mode: 0o700 });
  chownSync(databaseDir, account.uid, account.gid);
  symlinkSync(databaseDir, link);
  process.stdout.write(
    `PostgreSQL runs as ${account.name}, who cannot enter ${path.dirname(link)}: the database is kept in ${databaseDir}.\n`,
  );
  return { databaseDir, account };
}

function fallbackAccount(): Account {
  for (const name of FALLBACK_ACCOUNTS) {
    const entry = passwd().find((fields) => fields[0] === name);
    if (entry) return { name, uid: Number(entry[2]), gid: Number(entry[3]) };
  }
  throw new StartFailure(
    'PostgreSQL refuses to run as root, and this system has neither an account postgres nor nobody. Start as an ordinary user.',
    78,
  );
}

const accountName = (uid: number) => passwd().find((fields) => Number(fields[2]) === uid)?.[0] ?? `account ${uid}`;

const passwd = () =>
  readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));

// Tries it, because modes, groups, mount options and access control lists all matter.
async function canEnter(account: Account | undefined, directory: string) {
  if (!account) return true;
  const { succeeded } = await runProgram('/bin/sh', ['-c', 'cd "$1" && test -x .', 'sh', directory], { account });
  return succeeded;
}
