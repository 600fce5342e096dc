import { useRef, useState } from 'react';
import type { EventComps } from '#contract/app/sales/comps.ts';
import { type ImportPreview, importGuests } from '#contract/app/sales/import-guests.ts';
import { compsPage } from '#messages/sales/comps.ts';
import { importPage as text } from '#messages/sales/import-guests.ts';
import { messageFrom, upload } from '#web/api.ts';
import { newUuid } from '#web/new-uuid.ts';
import { Button } from '#web/ui/button/Button.tsx';
import { Banner } from '#web/ui/feedback/Banner.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { CheckboxField, SelectField, TextField } from '#web/ui/form/fields.tsx';
import styles from '../comps.module.css';
import { Preview } from './Preview.tsx';

interface ImportGuestsProps {
  eventId: string;
  types: EventComps['types'];
  onImported: () => Promise<void>;
}

interface ChosenFile {
  file: File;
  /** The same file has the same id, so that sending it again after a lost answer adds no one twice. */
  importId: string;
}

/** Undefined until the file was read: then its headings say which they are. */
type ColumnChoice = { [What in keyof ImportPreview['columns'] as `${What}Column`]?: string };

const COLUMNS = ['name', 'email', 'type', 'quantity', 'note'] as const;

export function ImportGuests({ eventId, types, onImported }: ImportGuestsProps) {
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const [columns, setColumns] = useState<ColumnChoice>({});
  const [ticketId, setTicketId] = useState(types[0]?.ticketId ?? '');
  const [raises, setRaises] = useState(false);
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [imports, setImports] = useState(0);
  const reads = useRef(0);
  const [isReading, setIsReading] = useState(false);

  function send({ file, importId }: ChosenFile, options: ColumnChoice & { ticketId: string; dryRun?: '1' }) {
    const raisesQuantity = raises ? '1' : '';
    return upload(importGuests, { eventId, importId, raisesQuantity, ...options }, { file: [file] });
  }

  /** If two previews are under way, the later one counts. */
  async function read(from: ChosenFile | null, options: ColumnChoice & { ticketId: string }) {
    reads.current += 1;
    const own = reads.current;
    setChosen(from);
    setProblem(null);
    if (!from) return setPreview(null);
    setIsReading(true);
    try {
      const found = await send(from, { ...options, dryRun: '1' });
      if (own === reads.current) setPreview(found);
    } catch (error) {
      if (own !== reads.current) return;
      setPreview(null);
      setProblem(messageFrom(error, text.notRead));
    }
    if (own === reads.current) setIsReading(false);
  }

  function choose(file: File | undefined) {
    setColumns({});
    void read(file ? { file, importId: newUuid() } : null, { ticketId });
  }

  function chooseColumn(what: (typeof COLUMNS)[number], value: string) {
    // What was chosen before may still be on its way.
    const choice = { ...choiceOf(preview), ...columns, [`${what}Column`]: value };
    setColumns(choice);
    void read(chosen, { ...choice, ticketId });
  }

  function chooseType(id: string) {
    setTicketId(id);
    void read(chosen, { ...columns, ticketId: id });
  }

  async function importAll() {
    if (!chosen) return;
    setIsBusy(true);
    try {
      const { tickets } = await send(chosen, { ...columns, ticketId });
      toast.success(text.imported(tickets));
      setChosen(null);
      setPreview(null);
      setImports(imports + 1);
      await onImported();
    } catch (error) {
      toast.error(messageFrom(error, text.notImported));
    }
    setIsBusy(false);
  }

  const isReady = !isReading && preview && preview.guests > 0 && preview.problems.length === 0;
  return (
    <section className={styles.section} aria-labelledby="import">
      <h2 id="import">{text.title}</h2>
      <p className={styles.quiet}>{text.lead}</p>
      <TextField
        key={imports}
        label={text.file}
        name="file"
        type="file"
        accept=".csv,text/csv"
        className={styles.file}
        onChange={(change) => choose(change.target.files?.[0])}
      />
      <div role="status" className={styles.outcome}>
        {chosen && !preview && !problem && <p>{text.reading}</p>}
        {problem && <Banner kind="error">{problem}</Banner>}
      </div>
      {preview && (
        <>
          <div className={styles.columns}>
            {COLUMNS.map((what) => (
              <SelectField
                key={what}
                label={text[what]}
                name={`${what}Column`}
                value={columns[`${what}Column`] ?? preview.columns[what] ?? ''}
                onChange={({ target }) => chooseColumn(what, target.value)}
                options={[
                  { value: '', label: what === 'email' && !hasGuests(preview) ? text.chooseColumn : text.noColumn },
                  ...preview.headings.map((heading, index) => ({ value: String(index), label: heading || '–' })),
                ]}
              />
            ))}
            <SelectField
              label={text.defaultType}
              name="ticketId"
              value={ticketId}
              onChange={({ target }) => chooseType(target.value)}
              options={types.map((type) => ({ value: type.ticketId, label: type.ticketName }))}
            />
          </div>
          <Preview preview={preview} />
          {isReady && (
            <>
              <CheckboxField
                label={compsPage.raise}
                name="raises"
                hint={compsPage.raiseHint}
                checked={raises}
                onChange={({ target }) => setRaises(target.checked)}
              />
              <Button busy={isBusy} onClick={() => void importAll()}>
                {isBusy ? text.importing : text.importAll(preview.guests)}
              </Button>
            </>
          )}
        </>
      )}
    </section>
  );
}

const choiceOf = (preview: ImportPreview | null): ColumnChoice =>
  Object.fromEntries(COLUMNS.map((what) => [`${what}Column`, String(preview?.columns[what] ?? '')]));

const hasGuests = ({ columns }: ImportPreview): boolean => columns.email !== null || columns.name !== null;
