/**
 * docs/running.md, "From a fresh Debian to the first sale" and "Backups", in a Debian of its own. Takes the ports 80, 443, 3000 and 5432 of this
 * machine.
 */
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#tests/support/metrics.ts';
import { type BootedDebian, bootDebian } from './booted-debian.ts';
import { run } from './commands.ts';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
const DOMAIN = 'tickets.example';
const START_SECONDS = 120;
const CADDYFILE = 'etc/caddy/Caddyfile';

let debian: BootedDebian;
let installed: string;

beforeAll(async () => {
  debian = await bootDebian();
  cpSync('/etc/resolv.conf', at('etc/resolv.conf'), { dereference: true });
  await run('git', ['clone', '-q', REPOSITORY, at('root/handstamp')]);
  const began = Date.now();
  installed = await debian.inside('/root/handstamp/deploy/debian/install.sh', DOMAIN);
  await useOwnCertificates();
  await untilHttps();
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  process.stdout.write(`From nothing to an https page in ${minutes} minutes.\n`);
});

afterAll(async () => {
  await debian?.stop();
  debian?.remove();
});

it('is installed by the script, and repeating that keeps its secrets', async () => {
  expect(installed).toContain('Handstamp is installed.');
  const secret = readFileSync(at('etc/handstamp/secrets/APP_SECRET'), 'utf8');
  expect(secret).toMatch(/^[0-9a-f]{64}\n$/);
  expect(
    await debian.inside('stat', '-c', '%a %U', '/etc/handstamp/secrets', '/etc/handstamp/secrets/APP_SECRET'),
  ).toBe('700 root\n600 root');
  expect(await debian.inside('systemctl', 'is-enabled', 'handstamp', 'caddy', 'postgresql')).toBe(
    'enabled\nenabled\nenabled',
  );

  await debian.inside('/root/handstamp/deploy/debian/install.sh');
  expect(readFileSync(at('etc/handstamp/secrets/APP_SECRET'), 'utf8')).toBe(secret);
  expect(existsSync(at('srv/handstamp/app.old/package.json'))).toBe(true);
  await untilHttps();
});

it('serves https behind the proxy, and no API in the clear', async () => {
  expect(await curl(`https://${DOMAIN}/`)).toContain('<title>');
  expect(await status(`http://${DOMAIN}/login`)).toBe(`301 https://${DOMAIN}/login`);
  expect(await status(`http://${DOMAIN}/api/public/offer`)).toBe('403');
  expect(await runChecks()).toContain('All checks passed.');
});

it('runs confined by its unit: as a user without rights who can write to its data only', async () => {
  const pid = await property('MainPID');
  const process = await debian.inside('cat', `/proc/${pid}/status`);
  const user = await debian.inside('id', '-u', 'handstamp');
  expect(field(process, 'Uid')).toBe(user);
  expect([field(process, 'CapEff'), field(process, 'CapBnd')]).toEqual(['0000000000000000', '0000000000000000']);
  expect([field(process, 'NoNewPrivs'), field(process, 'Seccomp')]).toEqual(['1', '2']);
  const secret = '/run/credentials/handstamp.service/APP_SECRET';
  expect(await debian.inside('cat', secret)).toMatch(/^[0-9a-f]{64}$/);
  await expect(debian.inside('runuser', '-u', 'caddy', '--', 'cat', secret)).rejects.toThrow('Permission denied');

  const asServer = ['nsenter', '-t', pid, '-m', 'setpriv', '--reuid', user, '--clear-groups', 'sh', '-c'];
  const canWrite = async (folder: string) =>
    (await debian.inside(...asServer, `touch ${folder}/probe && rm ${folder}/probe && echo yes || true`)) === 'yes';
  expect([await canWrite('/var/lib/handstamp'), await canWrite('/tmp')]).toEqual([true, true]);
  for (const folder of ['/srv/handstamp', '/srv/handstamp/app', '/etc/handstamp', '/var/lib', '/var/tmp/..', '/home'])
    expect([folder, await canWrite(folder)]).toEqual([folder, false]);
  expect(await debian.inside(...asServer, 'ls /root /home 2>/dev/null; echo none')).toBe('none');
});

