/**
 * What people write, without what nobody types: letters that are not seen, and signs that turn around the direction of
 * whatever stands behind them, be it our own sentence in a mail. Marks that right-to-left writing needs stay.
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
