/** A small disk for a server's photos that can fill up or become read-only. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Product } from '#tests/support/product.ts';

export interface PhotoDisk {
  means: 'a small file system' | 'limits of the process';
  fill(): void;
  makeReadOnly(): void;
  heal(): void;
  remove(): void;
}

const KILOBYTES = 256;
/** Largest file that a limited process may write. */
const LIMITED_BYTES = 1024;

/**
 * Only root can mount, and in a container not even root. Otherwise limits the process and removes write permission from
 * the folder.
 */
export function smallDiskFor(product: Product, pid: number): PhotoDisk {
  const folder = path.join(product.dataDir, 'photos');
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync('/usr/bin/mount', ['-t', 'tmpfs', '-o', `size=${KILOBYTES}k`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return limitedProcess(folder, pid);
  }
  const filler = path.join(folder, '.filler');
  const run = (program: string, ...args: string[]) => execFileSync(program, args, { stdio: 'ignore' });
  return {
    means: 'a small file system',
    fill: () => {
      try {
        run('dd', 'if=/dev/zero', `of=${filler}`, 'bs=1k');
      } catch {
        // Ends when the disk is full.
      }
    },
    makeReadOnly: () => void run('/usr/bin/mount', '-o', 'remount,ro', folder),
    heal: () => {
      run('/usr/bin/mount', '-o', `remount,rw,size=${KILOBYTES}k`, folder);
      run('rm', '-f', filler);
    },
    remove: () => void run('/usr/bin/umount', '-l', folder),
  };
}

function limitedProcess(folder: string, pid: number): PhotoDisk {
  const limit = (bytes: string) => execFileSync('/usr/bin/prlimit', ['--pid', String(pid), `--fsize=${bytes}`]);
  return {
    means: 'limits of the process',
    fill: () => void limit(`${LIMITED_BYTES}:unlimited`),
    // Root ignores folder permissions, but not process limits.
    makeReadOnly: () => (process.getuid?.() === 0 ? void limit('0:unlimited') : chmodSync(folder, 0o555)),
    heal: () => {
      limit('unlimited:unlimited');
      chmodSync(folder, 0o755);
    },
    remove: () => {},
  };
}
