/** What an event asks its buyers before they pay: the guests' names, and questions. */

/** `access`: what a guest needs to get in and around. */
export const QUESTION_KINDS = ['short-text', 'long-text', 'one-of', 'any-of', 'yes-no', 'date', 'access'] as const;

export type QuestionKind = (typeof QUESTION_KINDS)[number];

export const NAME_RULES = ['off', 'optional', 'required'] as const;

export type NameRule = (typeof NAME_RULES)[number];

/** Asked once per order, or of each ticket. */
export const QUESTION_SCOPES = ['ticket', 'order'] as const;

export interface Question {
  id: string;
  kind: QuestionKind;
  label: string;
  /** Blank without any. */
  help: string;
  /** Of `one-of` and `any-of`. */
  options: readonly string[];
  isRequired: boolean;
  scope: (typeof QUESTION_SCOPES)[number];
  /** Null: asked about all types. Once per order: if the order has any of these. */
  ticketTypeIds: readonly string[] | null;
  /** After the event's end. */
  deleteAfterDays: number;
  /** The device that checks in a ticket shows its answer. */
  isShownAtDoor: boolean;
}

export interface GuestForm {
  asksNames: NameRule;
  questions: readonly Question[];
}

export const QUESTIONS_MAX = 20;
export const QUESTION_LABEL_MAX = 100;
export const QUESTION_HELP_MAX = 200;
export const OPTIONS_MIN = 2;
export const OPTIONS_MAX = 20;
export const OPTION_MAX = 100;
export const ANSWER_MAX = 500;
export const GUEST_NAME_MAX = 100;
export const ANSWER_DAYS_MAX = 365;
/** By default. */
export const ANSWER_DAYS = 90;
export const ACCESS_ANSWER_DAYS = 7;
export const DOOR_NOTE_MAX = 200;

/** Unless the organizer says otherwise. */
export const isUsuallyShownAtDoor = (kind: QuestionKind): boolean => kind === 'access';

/** Answered with a choice. */
export const hasOptions = (kind: QuestionKind): boolean => kind === 'one-of' || kind === 'any-of';

export const YES_NO = ['Yes', 'No'] as const;

/** Of one ticket that is being bought. */
export interface TicketToAsk {
  ticketTypeId: string;
  /** Handed out at the door: it has no guest. */
  isAddOn: boolean;
}

/** What its answer is judged by. */
export type AskedQuestion = Pick<Question, 'id' | 'kind' | 'label' | 'options' | 'isRequired'>;

export interface Asked<Asking = AskedQuestion> {
  order: readonly Asking[];
  /** In the order of the tickets. */
  tickets: readonly { asksName: NameRule; questions: readonly Asking[] }[];
}

export function askedOf({ asksNames, questions }: GuestForm, tickets: readonly TicketToAsk[]): Asked<Question> {
  return {
    order: questions.filter((one) => one.scope === 'order' && tickets.some((ticket) => isAbout(one, ticket))),
    tickets: tickets.map((ticket) => ({
      asksName: ticket.isAddOn ? 'off' : asksNames,
      questions: questions.filter((one) => one.scope === 'ticket' && isAbout(one, ticket)),
    })),
  };
}

const isAbout = ({ ticketTypeIds }: Question, { ticketTypeId }: TicketToAsk): boolean =>
  ticketTypeIds?.includes(ticketTypeId) ?? true;

export function asksAnything(form: GuestForm, tickets: readonly TicketToAsk[]): boolean {
  const { order, tickets: each } = askedOf(form, tickets);
  return order.length > 0 || each.some(({ asksName, questions }) => asksName !== 'off' || questions.length > 0);
}

/** A text, or the chosen options of `any-of`. */
export type Answer = string | readonly string[];

export type Answers = Readonly<Record<string, Answer>>;

export const isBlank = (answer: Answer | undefined): boolean => answer === undefined || answer.length === 0;

/** An order is asked before its buyer pays, or gets free tickets. */
export const needsDetails = ({ formVersion, detailsAt }: { formVersion: number | null; detailsAt: Date | null }) =>
  formVersion !== null && detailsAt === null;

interface NamedEvent {
  cancelledAt: Date | null;
  startsAt: Date;
  checkInOpensAt: Date | null;
}

/** Until check-in opens; without hours, until the start. */
export const namesOpenUntil = ({ startsAt, checkInOpensAt }: Omit<NamedEvent, 'cancelledAt'>): Date =>
  checkInOpensAt ?? startsAt;

export const areNamesOpen = (event: NamedEvent, now: Date): boolean =>
  event.cancelledAt === null && now < namesOpenUntil(event);

/** What a guest answered, in the order of the questions. */
export function shownAnswers(questions: readonly Pick<Question, 'id' | 'label'>[], answers: Answers) {
  return questions.flatMap(({ id, label }) => {
    const answer = answers[id];
    return answer === undefined ? [] : [{ label, answer: shownAnswer(answer) }];
  });
}

export const shownAnswer = (answer: Answer): string => (typeof answer === 'string' ? answer : answer.join(', '));
