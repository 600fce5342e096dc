/** An error as the log shows it: what kind it is and where it was thrown. Of what it says only what our own code or the engine said. */

interface LoggedError {
  type: string;
  code?: string;
  /** Of a statement that PostgreSQL refused: which rule, and whose. Its detail holds the row. */
  rule?: string;
  message?: string;
  /** The fields that broke a schema. */
  paths?: string[];
  stack: string[];
  cause?: LoggedError;
}

/** What these say was written by an engine, whose values stand in quotes, or by us. */
const PLAIN_SPOKEN = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'error']);
/** Told by a machine at the other end: a mail server repeats who the mail was for. */
const TOLD = ['response', 'responseCode', 'command', 'raw', 'rejected', 'rejectedErrors'];
const CAUSES = 3;

export function loggedError(error: unknown, causes = CAUSES): LoggedError | null {
  if (!(error instanceof Error)) return null;
  const { code, table, constraint } = namesIn(error);
  const rule = [table, constraint].filter(Boolean).join(' ');
  const cause = causes > 0 ? loggedError(error.cause, causes - 1) : null;
  const paths = pathsOf(error);
  const isPlainSpoken = PLAIN_SPOKEN.has(error.name) && !TOLD.some((field) => field in error);
  return {
    type: error.constructor.name,
    ...(code && { code }),
    ...(rule && { rule }),
    ...(isPlainSpoken && { message: withoutValues(error.message) }),
    ...(paths.length > 0 && { paths }),
    stack: framesOf(error),
    ...(cause && { cause }),
  };
}

const NAME = /^\w{1,64}$/;

/** PostgreSQL's names of things, and everyone's codes: short words, or they are none. */
function namesIn(error: Error) {
  const nameOf = (field: string) => {
    const value: unknown = Reflect.get(error, field);
    return typeof value === 'string' && NAME.test(value) ? value : undefined;
  };
  return { code: nameOf('code'), table: nameOf('table'), constraint: nameOf('constraint') };
}

const FRAME = /^ {4}at (?:[\w.$<>[\]# ]+ \()?(?:async )?(?:file:|node:|\/)[^\s?]+:\d+:\d+\)?$/;

/** The message stands before the frames, and may have lines that look like one. */
function framesOf({ stack = '', message }: Error): string[] {
  const from = message === '' ? 0 : Math.max(0, stack.indexOf(message)) + message.length;
  return stack
    .slice(from)
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => line.trim());
}

function pathsOf(error: Error): string[] {
  const issues: unknown = Reflect.get(error, 'issues');
  if (!Array.isArray(issues)) return [];
  return issues.map((issue: unknown) => withoutValues(pathOf(issue).join('.')));
}

function pathOf(issue: unknown): unknown[] {
  const path: unknown = typeof issue === 'object' && issue !== null && 'path' in issue ? issue.path : null;
  return Array.isArray(path) ? path.map(String) : [];
}

/**
 * What stands in quotes or brackets in a message is a value that somebody sent, as a rule; so is all that looks like one. What
 * does not end may have been cut off, and hides the rest. The apostrophe in a word opens nothing.
 */
const QUOTED = /["'`“‘].*["'`”’]|[(<[{].*[)>\]}]|(?:["`“‘(<[{]|(?<!\p{L})').*/gsu;
const RUN = /\S+/g;
/** With a digit in it, or this long, a word is a number, a token or a path with one in it. An id of ours has its own form. */
const WORD = /[^\s,;]+/g;
const ID =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:evt|pi|ch|re|pyr|du|dp|tr|trr|po|acct|txn|issfr)_\w{1,64}|[\w-]{16})[.:]?$/;
const LONGEST_WORD = 24;
const LONGEST = 300;

export function withoutValues(text: string): string {
  return text
    .replace(QUOTED, '…')
    .replace(RUN, (run) => (run.includes('@') ? '…' : run.replace(WORD, (word) => (isOurs(word) ? word : '…'))))
    .slice(0, LONGEST);
}

const isOurs = (word: string) => ID.test(word) || isPlain(word);

const isPlain = (word: string) => word.length <= LONGEST_WORD && !/\d{4}/.test(word) && !/[?=%\\]/.test(word);
