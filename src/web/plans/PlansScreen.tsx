import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router';
import { adminPlans, type OperatorPlan, retirePlan } from '#contract/app/plans.ts';
import { formatTicketFee } from '#domain/fees.ts';
import { formatCents, formatCount } from '#messages/format.ts';
import { planTexts as text } from '#messages/records/plans.ts';
import { call, messageFrom } from '#web/api.ts';
import { AdminsOnly } from '#web/shell/AdminsOnly.tsx';
import { Button } from '#web/ui/button/Button.tsx';
import { Chip } from '#web/ui/data/Chip.tsx';
import { type Column, DataTable } from '#web/ui/data/DataTable.tsx';
import { NotLoaded } from '#web/ui/feedback/NotLoaded.tsx';
import { toast } from '#web/ui/feedback/toast.ts';
import { Page } from '#web/ui/page/Page.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import styles from './plans.module.css';
import { SetPlan } from './SetPlan.tsx';
import { SetReserve } from './SetReserve.tsx';

export function PlansScreen() {
  return (
    <AdminsOnly title={text.title}>
      <Plans />
    </AdminsOnly>
  );
}

function Plans() {
  const { plans, isFailed, reload } = usePlans();
  const [edited, setEdited] = useState<{ plan: OperatorPlan; isNew: boolean } | null>(null);
  const [busyWith, setBusyWith] = useState<string | null>(null);

  async function retire({ planId, isRetired }: OperatorPlan) {
    setBusyWith(planId);
    try {
      toast.success((await call(retirePlan, { planId, isRetired: !isRetired })).msg);
      await reload();
    } catch (error) {
      toast.error(messageFrom(error, text.failed));
    }
    setBusyWith(null);
  }

  const actions: Column<OperatorPlan> = {
    label: text.actions,
    quiet: true,
    cell: (plan) => (
      <span className={styles.actions}>
        <Button kind="ghost" aria-label={text.editNamed(plan.name)} onClick={() => setEdited({ plan, isNew: false })}>
          {text.edit}
        </Button>
        {!plan.isStandard && (
          <Button
            kind="ghost"
            busy={busyWith === plan.planId}
            aria-label={plan.isRetired ? text.offerAgainNamed(plan.name) : text.retireNamed(plan.name)}
            onClick={() => retire(plan)}
          >
            {plan.isRetired ? text.offerAgain : text.retire}
          </Button>
        )}
      </span>
    ),
  };

  const [first] = plans ?? [];
  return (
    <Page
      title={text.title}
      lead={text.lead}
      actions={first && <Button onClick={() => setEdited({ plan: first, isNew: true })}>{text.add}</Button>}
    >
      {isFailed && <NotLoaded msg={text.notLoaded} onRetry={reload} />}
      {plans && (
        <>
          <DataTable
            caption={text.caption}
            columns={[...columns, actions]}
            rows={plans}
            keyOf={({ planId }) => planId}
          />
          <SetPlan plans={plans} onSet={reload} />
          <SetReserve />
        </>
      )}
      <p className={styles.back}>
        <Link to="/dashboard">{text.back}</Link>
      </p>
      {edited && <PlanDialog {...edited} onClose={() => setEdited(null)} onSaved={reload} />}
    </Page>
  );
}

const columns: Column<OperatorPlan>[] = [
  {
    label: text.name,
    cell: ({ name, isPublic, isRetired }) => (
      <span className={styles.name}>
        <strong>{name}</strong>
        {isRetired ? <Chip>{text.retired}</Chip> : !isPublic && <Chip>{text.notPublic}</Chip>}
      </span>
    ),
  },
  { label: text.activeEvents, numeric: true, cell: ({ activeEventsMax }) => formatCount(activeEventsMax) },
  { label: text.processing, numeric: true, cell: ({ terms }) => formatCents(terms.processingCents) },
  { label: text.ticketFee, cell: ({ terms }) => formatTicketFee(terms.standard) },
  {
    label: text.largeFee,
    cell: ({ terms }) => text.largeFrom(formatTicketFee(terms.large), formatCount(terms.largeFrom)),
  },
  { label: text.organizations, numeric: true, cell: ({ organizations }) => formatCount(organizations) },
];

function usePlans() {
  const [plans, setPlans] = useState<OperatorPlan[] | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const reload = useCallback(async () => {
    try {
      setPlans((await call(adminPlans, {})).plans);
      setIsFailed(false);
    } catch {
      setIsFailed(true);
    }
  }, []);
  useEffect(() => void reload(), [reload]);
  return { plans, isFailed, reload };
}

export { PlansScreen as Component };
