/** What the organizer tells the door about a guest. */

export const doorNoteDialog = {
  open: 'Door note',
  /** `who` is a name, an address or a number. */
  openLabel: (who: string) => `Door note for ${who}`,
  title: (who: string) => `Door note for ${who}`,
  label: 'Note',
  hint: 'Phones at the door show it once they let this guest in. They need internet for it. Leave it blank to remove it.',
  save: 'Save note',
  cancel: 'Cancel',
  notSaved: "We couldn't save the note. Please try again.",
  /** In the guest list. */
  shown: (note: string) => `Door note: ${note}`,
};

export const doorNoteSaved = (note: string): string => (note === '' ? 'Door note removed' : 'Door note saved');

export const doorNoteErrors = {
  'door-note.unknown-ticket': "We can't find that ticket. Reload the page.",
};
