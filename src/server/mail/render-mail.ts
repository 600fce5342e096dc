import * as z from 'zod/mini';
import type { Deps } from '#server/deps.ts';
import { usableTickets } from './mail.sql.ts';
import type { MailKind } from './queue-mail.ts';
import type { Letter } from './templates/letter.ts';
import { ticketsLetter } from './templates/tickets.ts';
import { verifyEmailLetter } from './templates/verify-email.ts';

interface QueuedRow {
  kind: string;
  subjectId: string;
  params: unknown;
}

type Render = (deps: Pick<Deps, 'db' | 'publicUrl'>, row: QueuedRow) => Promise<Letter | null>;

const linkParams = z.object({ token: z.string() });
const eventParams = z.object({ eventId: z.string() });

/** What each kind of mail says, from what the database says now; `null` when there is nothing left to tell. */
const renderers: Record<MailKind, Render> = {
  async 'verify-email'({ publicUrl }, { params }) {
    const { token } = linkParams.parse(params);
    return verifyEmailLetter({ url: `${publicUrl}/verify-email?token=${encodeURIComponent(token)}` });
  },

  async tickets({ db, publicUrl }, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    return ticketsLetter(await usableTickets(db, eventId, { orderId: subjectId }), publicUrl);
  },

  async ticket({ db, publicUrl }, { subjectId, params }) {
    const { eventId } = eventParams.parse(params);
    return ticketsLetter(await usableTickets(db, eventId, { ticketId: subjectId }), publicUrl);
  },
};

export async function renderMail(deps: Pick<Deps, 'db' | 'publicUrl'>, row: QueuedRow): Promise<Letter | null> {
  if (!isMailKind(row.kind)) throw new Error(`no template for mail of kind "${row.kind}"`);
  return renderers[row.kind](deps, row);
}

function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(renderers, kind);
}
