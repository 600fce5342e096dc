import { useState } from 'react';
import { useParams } from 'react-router';
import { reportEvent, reportForm, reportReasons } from '#contract/app/abuse-reports.ts';
import { REPORT_TEXT_MAX } from '#domain/limits.ts';
import { reportReasonTexts, reportPage as text } from '#messages/operations/abuse-reports.ts';
import { call } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { Button, ButtonLink } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { Form } from '#web/ui/form/Form.tsx';
import { Honeypot, SelectField, TextArea } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';
import { Page } from '#web/ui/page/Page.tsx';

const reasons = [
  { value: '', label: text.choose },
  ...reportReasons.map((reason) => ({ value: reason, label: reportReasonTexts[reason] })),
];

export function ReportScreen() {
  const { eventId = '' } = useParams();
  const [sent, setSent] = useState('');
  return (
    <Page title={text.title} lead={text.lead} width="narrow">
      {/* Rendered from the start, so the answer is announced. */}
      <div role="status">
        {sent && (
          <Banner kind="success" title={sent}>
            {text.next}
          </Banner>
        )}
      </div>
      {!sent && <ReportForm eventId={eventId} onSent={setSent} />}
      <ButtonLink href={`/payment/${encodeURIComponent(eventId)}`} kind="ghost">
        {text.back}
      </ButtonLink>
    </Page>
  );
}

function ReportForm({ eventId, onSent }: { eventId: string; onSent: (msg: string) => void }) {
  // A retry after a lost answer is the same report.
  const [reportId] = useState(newUuid);
  const form = useForm(
    reportForm,
    async (report) => onSent((await call(reportEvent, { ...report, eventId, reportId })).msg),
    { fallback: text.failed },
  );
  return (
    <Form form={form}>
      <Honeypot />
      <SelectField label={text.reason} name="reason" options={reasons} required />
      <TextArea label={text.text} name="text" hint={text.hint} counterMax={REPORT_TEXT_MAX} rows={6} />
      <Button type="submit" size="lg" busy={form.submitting}>
        {text.submit}
      </Button>
    </Form>
  );
}

export { ReportScreen as Component };
