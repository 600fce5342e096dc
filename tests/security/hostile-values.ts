/** Values that only an attacker sends. */
import { type Kind, kindOf } from '#tests/support/fields-of.ts';

/** Part of every text, so that echoed input is found. */
export const MARK = 'hostile9q7z';

/** Must never appear in a rejection. */
export const SENT = new RegExp(`${MARK}|x{40}|is_?admin|__proto__|constructor|prototype|x-injected`, 'i');

export interface HostileValue {
  name: string;
  /** As it appears in the body. */
  json: string;
  kind: Kind;
  /** Status of the rejection, whatever the field accepts. */
  always?: number;
}

const text = (name: string, value: string): HostileValue => ({ name, json: JSON.stringify(value), kind: 'string' });
const other = (json: string, name = json): HostileValue => ({ name, json, kind: kindOf(JSON.parse(json)) });

/** Text that is dangerous in a header, query, page, path, object key or database. */
const dangerous: [name: string, value: string][] = [
  ['no text', ''],
  ['white space', ' \t '],
  ['line breaks', `${MARK}\r\nx-injected: yes\r\n\r\n`],
  ['bidirectional text', `${MARK}\u202e\u2066\u200b`],
  ['control characters', `${MARK}\u0001\u001b[2J\u007f\u0085`],
  ['markup', `<script>${MARK}</script>`],
  ['SQL', `'; drop table users; --${MARK}`],
  ['a template', `\${${MARK}}{{7*7}}%s%n`],
  ['a path', `../../../../etc/${MARK}`],
  ['the name __proto__', '__proto__'],
  ['the name constructor', 'constructor'],
  ['the name toString', 'toString'],
  ['a number in hexadecimal', '0x10'],
  ['Infinity', 'Infinity'],
  ['digits', '1'],
  ['many digits', '9'.repeat(400)],
  ['a long text', 'x'.repeat(60_000)],
];

const isPoison = (json: string, name: string): HostileValue => ({ name, json, kind: 'object', always: 400 });

export const hostileValues: HostileValue[] = [
  ...dangerous.map(([name, value]) => text(name, value)),
  { ...text('a character that PostgreSQL does not store', `${MARK}\0`), always: 400 },
  { ...text('half a surrogate pair', `${MARK}\ud83d`), always: 400 },
  { ...text('a megabyte', 'x'.repeat(1024 * 1024)), always: 413 },
  other('null'),
  other('true'),
  other('false'),
  other('7'),
  other('-1'),
  other('0.1'),
  other('-0'),
  { name: '1e309', json: '1e309', kind: 'number' },
  other('[]'),
  other('[7]'),
  other(`["${MARK}"]`, 'a list'),
  other('{}'),
  other(`{"$gt":"${MARK}","length":1e9,"toString":null}`, 'an object that looks like another'),
  isPoison(`{"__proto__":{"isAdmin":true}}`, 'a __proto__'),
  isPoison(`{"constructor":{"prototype":{"isAdmin":true}}}`, 'a constructor'),
  isPoison(`{"prototype":{"isAdmin":true}}`, 'a prototype'),
];

/** Text for a URL, encoded so that most of it arrives unchanged. */
export const hostileTexts: { name: string; encoded: string; refusedAs?: number }[] = [
  ...dangerous
    .filter(([, value]) => value.length < 1000)
    .map(([name, value]) => ({ name, encoded: encodeURIComponent(value) })),
  { name: 'a long text', encoded: 'x'.repeat(8000) },
  { name: 'a megabyte', encoded: 'x'.repeat(1024 * 1024), refusedAs: 431 },
  { name: 'a character that PostgreSQL does not store', encoded: `${MARK}%00` },
  { name: 'half a surrogate pair', encoded: `${MARK}%ED%A0%BD` },
  { name: 'no UTF-8', encoded: `${MARK}%FF%FE` },
  { name: 'a broken escape', encoded: `${MARK}%zz` },
  { name: 'an escaped escape', encoded: `${MARK}%2500%252e` },
];
