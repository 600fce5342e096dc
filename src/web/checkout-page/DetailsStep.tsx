import { useEffect, useEffectEvent, useId } from 'react';
import { type AskedDetails, type CheckoutPage, sendDetails } from '#contract/app/sales/checkout-page.ts';
import { GUEST_NAME_MAX } from '#domain/sales/guest-form.ts';
import { formatCents } from '#messages/format.ts';
import { detailsPage as text } from '#messages/sales/details.ts';
import { call, codeFrom } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import styles from './checkout-page.module.css';
import { forgetDraft, restoreDraft, storeDraft } from './details-draft.ts';
import { answerField, copyToAll, detailsFormFor } from './details-form.ts';
import { goToPayment } from './go-to-payment.ts';
import { QuestionField } from './QuestionField.tsx';

interface DetailsStepProps {
  handle: string;
  page: CheckoutPage;
  asked: AskedDetails;
  onSending: (isSending: boolean) => void;
  /** A free order asks for an address next. */
  onSent: () => void;
  /** The tickets were released. */
  onEnded: () => void;
}

export function DetailsStep({ handle, page, asked, onSending, onSent, onEnded }: DetailsStepProps) {
  const form = useForm(
    detailsFormFor(asked),
    async (details) => {
      onSending(true);
      try {
        const reply = await call(sendDetails, { ...details, handle });
        forgetDraft(page.eventId);
        if (page.totalCents > 0) return await goToPayment(page.eventId, { handle, page: reply });
        onSending(false);
        onSent();
      } catch (error) {
        onSending(false);
        if (codeFrom(error) === 'checkout.reservation-expired') onEnded();
        throw error;
      }
    },
    { fallback: text.notSaved, summary: text.problems },
  );
  const id = useId();
  const withForm = (act: (eventId: string, form: HTMLFormElement) => void) => {
    const element = document.getElementById(id);
    if (element instanceof HTMLFormElement) act(page.eventId, element);
  };
  const restore = useEffectEvent(() => withForm(restoreDraft));
  useEffect(() => restore(), []);
  const isFree = page.totalCents === 0;
  return (
    <Form form={form} id={id} label={text.title} className={styles.details} onChange={() => withForm(storeDraft)}>
      {asked.order.length > 0 && (
        <section className={styles.card} aria-labelledby="of-order">
          <h2 id="of-order">{text.order}</h2>
          {asked.order.map((question) => (
            <QuestionField key={question.id} name={answerField('order', question)} question={question} />
          ))}
        </section>
      )}
      {asked.tickets.map((ticket) => (
        <TicketCard key={ticket.position} ticket={ticket} all={asked.tickets} />
      ))}
      <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
        {isFree ? text.toEmail : form.submitting ? text.opening : text.toPayment(formatCents(page.totalCents))}
      </Button>
    </Form>
  );
}

type AskedTicket = AskedDetails['tickets'][number];

interface TicketCardProps {
  ticket: AskedTicket;
  all: readonly AskedTicket[];
}

/** None for a ticket of which nothing is asked: the others keep their numbers. */
function TicketCard({ ticket, all }: TicketCardProps) {
  const { asksName, questions, ticketName, isAddOn, position } = ticket;
  if (!isAskedOf(ticket)) return null;
  const at = `tickets.${position - 1}`;
  const heading = (isAddOn ? text.addOn : text.ticket)(position, all.length, ticketName);
  const isFirst = position === 1 && all.slice(1).some(isAskedOf);
  return (
    <section className={styles.card} aria-labelledby={`ticket-${position}`}>
      <h2 id={`ticket-${position}`}>{heading}</h2>
      {asksName !== 'off' && (
        <TextField
          label={text.name}
          name={`${at}.name`}
          hint={asksName === 'optional' ? text.optional : undefined}
          required={asksName === 'required'}
          autoComplete={position === 1 ? 'name' : 'off'}
          counterMax={GUEST_NAME_MAX}
        />
      )}
      {questions.map((question) => (
        <QuestionField key={question.id} name={answerField(at, question)} question={question} />
      ))}
      {isFirst && (
        <div>
          <Button
            kind="ghost"
            onClick={({ currentTarget: { form } }) => {
              if (form) copyToAll(form, { order: [], tickets: [...all] });
              toast.success(text.copied);
            }}
          >
            {text.copy}
          </Button>
        </div>
      )}
    </section>
  );
}

const isAskedOf = ({ asksName, questions }: AskedTicket): boolean => asksName !== 'off' || questions.length > 0;
