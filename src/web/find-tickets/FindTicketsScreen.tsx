import { useState } from 'react';
import { emailMyTickets, findTicketsForm } from '#contract/app/sales/find-tickets.ts';
import { findTicketsPage as text } from '#messages/sales/find-tickets.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, TextField } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';

/** For buyers, who have no account: their mailbox gets the links. */
export function FindTicketsScreen() {
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm(
    findTicketsForm,
    async (asked) => {
      setAnswer(null);
      setAnswer((await call(emailMyTickets, asked)).msg);
    },
    { fallback: text.failed },
  );
  return (
    <Page title={text.title} lead={text.lead} width="narrow">
      <Form form={form}>
        <TextField label={text.email} name="email" type="email" autoComplete="email" inputMode="email" required />
        <Honeypot />
        <Button type="submit" kind="gold" size="lg" busy={form.submitting}>
          {form.submitting ? text.busy : text.button}
        </Button>
      </Form>
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status">
        {answer && (
          <Banner kind="success" title={answer}>
            {text.next}
          </Banner>
        )}
      </div>
    </Page>
  );
}

export { FindTicketsScreen as Component };
