/** A Debian with nothing but what every Debian has, in a folder. It trusts the certificates that this machine trusts. */
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from './commands.ts';

const LOCAL_CERTIFICATES = '/usr/local/share/ca-certificates';
export const ALL_CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

export interface FreshDebian {
  root: string;
  remove(): void;
}

export async function openFreshDebian({ packages = [] }: { packages?: readonly string[] } = {}): Promise<FreshDebian> {
  const root = mkdtempSync(path.join(tmpdir(), 'handstamp-debian-'));
  // Its users open files, too.
  chmodSync(root, 0o755);
  await run('debootstrap', [
    '--variant=minbase',
    ...(packages.length > 0 ? [`--include=${packages.join(',')}`] : []),
    'trixie',
    root,
    'http://deb.debian.org/debian',
  ]);
  if (existsSync(LOCAL_CERTIFICATES))
    cpSync(LOCAL_CERTIFICATES, path.join(root, LOCAL_CERTIFICATES), { recursive: true });
  cpSync(ALL_CERTIFICATES, path.join(root, ALL_CERTIFICATES), { recursive: true, dereference: true });
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
