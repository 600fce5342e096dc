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
