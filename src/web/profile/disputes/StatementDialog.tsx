import { type OwnDispute, saveStatement, statementForm } from '#contract/app/disputes.ts';
import { STATEMENT_MAX } from '#domain/limits.ts';
import { ownDisputes as text } from '#messages/disputes.ts';
import { formatCents } from '#messages/format.ts';
import { call } from '#web/api.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Dialog } from '#web/ui/dialog/Dialog.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Form } from '#web/ui/form/Form.tsx';
import { TextArea } from '#web/ui/form/fields.tsx';
import { useForm } from '#web/ui/form/use-form.ts';

interface StatementDialogProps {
  dispute: OwnDispute;
  onClose: () => void;
  onSaved: () => Promise<void>;
}

export function StatementDialog({ dispute, onClose, onSaved }: StatementDialogProps) {
  const { disputeId, title, cents, statement } = dispute;
  const form = useForm(
    statementForm,
    async (values) => {
      const { msg } = await call(saveStatement, { ...values, disputeId });
      toast.success(msg);
      await onSaved();
      onClose();
    },
    { fallback: text.failed },
  );
  return (
    <Dialog title={text.dialog} open onClose={onClose}>
      <p>
        <b>{title}</b> {formatCents(cents)}
      </p>
      <Form form={form}>
        <TextArea
          label={text.label}
          name="text"
          hint={text.hint}
          defaultValue={statement}
          counterMax={STATEMENT_MAX}
          rows={8}
        />
        <Button type="submit" busy={form.submitting}>
          {text.save}
        </Button>
      </Form>
    </Dialog>
  );
}
