import { useState } from 'react';
import { handleReportsTexts } from '#messages/operations/abuse-reports.ts';
import { type BrakeAction, brakeNote, brakeTexts } from '#messages/operations/brakes.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { OperatorDialog } from '../OperatorDialog.tsx';

type Action = BrakeAction | 'handle-reports';

const texts = { ...brakeTexts, 'handle-reports': handleReportsTexts };

interface BrakeProps {
  action: Action;
  /** The event or organization. */
  about: string;
  send: (note: string) => Promise<{ msg: string }>;
  onDone: () => Promise<void>;
}

/** Puts a brake on or off, after a dialog that asks for the reason. */
export function BrakeButton({ action, about, send, onDone }: BrakeProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { label, question, isRelease } = texts[action];
  return (
    <>
      <Button kind="ghost" onClick={() => setIsOpen(true)} aria-label={`${label}: ${about}`}>
        {label}
      </Button>
      {isOpen && (
        <OperatorDialog
          label={label}
          summary={about}
          question={question}
          note={action === 'handle-reports' ? { ...brakeNote, hint: handleReportsTexts.hint } : brakeNote}
          isDanger={!isRelease}
          send={send}
          onClose={() => setIsOpen(false)}
          onDone={onDone}
        />
      )}
    </>
  );
}
