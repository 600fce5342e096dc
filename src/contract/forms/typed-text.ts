/** Cleans what people type. Invisible characters could hide in a name, and reverse our own text in an email. */
import * as z from 'zod/mini';
import { visibleText } from '#domain/visible-text.ts';

/** For titles and names. */
export const oneLine = () =>
  z.overwrite<string>((text) => visibleText(text.replace(/[\r\n\t\u2028\u2029]+/g, ' ')).trim());

export const someLines = () =>
  z.overwrite<string>((text) =>
    visibleText(text.replace(/\r\n?|[\u2028\u2029]/g, '\n'), { keepsDirection: true }).trim(),
  );
