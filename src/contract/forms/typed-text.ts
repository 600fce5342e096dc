/**
 * Strips invisible characters and bidirectional overrides, which could reverse our own text in an email. Keeps the marks
 * that right-to-left scripts need.
 */
import * as z from 'zod/mini';

const UNSEEN = /(?![\n\t])[\p{Cc}\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/gu;

export const oneLine = () =>
  z.overwrite<string>((text) =>
    text
      .replace(/[\r\n\t]+/g, ' ')
      .replace(UNSEEN, '')
      .trim(),
  );

export const someLines = () => z.overwrite<string>((text) => text.replace(/\r\n?/g, '\n').replace(UNSEEN, '').trim());
