/** Who uses the tickets of an order, and the answers to what the event asks. */
import * as z from 'zod/mini';
import { characterCount, ORDER_TICKETS_MAX } from '#domain/limits.ts';
import {
  ANSWER_MAX,
  type Answer,
  type Answers,
  type Asked,
  type AskedQuestion,
  GUEST_NAME_MAX,
  isBlank,
  OPTIONS_MAX,
  YES_NO,
} from '#domain/sales/guest-form.ts';
import { because, type FormProblem } from './form-problem.ts';
import { oneLine, someLines } from './typed-text.ts';

const answer = z.union([
  z.string().check(someLines()),
  z.array(z.string().check(oneLine())).check(z.maxLength(OPTIONS_MAX)),
]);

const answers = z.record(z.string(), answer);

export const guestName = z.string().check(
  oneLine(),
  z.refine((name) => characterCount(name) <= GUEST_NAME_MAX, because('guest-name.too-long')),
);

/** Answers are by question. What isn't asked is ignored. */
export const guestDetails = z.object({
  order: z.optional(z.object({ answers })),
  /** In the order of the tickets. */
  tickets: z
    .array(z.object({ name: z.optional(guestName), answers: z.optional(answers) }))
    .check(z.maxLength(ORDER_TICKETS_MAX)),
});

export type GuestDetails = z.infer<typeof guestDetails>;

export interface GuestRow {
  /** 0: the order. */
  position: number;
  name: string | null;
  answers: Answers;
}

/** What to store of details without a problem: of the order, then of each ticket; nothing that isn't asked. */
export function guestRowsOf(asked: Asked, details: GuestDetails): GuestRow[] {
  const rows = asked.tickets.map(({ asksName, questions }, index) => ({
    position: index + 1,
    name: (asksName !== 'off' && details.tickets[index]?.name) || null,
    answers: answersTo(questions, details.tickets[index]?.answers),
  }));
  const order = { position: 0, name: null, answers: answersTo(asked.order, details.order?.answers) };
  return [order, ...rows].filter(({ name, answers: given }) => name !== null || Object.keys(given).length > 0);
}

function answersTo(questions: readonly AskedQuestion[], given: Answers = {}): Answers {
  const known = questions.flatMap(({ id }): [string, Answer][] => {
    const answered = given[id];
    return answered === undefined || isBlank(answered) ? [] : [[id, answered]];
  });
  return Object.fromEntries(known);
}

/** From top to bottom. */
export function detailsProblems(asked: Asked, { order, tickets }: GuestDetails): FormProblem[] {
  return [
    ...answerProblems('order', asked.order, order?.answers),
    ...asked.tickets.flatMap(({ asksName, questions }, index) => {
      const isNameless = asksName === 'required' && !tickets[index]?.name;
      const name: FormProblem = { field: `tickets.${index}.name`, reason: 'guest-name.missing' };
      return [...(isNameless ? [name] : []), ...answerProblems(`tickets.${index}`, questions, tickets[index]?.answers)];
    }),
  ];
}

function answerProblems(at: string, questions: readonly AskedQuestion[], given: Answers = {}): FormProblem[] {
  return questions.flatMap((question) => {
    const reason = denyAnswer(question, given[question.id]);
    return reason ? [{ field: `${at}.answers.${question.id}`, reason, expected: question.label }] : [];
  });
}

type AnswerReason = 'answer.missing' | 'answer.too-long' | 'answer.not-offered' | 'answer.no-date';

function denyAnswer({ kind, options, isRequired }: AskedQuestion, answered: Answer = ''): AnswerReason | null {
  if (isBlank(answered)) return isRequired ? 'answer.missing' : null;
  const isList = typeof answered !== 'string';
  if (kind === 'any-of') return isList && answered.every((one) => options.includes(one)) ? null : 'answer.not-offered';
  if (isList) return 'answer.not-offered';
  if (kind === 'one-of') return options.includes(answered) ? null : 'answer.not-offered';
  if (kind === 'yes-no') return YES_NO.some((one) => one === answered) ? null : 'answer.not-offered';
  if (kind === 'date') return isDate(answered) ? null : 'answer.no-date';
  return characterCount(answered) > ANSWER_MAX ? 'answer.too-long' : null;
}

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text);

/** Not the 30th of February. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}
