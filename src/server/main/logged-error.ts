/** Serializes errors for the log: type, stack and cause. The message is logged only if our code or the engine wrote it. */
interface LoggedError {
  type: string;
  code?: string;
  /** Table and constraint of a PostgreSQL error, whose `detail` would contain the row. */
  rule?: string;
  message?: string;
  /** The fields that failed validation. */
  paths?: string[];
  stack: string[];
  cause?: LoggedError;
}

/** Their messages are written by us, or by the engine, which quotes values. */
const TRUSTED_NAMES = new Set(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'error']);
/** Fields of remote errors: a mail server's response repeats the recipient. */
const REMOTE_ERROR_FIELDS = ['response', 'responseCode', 'command', 'raw', 'rejected', 'rejectedErrors'];
const MAX_CAUSES = 3;

export function loggedError(error: unknown, causes = MAX_CAUSES): LoggedError | null {
  if (!(error instanceof Error)) return null;
  const { code, table, constraint } = namesIn(error);
  const rule = [table, constraint].filter(Boolean).join(' ');
  const cause = causes > 0 ? loggedError(error.cause, causes - 1) : null;
  const paths = pathsOf(error);
  const isTrusted = TRUSTED_NAMES.has(error.name) && !REMOTE_ERROR_FIELDS.some((field) => field in error);
  return {
    type: error.constructor.name,
    ...(code && { code }),
    ...(rule && { rule }),
    ...(isTrusted && { message: withoutValues(error.message) }),
    ...(paths.length > 0 && { paths }),
    stack: framesOf(error),
    ...(cause && { cause }),
  };
}

const NAME = /^\w{1,64}$/;

/** Codes and PostgreSQL's object names. Anything that is not a short identifier is dropped. */
function namesIn(error: Error) {
  const nameOf = (field: string) => {
    const value: unknown = Reflect.get(error, field);
    return typeof value === 'string' && NAME.test(value) ? value : undefined;
  };
  return { code: nameOf('code'), table: nameOf('table'), constraint: nameOf('constraint') };
}

const FRAME = /^ {4}at (?:[\w.$<>[\]# ]+ \()?(?:async )?(?:file:|node:|\/)[^\s?]+:\d+:\d+\)?$/;

/** The message precedes the frames, and may contain lines that look like frames. */
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
 * Text in quotes or brackets is usually user input. An unterminated quote hides the rest of the message, which may have been cut
 * off. An apostrophe inside a word is not a quote.
 */
const QUOTED = /["'`“‘].*["'`”’]|[(<[{].*[)>\]}]|(?:["`“‘(<[{]|(?<!\p{L})').*/gsu;
const RUN = /\S+/g;
/** Long words and words with many digits may be numbers or tokens. Our own ids are recognized by their form. */
const WORD = /[^\s,;]+/g;
const ID =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?:evt|pi|ch|re|pyr|du|dp|tr|trr|po|acct|txn|issfr)_\w{1,64}|[\w-]{16})[.:]?$/;
const MAX_WORD_LENGTH = 24;
const MAX_LENGTH = 300;

export function withoutValues(text: string): string {
  return text
    .replace(QUOTED, '…')
    .replace(RUN, (run) => (run.includes('@') ? '…' : run.replace(WORD, (word) => (isSafe(word) ? word : '…'))))
    .slice(0, MAX_LENGTH);
}

const isSafe = (word: string) => ID.test(word) || isPlain(word);

const isPlain = (word: string) => word.length <= MAX_WORD_LENGTH && !/\d{4}/.test(word) && !/[?=%\\]/.test(word);