it('stops cleanly, and is started again after a crash', async () => {
  await debian.inside('systemctl', 'restart', 'handstamp');
  await untilHttps();
  expect(await debian.inside('journalctl', '-u', 'handstamp', '--no-pager')).not.toMatch(/Failed with result|SIGKILL/);

  const pid = await property('MainPID');
  await debian.inside('kill', '-9', pid);
  await until('it is started again', async () => !['0', pid].includes(await property('MainPID')), START_SECONDS);
  await untilHttps();
  expect(await property('NRestarts')).toBe('1');
});

it('is backed up, and restored to the second before a mistake', async () => {
  await debian.inside('/root/handstamp/deploy/backup/install.sh');
  const timers = await debian.inside('systemctl', 'list-timers', '--no-legend', '--no-pager', 'handstamp-backup-*');
  for (const name of ['full', 'diff', 'files', 'verify']) expect(timers).toContain(`handstamp-backup-${name}.timer`);
  for (const unit of ['handstamp-backup@diff', 'handstamp-backup-files', 'handstamp-backup-verify'])
    await debian.inside('systemctl', 'start', unit).catch(async (error: unknown) => {
      throw new Error(await logOf(unit), { cause: error });
    });
  expect(await runChecks()).toContain('All checks passed.');

  const sql = (statement: string) =>
    debian.inside('runuser', '-u', 'postgres', '--', 'psql', '-qAtX', 'handstamp', '-c', statement);
  await sql('create table before_the_mistake (id int)');
  const second = await sql("select to_char(now() + interval '1 second', 'YYYY-MM-DD HH24:MI:SSOF')");
  await sql('select pg_sleep(3)');
  await sql('drop table before_the_mistake; select pg_switch_wal()');
  await expect(debian.inside('/root/handstamp/deploy/backup/restore.sh', second)).rejects.toThrow(
    'Handstamp is running',
  );
  await debian.inside('systemctl', 'stop', 'handstamp');
  await debian.inside('/root/handstamp/deploy/backup/restore.sh', second);

  expect(await sql("select to_regclass('before_the_mistake')")).toBe('before_the_mistake');
  await debian.inside('systemctl', 'start', 'handstamp');
  await untilHttps();
});

const at = (file: string) => path.join(debian.root, file);

/** Because the name leads nowhere. */
async function useOwnCertificates(): Promise<void> {
  const shipped = readFileSync(at(CADDYFILE), 'utf8');
  writeFileSync(at(CADDYFILE), `{\n\tlocal_certs\n\tskip_install_trust\n}\n${shipped}`);
  await debian.inside('systemctl', 'restart', 'caddy');
}

const curl = (url: string, ...args: string[]) =>
  run('curl', ['-sk', '--resolve', `${DOMAIN}:443:127.0.0.1`, '--resolve', `${DOMAIN}:80:127.0.0.1`, ...args, url]);
const status = (url: string) => curl(url, '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}');

async function untilHttps(): Promise<void> {
  const isReady = async () => (await status(`https://${DOMAIN}/readyz`).catch(() => '')).startsWith('200');
  await until('the page is served by https', isReady, START_SECONDS).catch(async (error: unknown) => {
    throw new Error(await logOf('handstamp', 'caddy'), { cause: error });
  });
}

const logOf = (...units: string[]) =>
  debian.inside('journalctl', '-n', '60', '--no-pager', ...units.flatMap((unit) => ['-u', unit]));

const property = (name: string) => debian.inside('systemctl', 'show', 'handstamp', '--value', '-p', name);
const field = (text: string, name: string) => new RegExp(`^${name}:\\s+(\\w+)`, 'm').exec(text)?.[1];

/** The doctor's, with the settings of the service. */
const runChecks = () =>
  debian.inside(
    'sh',
    '-c',
    'cd /srv/handstamp/app && set -a; . /etc/handstamp/settings.env; CREDENTIALS_DIRECTORY=/etc/handstamp/secrets; set +a; ./node scripts/run-checks.mjs',
  );
