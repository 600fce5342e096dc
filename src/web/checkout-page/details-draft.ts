/** What a buyer typed, kept in this tab until it is sent: a reservation that ends loses none of it, nor does a reload. */
import { type Control, isCheckbox } from './details-form.ts';

const keyOf = (eventId: string) => `details:${eventId}`;

export function storeDraft(eventId: string, form: HTMLFormElement): void {
  const typed = [...new FormData(form)].filter(([, value]) => value !== '');
  try {
    sessionStorage.setItem(keyOf(eventId), JSON.stringify(typed));
  } catch {
    // Without storage, what was typed lasts as long as the page.
  }
}

export function restoreDraft(eventId: string, form: HTMLFormElement): void {
  const typed = new Map(storedDraft(eventId));
  for (const control of form.querySelectorAll<Control>(':is(input, select, textarea)[name]')) {
    const value = typed.get(control.name);
    if (value === undefined) continue;
    if (isCheckbox(control)) control.checked = true;
    else control.value = value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

export function forgetDraft(eventId: string): void {
  try {
    sessionStorage.removeItem(keyOf(eventId));
  } catch {
    // Without storage, there is none.
  }
}

type Typed = [name: string, value: string];

function storedDraft(eventId: string): Typed[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(eventId)) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isTyped) : [];
  } catch {
    return [];
  }
}

const isTyped = (entry: unknown): entry is Typed =>
  Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string';
