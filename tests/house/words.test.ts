/** Keeps retired terms and habits of phrasing out of code, comments, docs and messages. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

interface Retired {
  /** Matched without case against text with identifiers split into words. A space matches any white space or a hyphen. */
  pattern: string;
  use: string;
}

const retired: readonly Retired[] = [
  { pattern: 'card compan(?:y|ies)', use: 'Stripe, payment processor, or "your bank"' },
  { pattern: 'notices?', use: 'webhook event, or email' },
  { pattern: '(?:provider|processor|stripe) books', use: 'balance transactions' },
  { pattern: 'provider movements?|movements read', use: 'balance transactions' },
  { pattern: 'quarantin\\w*', use: 'needs review' },
  { pattern: 'unfillable', use: 'unfulfillable' },
  { pattern: 'payment (?:line|pace)s?', use: 'checkout queue, rate' },
  { pattern: 'lanes?', use: 'batcher' },
  { pattern: 'keepers?', use: 'cache' },
  { pattern: 'shel(?:f|ves)', use: 'cache' },
  { pattern: 'obstacles?|refusals?', use: 'denial reason, AppError' },
  { pattern: 'hand(?:s|ed|ing)? in', use: 'sync' },
  { pattern: 't(?:ake|akes|aking|aken|ook) back', use: 'undo, reverse' },
  { pattern: 'g(?:ive|ives|iving|iven|ave) back', use: 'release, refund' },
  { pattern: "door(?:'?s'?)? lists?", use: 'offline ticket list' },
  { pattern: 'door devices', use: 'check-in devices' },
  { pattern: 'supplement(?:s|al)?', use: 'additional payout' },
  { pattern: 'withheld', use: 'on hold, deducted' },
  { pattern: 'forgotten refunds?', use: 'orphaned refund' },
  { pattern: 'recoveries', use: 'transfer reversals' },
  { pattern: 'folds?|folded|folding', use: 'roll up' },
  { pattern: 'living workers?', use: 'worker heartbeat' },
  { pattern: 'webhook inbox', use: 'webhook events' },
  { pattern: 'audit entr(?:y|ies)', use: 'audit events' },
  { pattern: 'reconciler looks?|rare looks?', use: 'poll' },
  { pattern: '(?<!send )(?:e )?mails?(?! (?:servers?|scanners?|from|outbox|\\d)|to:)', use: 'email' },
  { pattern: 'mail outbox', use: 'email outbox' },
  { pattern: '(?:e?mailed|email|mail|reminder|refund|payout) letters?', use: 'email' },
  { pattern: 'words file', use: 'messages' },
  { pattern: 'worlds?', use: 'test app, fixture' },
  { pattern: 'whoever', use: 'the person, by role' },
  { pattern: 'somebody|everybody', use: 'the person, by role' },
  { pattern: 'anew', use: 'again' },
  { pattern: '(?:is|are|was|were) told', use: 'learns, is notified, shows' },
  { pattern: 'beside', use: 'next to, besides' },
  { pattern: 'of chance', use: 'random, jittered' },
  { pattern: "doctor(?:'s)? questions?|questions? (?:of|for|to) the doctor", use: 'check' },
];

