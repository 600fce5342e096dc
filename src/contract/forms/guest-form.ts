/** What an event asks its buyers, as organizers set it up. */
import * as z from 'zod/mini';
import { characterCount, TICKET_TYPES_MAX } from '#domain/limits.ts';
import { nameKey } from '#domain/name-key.ts';
import {
  ACCESS_ANSWER_DAYS,
  ANSWER_DAYS,
  ANSWER_DAYS_MAX,
  hasOptions,
  isUsuallyShownAtDoor,
  NAME_RULES,
  OPTION_MAX,
  OPTIONS_MAX,
  OPTIONS_MIN,
  QUESTION_HELP_MAX,
  QUESTION_KINDS,
  QUESTION_LABEL_MAX,
  QUESTION_SCOPES,
  QUESTIONS_MAX,
  type Question,
} from '#domain/sales/guest-form.ts';
import { because, type FormReason } from './form-problem.ts';
import { typedCount } from './typed-count.ts';
import { oneLine } from './typed-text.ts';

const fields = z.object({
  /** Of a question that is asked already: its answers stay with it. */
  questionId: z.optional(z.uuid()),
  kind: z.enum(QUESTION_KINDS),
  label: z.string().check(oneLine()),
  help: z.optional(z.string().check(oneLine())),
  options: z.optional(z.array(z.string().check(oneLine()))),
  isRequired: z.optional(z.boolean()),
  scope: z.enum(QUESTION_SCOPES),
  /** Without any, it is asked about all types. */
  ticketIds: z.optional(z.array(z.string()).check(z.maxLength(TICKET_TYPES_MAX))),
  /** Days after the event's end; blank for the usual time. */
  deleteAfterDays: z.optional(z.union([z.string(), z.number()])),
  /** By default, answers about access needs are shown. */
  isShownAtDoor: z.optional(z.boolean()),
});

export type QuestionInput = z.infer<typeof fields>;

export const questionForm = fields.check((form) => {
  for (const [field, reason] of problemsOf(form.value))
    form.issues.push({ code: 'custom', input: form.value, path: [field], message: because(reason) });
});

export const guestForm = z.object({
  asksNames: z.enum(NAME_RULES),
  questions: z.array(questionForm).check(z.maxLength(QUESTIONS_MAX, because('questions.too-many'))),
});

/** Of a valid form. */
export function parseQuestion(form: QuestionInput, id: string): Question {
  const { kind, label, help = '', isRequired = false, scope, ticketIds = [] } = form;
  return {
    id,
    kind,
    label,
    help,
    options: hasOptions(kind) ? optionsOf(form) : [],
    isRequired,
    scope,
    ticketTypeIds: ticketIds.length > 0 ? [...new Set(ticketIds)] : null,
    deleteAfterDays: typedCount(form.deleteAfterDays, ANSWER_DAYS_MAX) ?? usualDays(form),
    isShownAtDoor: form.isShownAtDoor ?? isUsuallyShownAtDoor(kind),
  };
}

const usualDays = ({ kind }: QuestionInput): number => (kind === 'access' ? ACCESS_ANSWER_DAYS : ANSWER_DAYS);

const optionsOf = ({ options = [] }: QuestionInput): string[] => options.filter((option) => option !== '');

function problemsOf(form: QuestionInput): [keyof QuestionInput, FormReason][] {
  const problems: [keyof QuestionInput, FormReason][] = [];
  const { kind, label, help = '' } = form;
  if (label === '') problems.push(['label', 'question-label.missing']);
  if (characterCount(label) > QUESTION_LABEL_MAX) problems.push(['label', 'question-label.too-long']);
  if (characterCount(help) > QUESTION_HELP_MAX) problems.push(['help', 'question-help.too-long']);
  const reason = hasOptions(kind) && denyOptions(optionsOf(form));
  if (reason) problems.push(['options', reason]);
  if (typedCount(form.deleteAfterDays, ANSWER_DAYS_MAX) === undefined)
    problems.push(['deleteAfterDays', 'answer-days.invalid']);
  return problems;
}

function denyOptions(options: readonly string[]): FormReason | null {
  const isTooLong = options.some((option) => characterCount(option) > OPTION_MAX);
  if (isTooLong || options.length < OPTIONS_MIN || options.length > OPTIONS_MAX) return 'question-options.invalid';
  return new Set(options.map(nameKey)).size < options.length ? 'question-options.repeated' : null;
}
