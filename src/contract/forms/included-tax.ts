/** The tax that an event's prices include, as organizers enter it. */
import * as z from 'zod/mini';
import { characterCount } from '#domain/limits.ts';
import { TAX_LABEL, TAX_LABEL_MAX, TAX_RATE_MAX } from '#domain/taxes/included-tax.ts';
import { because } from './form-problem.ts';
import { oneLine } from './typed-text.ts';

export const includedTaxForm = z.object({
  /** Percent; blank for no tax. */
  percent: z.string().check(z.refine((typed) => typedRate(typed) !== null, because('tax-percent.invalid'))),
  label: z.string().check(
    oneLine(),
    z.refine((label) => characterCount(label) <= TAX_LABEL_MAX, because('tax-label.too-long')),
  ),
});

/** @returns 0 for a blank field, null for none */
function typedRate(typed: string): number | null {
  const text = (typed.trim().endsWith('%') ? typed.trim().slice(0, -1) : typed).trim();
  if (text === '') return 0;
  const match = /^(\d{1,2})(?:\.(\d{1,3}))?$/.exec(text);
  if (!match) return null;
  const rate = Number(match[1]) * 1000 + Number((match[2] ?? '').padEnd(3, '0'));
  return rate <= TAX_RATE_MAX ? rate : null;
}

export const parseIncludedTax = ({ percent, label }: z.infer<typeof includedTaxForm>) => ({
  rate: typedRate(percent) ?? 0,
  label: label || TAX_LABEL,
});
