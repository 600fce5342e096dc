/** docs/running.md, "From a fresh Debian to the first sale", in a file system of its own. Takes the ports 80, 443 and 3000 of this machine. */
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '#tests/support/metrics.ts';
import { type Running, run, start } from './commands.ts';
import { ALL_CERTIFICATES, type FreshDebian, openFreshDebian } from './fresh-debian.ts';

const REPOSITORY = new URL('../..', import.meta.url).pathname;
const DOMAIN = 'tickets.example';
const START_SECONDS = 120;
/** There is no systemd in a folder: the test starts what the unit says. */
const SYSTEMCTL = '#!/bin/sh\necho "$*" >>/systemctl\n';
const CREDENTIALS = '/run/credentials/handstamp.service';

let debian: FreshDebian;
let installed: string;
const running: Running[] = [];

beforeAll(async () => {
  debian = await openFreshDebian();
  const { root } = debian;
  writeFileSync(path.join(root, 'usr/local/bin/systemctl'), SYSTEMCTL);
  chmodSync(path.join(root, 'usr/local/bin/systemctl'), 0o755);
  // Packages start their services, as they do where there is an init.
  writeFileSync(path.join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 0\n');
  chmodSync(path.join(root, 'usr/sbin/policy-rc.d'), 0o755);
  cpSync('/etc/resolv.conf', path.join(root, 'etc/resolv.conf'), { dereference: true });
  await run('mount', ['-t', 'proc', 'proc', path.join(root, 'proc')]);
  await run('mount', ['--bind', '/dev', path.join(root, 'dev')]);
  await run('git', ['clone', '-q', REPOSITORY, path.join(root, 'root/handstamp')]);
  const began = Date.now();
  installed = await inside('/root/handstamp/deploy/debian/install.sh', DOMAIN);
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  process.stdout.write(`Installed in ${minutes} minutes.\n`);
});

afterAll(async () => {
  for (const each of running.toReversed()) await each.stop();
  await inside(
    'sh',
    '-c',
    'pg_lsclusters -h | while read -r version name rest; do pg_ctlcluster "$version" "$name" stop || true; done',
  );
  for (const mounted of ['proc', 'dev']) await run('umount', ['-l', path.join(debian.root, mounted)]);
  debian.remove();
});

it('is installed by the script, and repeating that keeps its secrets', async () => {
  expect(installed).toContain('Handstamp is installed.');
  const secret = readFileSync(path.join(debian.root, 'etc/handstamp/secrets/APP_SECRET'), 'utf8');
  expect(secret).toMatch(/^[0-9a-f]{64}\n$/);
  expect(await inside('stat', '-c', '%a %U', '/etc/handstamp/secrets', '/etc/handstamp/secrets/APP_SECRET')).toBe(
    '700 root\n600 root',
  );
  const asked = readFileSync(path.join(debian.root, 'systemctl'), 'utf8').split('\n');
  expect(asked).toEqual(expect.arrayContaining(['enable handstamp', 'restart handstamp', 'reload-or-restart caddy']));

  await inside('/root/handstamp/deploy/debian/install.sh');
  expect(readFileSync(path.join(debian.root, 'etc/handstamp/secrets/APP_SECRET'), 'utf8')).toBe(secret);
  expect(existsSync(path.join(debian.root, 'srv/handstamp/app.old/package.json'))).toBe(true);
});

it('serves https behind the proxy, and no API in the clear', async () => {
  startServer();
  await startProxy();
  const curl = (url: string, ...args: string[]) =>
    run('curl', ['-sk', '--resolve', `${DOMAIN}:443:127.0.0.1`, '--resolve', `${DOMAIN}:80:127.0.0.1`, ...args, url]);
  const status = (url: string) => curl(url, '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}');
  const answersHttps = async () => (await status(`https://${DOMAIN}/readyz`).catch(() => '')).startsWith('200');
  await until('the page is served by https', answersHttps, START_SECONDS).catch((error: unknown) => {
    throw new Error(running.map((each) => each.printed()).join('\n'), { cause: error });
  });

  expect(await curl(`https://${DOMAIN}/`)).toContain('<title>');
  expect(await status(`http://${DOMAIN}/login`)).toBe(`301 https://${DOMAIN}/login`);
  expect(await status(`http://${DOMAIN}/api/public/offer`)).toBe('403');
  expect(await inside('sh', '-c', `cd /srv/handstamp/app && ${withSettings} ./node scripts/run-checks.mjs`)).toContain(
    'All checks passed.',
  );
});

const withSettings = 'set -a; . /etc/handstamp/settings.env; CREDENTIALS_DIRECTORY=/etc/handstamp/secrets; set +a;';

/** With the user, the folder, the files and the command of the unit. */
function startServer(): void {
  const unit = readFileSync(path.join(debian.root, 'etc/systemd/system/handstamp.service'), 'utf8');
  const [user, folder, command] = ['User', 'WorkingDirectory', 'ExecStart'].map(
    (name) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '',
  );
  const credentials = path.join(debian.root, CREDENTIALS);
  mkdirSync(credentials, { recursive: true });
  for (const [, name = '', file = ''] of unit.matchAll(/^LoadCredential=(\w+):(.*)$/gm))
    cpSync(path.join(debian.root, file), path.join(credentials, name));
  const script = [
    `chown -R ${user} ${CREDENTIALS}`,
    `install -d -o ${user} -g ${user} -m 700 /var/lib/handstamp`,
    `set -a; . /etc/handstamp/settings.env; CREDENTIALS_DIRECTORY=${CREDENTIALS}; set +a`,
    `cd ${folder} && exec runuser -u ${user} -- ${command}`,
  ].join('\n');
  running.push(start('chroot', [debian.root, 'sh', '-c', script]));
}

/** With certificates of its own, because the name leads nowhere. */
async function startProxy(): Promise<void> {
  const file = path.join(debian.root, 'etc/caddy/Caddyfile');
  const shipped = readFileSync(file, 'utf8');
  writeFileSync(file, '{\n\tlocal_certs\n\tskip_install_trust\n}\n');
  appendFileSync(file, shipped);
  const caddy = ['caddy', 'run', '--config', '/etc/caddy/Caddyfile'];
  running.push(start('chroot', [debian.root, 'env', 'HOME=/var/lib/caddy', ...caddy]));
}

/** With nothing of the environment here, which has npm's settings. */
const inside = (...command: string[]) => run('chroot', [debian.root, 'env', '-i', ...ENVIRONMENT, ...command]);

const ENVIRONMENT = [
  'HOME=/root',
  'LC_ALL=C.UTF-8',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  `NODE_EXTRA_CA_CERTS=${ALL_CERTIFICATES}`,
];
