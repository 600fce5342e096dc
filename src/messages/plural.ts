/** Counts in texts, in the number format and by the plural rules of the language. */
const numbers = new Intl.NumberFormat('en-US');
const rules = new Intl.PluralRules('en-US');

/** A text per plural category of the language. The first `#` stands for the count, so names come after it. */
export interface PluralForms {
  one: string;
  other: string;
}

/** `1,420 tickets`, `1 ticket` */
export function plural(count: number, { one, other }: PluralForms): string {
  return (rules.select(count) === 'one' ? one : other).replace('#', formatCount(count));
}

/** `1,420` */
export const formatCount = (count: number): string => numbers.format(count);

export const TICKETS: PluralForms = { one: '# ticket', other: '# tickets' };
export const PAID_TICKETS: PluralForms = { one: '# paid ticket', other: '# paid tickets' };
export const BUYERS: PluralForms = { one: '# buyer', other: '# buyers' };
export const DAYS: PluralForms = { one: '# day', other: '# days' };
