/** Draft of the event form, stored on this device until the event is created or the draft is discarded. */

/** Field names mapped to their values: `title`, `tickets.0.ticketName`. */
export type Draft = Readonly<Record<string, string>>;

const keyOf = (organizerId: string) => `event-draft:${organizerId}`;

export function loadDraft(organizerId: string): Draft {
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(keyOf(organizerId)) ?? '{}');
    return isDraft(draft) ? draft : {};
  } catch {
    return {};
  }
}

/** If storage is full or blocked, the form still works without a draft. */
export function saveDraft(organizerId: string, draft: Draft): void {
  try {
    localStorage.setItem(keyOf(organizerId), JSON.stringify(draft));
  } catch {}
}

export function discardDraft(organizerId: string): void {
  try {
    localStorage.removeItem(keyOf(organizerId));
  } catch {}
}

const TICKET_FIELD = /^tickets\.(\d+)\.(\w+)$/;

/** Number of ticket rows in the draft; a new form has one. */
export function ticketRowsIn(draft: Draft): number {
  const rows = Object.keys(draft).flatMap((name) => TICKET_FIELD.exec(name)?.[1] ?? []);
  return rows.length === 0 ? 1 : Math.max(...rows.map(Number)) + 1;
}

export function withoutTicketRow(draft: Draft, removed: number): Draft {
  const shifted: Record<string, string> = {};
  for (const [name, value] of Object.entries(draft)) {
    const [, row, field] = TICKET_FIELD.exec(name) ?? [];
    if (row === undefined || Number(row) < removed) shifted[name] = value;
    else if (Number(row) > removed) shifted[`tickets.${Number(row) - 1}.${field}`] = value;
  }
  return shifted;
}

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === 'object' && value !== null && Object.values(value).every((field) => typeof field === 'string')
  );
}
