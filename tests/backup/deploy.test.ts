/** The files in deploy/backup agree with each other and with the documents. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const FOLDER = new URL('../../deploy/backup/', import.meta.url);
const files = readdirSync(FOLDER).sort();
const textOf = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
const valueOf = (file: string, name: string) => new RegExp(`^${name} ?= ?(.*)$`, 'm').exec(textOf(file))?.[1];

describe('deploy/backup', () => {
  it('archives each change within a minute, encrypted, and keeps nothing for more than 35 days [OPS-12]', () => {
    expect(Number(valueOf('postgresql.conf', 'archive_timeout'))).toBeLessThanOrEqual(60);
    expect(valueOf('postgresql.conf', 'archive_mode')).toBe('on');
    expect(valueOf('pgbackrest.conf', 'repo1-cipher-type')).toBe('aes-256-cbc');
    expect(valueOf('pgbackrest.conf', 'repo1-retention-full-type')).toBe('time');
    // The oldest full backup stays until the next one, a week later, is that old.
    expect(Number(valueOf('pgbackrest.conf', 'repo1-retention-full')) + 7).toBeLessThanOrEqual(35);
    expect(textOf('handstamp-backup-files.service')).toContain('--keep-within 28d');
    expect(textOf('handstamp-backup-files.service')).toContain('/var/lib/handstamp');
  });

  it('starts units that exist, and a timer enables each of them [OPS-12]', () => {
    const timers = files.filter((file) => file.endsWith('.timer'));
    const started = timers.map((file) => valueOf(file, 'Unit') ?? file.replace('.timer', '.service'));
    expect(started.sort()).toEqual([
      'handstamp-backup-files.service',
      'handstamp-backup-verify.service',
      'handstamp-backup@diff.service',
      'handstamp-backup@full.service',
    ]);
    for (const unit of started) expect(files).toContain(unit.replace(/@\w+/, '@'));
    for (const timer of timers) expect(textOf('install.sh')).toContain(timer);
  });

  it.each(files.filter((file) => file.endsWith('.sh')))('has a script that a shell can read: %s [OPS-12]', (file) => {
    execFileSync('sh', ['-n', fileURLToPath(new URL(file, FOLDER))]);
  });
});
