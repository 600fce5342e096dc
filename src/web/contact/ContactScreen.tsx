import { useState } from 'react';
import { useParams } from 'react-router';
import { buyerContactForm, type ContactPage, contactForm, contactOrganizer } from '#contract/app/sales/contact.ts';
import { CONTACT_TEXT_MAX } from '#domain/limits.ts';
import { supportMailbox } from '#messages/contacts.ts';
import { contactPage as text } from '#messages/sales/contact.ts';
import { call } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { usePageProps } from '#web/page-props-context.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, TextArea, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';

/** For buyers and visitors, who don't see the organizer's address. The server renders it for known events only. */
export function ContactScreen() {
  const { about = '' } = useParams();
  const embedded = usePageProps().contact;
  const page = embedded?.about === about ? embedded : null;
  const [sent, setSent] = useState('');
  return (
    <Page
      title={text.title}
      heading={text.heading(page?.organizationName ?? null)}
      lead={page?.state === 'open' ? text.about(page.title) : page?.title}
      width="narrow"
    >
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status">
        {sent && (
          <Banner kind="success" title={sent}>
            {text.next}
          </Banner>
        )}
      </div>
      {page && page.state !== 'open' && <Unreachable state={page.state} />}
      {!sent && page?.state === 'open' && <ContactForm page={page} onSent={setSent} />}
      {page && <BackLink page={page} />}
    </Page>
  );
}

function Unreachable({ state }: { state: 'closed' | 'unreachable' }) {
  return (
    <Banner kind="info" title={state === 'closed' ? text.closed : text.unreachable}>
      {state === 'closed' ? text.closedText : text.support} <a href={`mailto:${supportMailbox}`}>{supportMailbox}</a>
    </Banner>
  );
}

const BackLink = ({ page: { about, eventId, email } }: { page: ContactPage }) => (
  <ButtonLink href={email === null ? `/payment/${eventId}` : `/order/${about}`} kind="ghost">
    {email === null ? text.backToEvent : text.backToOrder}
  </ButtonLink>
);

function ContactForm({ page: { about, email }, onSent }: { page: ContactPage; onSent: (msg: string) => void }) {
  // A retry after a lost answer is the same message.
  const [messageId] = useState(newUuid);
  const form = useForm(
    email === null ? contactForm : buyerContactForm,
    async (typed) => onSent((await call(contactOrganizer, { ...typed, about, messageId })).msg),
    { fallback: text.failed },
  );
  return (
    <Form form={form}>
      <Honeypot />
      {email === null ? (
        <TextField
          label={text.email}
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          hint={text.emailHint}
          required
        />
      ) : (
        <p>{text.knownEmail(email)}</p>
      )}
      <TextArea
        label={text.message}
        name="message"
        hint={text.messageHint}
        counterMax={CONTACT_TEXT_MAX}
        rows={7}
        required
      />
      <Button type="submit" size="lg" busy={form.submitting}>
        {form.submitting ? text.busy : text.submit}
      </Button>
    </Form>
  );
}

export { ContactScreen as Component };
