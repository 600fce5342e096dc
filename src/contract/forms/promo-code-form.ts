/** A promo code, as organizers enter it. */
import * as z from 'zod/mini';
import { normalizeCode } from '#domain/codes.ts';
import {
  ORDER_TICKETS_MAX,
  PROMO_CODE_MAX,
  PROMO_CODE_MIN,
  TICKET_PRICE_MAX_CENTS,
  TICKET_PRICE_MIN_CENTS,
  TICKET_QUANTITY_MAX,
  TICKET_TYPES_MAX,
} from '#domain/limits.ts';
import { centsOf } from '#domain/money.ts';
import { PROMO_KINDS, type PromoKind } from '#domain/sales/promo-codes.ts';
import { because, type FormProblem, type FormReason } from './form-problem.ts';
import { typedCount } from './typed-count.ts';
import { oneLine } from './typed-text.ts';
import { timeOrNull, typedTime } from './typed-time.ts';

const typed = z.optional(z.union([z.string(), z.number()]));

const fields = z.object({
  code: z.string().check(oneLine()),
  kind: z.enum(PROMO_KINDS),
  /** Percent, or dollars; blank for a code that only unlocks. */
  value: typed,
  /** The ids of the ticket types that it applies to; without any, all that it can apply to. */
  ticketIds: z.optional(z.array(z.string()).check(z.maxLength(TICKET_TYPES_MAX))),
  /** These are blank without a limit. */
  maxUses: typed,
  maxPerOrder: typed,
  validFrom: z.optional(z.string()),
  validUntil: z.optional(z.string()),
});

type Form = z.infer<typeof fields>;

export type PromoCodeInput = Form;

export const promoCodeForm = fields.check((form) => {
  for (const [field, reason] of problemsOf(form.value))
    form.issues.push({ code: 'custom', input: form.value, path: [field], message: because(reason) });
});

export interface ParsedPromoCode {
  code: string;
  kind: PromoKind;
  value: number;
  ticketIds: readonly string[];
  maxUses: number | null;
  maxPerOrder: number | null;
  validFrom: Date | null;
  validUntil: Date | null;
}

/** A valid form, or the first problem of its times. */
export function parsePromoCode(form: Form, timezone: string): ParsedPromoCode | FormProblem {
  const [problem] = promoTimeProblems(form, timezone);
  if (problem) return problem;
  const { kind, ticketIds = [] } = form;
  return {
    code: shownCode(form.code),
    kind,
    value: valueOf(form) ?? 0,
    ticketIds,
    maxUses: typedCount(form.maxUses, TICKET_QUANTITY_MAX) ?? null,
    maxPerOrder: typedCount(form.maxPerOrder, ORDER_TICKETS_MAX) ?? null,
    validFrom: timeOrNull(form.validFrom, timezone, 'earlier'),
    validUntil: timeOrNull(form.validUntil, timezone, 'later'),
  };
}

/** Times are entered in the event's time zone. */
export function promoTimeProblems({ validFrom, validUntil }: Form, timezone: string): FormProblem[] {
  const problems: FormProblem[] = [];
  const from = typedTime(validFrom, timezone, 'earlier');
  const until = typedTime(validUntil, timezone, 'later');
  if (typeof from === 'string') problems.push({ field: 'validFrom', reason: `promo-from.${from}` });
  if (typeof until === 'string') problems.push({ field: 'validUntil', reason: `promo-until.${until}` });
  if (from instanceof Date && until instanceof Date && until <= from)
    problems.push({ field: 'validUntil', reason: 'promo-until.too-early' });
  return problems;
}

const shownCode = (code: string): string => code.trim().toUpperCase();

const CODE = /^[A-Z0-9-]+$/;

function problemsOf(form: Form): [keyof Form, FormReason][] {
  const problems: [keyof Form, FormReason][] = [];
  const code = shownCode(form.code);
  const isLongEnough = normalizeCode(code).length >= PROMO_CODE_MIN && code.length <= PROMO_CODE_MAX;
  if (!CODE.test(code) || !isLongEnough) problems.push(['code', 'promo-code.invalid']);
  if (valueOf(form) === null && form.kind !== 'unlock') problems.push(['value', `promo-${form.kind}.invalid`]);
  if (typedCount(form.maxUses, TICKET_QUANTITY_MAX) === undefined) problems.push(['maxUses', 'promo-max-uses.invalid']);
  if (typedCount(form.maxPerOrder, ORDER_TICKETS_MAX) === undefined)
    problems.push(['maxPerOrder', 'promo-max-per-order.invalid']);
  return problems;
}

/** As in `PromoTerms`; null if it is none of this kind. */
function valueOf({ kind, value = '' }: Form): number | null {
  if (kind === 'unlock') return 0;
  if (kind === 'percent') {
    const percent = typedCount(String(value).replace(/\s*%\s*$/, ''), 100);
    return percent ? percent * 100 : null;
  }
  const cents = centsOf(value);
  if (cents === null || cents > TICKET_PRICE_MAX_CENTS) return null;
  if (kind === 'amount') return cents > 0 ? cents : null;
  return cents === 0 || cents >= TICKET_PRICE_MIN_CENTS ? cents : null;
}
