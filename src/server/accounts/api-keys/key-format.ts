/**
 * The text of a key: `hs_live_` or `hs_test_`, the id and the secret in hexadecimal, and a checksum. Scanners for leaked
 * secrets recognize it, and a mistyped key costs no query.
 */
import { crc32 } from 'node:zlib';

interface KeyParts {
  isLive: boolean;
  id: string;
  /** 32 random bytes in hexadecimal. */
  secret: string;
}

const KEY = /^hs_(live|test)_([0-9a-f]{32})([0-9a-f]{64})([0-9a-f]{8})$/;
const ID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

export function writeKey({ isLive, id, secret }: KeyParts): string {
  const text = `${prefixOf(isLive)}${id.replaceAll('-', '')}${secret}`;
  return text + checksumOf(text);
}

/** Null if it isn't the text of a key. */
export function readKey(text: string): KeyParts | null {
  const [, kind, id, secret, checksum] = KEY.exec(text) ?? [];
  if (id === undefined || secret === undefined || checksum === undefined) return null;
  if (checksumOf(text.slice(0, -checksum.length)) !== checksum) return null;
  return { isLive: kind === 'live', id: id.replace(ID, '$1-$2-$3-$4-$5'), secret };
}

const prefixOf = (isLive: boolean): string => `hs_${isLive ? 'live' : 'test'}_`;

const checksumOf = (text: string) => crc32(text).toString(16).padStart(8, '0');