/** `tries` is a verb in prose. */
const RETIRED_NAME = /\b(?:(?:const|let) \{? ?tries\b|\.tries\b|\btries[,:] )/g;

/** English and third-party uses, quoted texts, and names that other systems store. */
const allowed: readonly [file: string, text: RegExp][] = [
  ['src/web/ui/icons/icon-paths.ts', /mail: \[/],
  ['src/server/platform/adapters/webhooks/webhook-address.ts', /new Resolver\(\{ timeout, tries: 1 \}\)/],
  ['src/web/event-page/EventSkeleton.module.css', /below the fold/],
  ['src/web/ui/page/bring-into-view.ts', /below a dialog's fold/],
  ['tests/screenshots/screenshot.ts', /above the fold/],
  ['docs/requirements.md', /## MAIL:/],
  ['docs/running.md', /mail\.example/],
  ['README.md', /mail\.example/],
  ['src/sandbox/shapes/dispute.ts', /refund_refusal_explanation/],
  ['src/server/accounts/passwords.ts', /Argon2id .* one lane/],
  ['tests/security/http-limits.test.ts', /a folded header/],
  ['src/server/events/page/event-page.test.ts', /utm_source=mail/],
  // Part of a key derivation: another text would change every stored hash.
  ['src/server/checkin/offline-list/hash-number.ts', /deriveKey\(appSecret, 'door list'\)/],
  ['docs/security.md', /^\| `door list`, /],
];

const TEXT = '{ts,tsx,mjs,js,sql,css,html,md,txt,json}';
const PATTERNS = [
  `{clients,src,tests,docs,scripts,bench,migrations}/**/*.${TEXT}`,
  '{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md',
];
const SELF = 'tests/house/words.test.ts';

describe('The words of the repository', () => {
  it('are those of the field: each retired term has a replacement', async () => {
    const files = await read(PATTERNS);
    expect(files.length).toBeGreaterThan(1000);
    expect(files.flatMap(({ path, text }) => findingsIn(path, text))).toEqual([]);
  });

  it('rarely make "nobody" the subject of a comment', async () => {
    const comments = (await read(['{clients,src,tests,scripts,bench,migrations}/**/*.{ts,tsx,mjs,sql}'])).map(
      commentsIn,
    );
    const words = comments.flatMap(({ text }) => text.match(/[A-Za-z][\w'’-]*/g) ?? []);
    const found = comments.flatMap(({ path, text }) =>
      matches(text, /\b(?:whoever|nobody|no one|somebody|anew)\b/gi).map(
        ({ line, found: word }) => `${path}:${line}: ${word}`,
      ),
    );

    expect(words.length).toBeGreaterThan(10_000);
    expect(found.length / words.length > 1.5 / 10_000 ? found : []).toEqual([]);
  });
});

async function read(patterns: string[]): Promise<{ path: string; text: string }[]> {
  const paths = (await filesOf(patterns)).filter((path) => path !== SELF);
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(join(repository, path), 'utf8') })));
}

/** One line per finding: `file:line: word -> use`. */
function findingsIn(path: string, text: string): string[] {
  const lines = text.split('\n');
  const isAllowed = (line: number) =>
    allowed.some(([file, excuse]) => file === path && excuse.test(lines[line - 1] ?? ''));
  const prose = splitIdentifiers(text);
  const found = COMPILED.flatMap(({ pattern, use }) => matches(prose, pattern).map((match) => ({ ...match, use })));
  const names = matches(text, RETIRED_NAME).map((match) => ({ ...match, use: 'attempts' }));
  return [...found, ...names]
    .filter(({ line }) => !isAllowed(line))
    .map(({ line, found: word, use }) => `${path}:${line}: ${word} -> ${use}`);
}

const COMPILED = retired.map(({ pattern, use }) => ({
  pattern: new RegExp(String.raw`\b(?:${pattern.replaceAll(' ', String.raw`[\s-]+`)})\b`, 'gi'),
  use,
}));

/** Splits `doorDevices` and `door_devices`, and joins comments that wrap. Keeps every line break. */
function splitIdentifiers(text: string): string {
  return text
    .replace(/\n[ \t]*(?:\*(?!\/)|\/\/|--)[ \t]*/g, '\n')
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .replaceAll('_', ' ');
}

/** Blanks everything except comments, and keeps the line breaks. */
function commentsIn({ path, text }: { path: string; text: string }): { path: string; text: string } {
  const token = path.endsWith('.sql')
    ? /--[^\n]*|'[^']*'|[^-']|-/g
    : /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[\s\S]/g;
  const isComment = (part: string) => /^(?:\/\*|\/\/|--)/.test(part);
  return { path, text: text.replace(token, (part) => (isComment(part) ? part : part.replace(/[^\n]+/g, ' '))) };
}

function matches(text: string, pattern: RegExp): { line: number; found: string }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    found: match[0].replace(/\s+/g, ' ').trim(),
  }));
}
