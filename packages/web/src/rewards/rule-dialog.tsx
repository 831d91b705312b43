import type { Outputs } from '@affiliate/client';
import { NativeSelect, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { trpc } from '../api/client.ts';
import { FormDialog } from '../components/form-dialog.tsx';
import { useMember } from '../session/session.tsx';
import { t } from '../texts/rewards.ts';
import { Conditions } from './conditions.tsx';
import { Effect, type NameOf, type RewardChange } from './effect.tsx';
import { PayFields } from './pay-fields.tsx';
import type { Catalog } from './product-picker.tsx';
import { type Owner, RuleScope, type Scope, scopeOf, WHOLE_CAMPAIGN, wholeOf } from './rule-scope.tsx';
import { changesOf, emptyValues, type Rule, ruleOf, type Values, valuesOf, type WrittenRule } from './rule-values.ts';
import { sentenceOf } from './sentence.ts';

interface DialogProps {
  campaignId: string;
  tiers: readonly Outputs['tiers']['get'][];
  catalog: Catalog | null;
  nameOf: NameOf;
  onClose: () => void;
}

/** Maximum length of the name of a rule. */
const MAX_NAME = 200;

/**
 * Writes a rule of a campaign, of an affiliate or of a link, which the dialog shows as a sentence. With `owner`, the rule is for this affiliate or
 * one of their links, and the form begins with its period, e.g. for a higher rate in December.
 */
export function CreateRule({ owner, ...props }: DialogProps & { owner?: Owner }) {
  const { campaignId, onClose } = props;
  const [scope, choose] = useState<Scope>(owner === undefined ? WHOLE_CAMPAIGN : wholeOf(owner));
  const create = useMutation(trpc.rewardRules.create.mutationOptions({ onSuccess: onClose }));
  return (
    <RuleDialog
      {...props}
      title={owner === undefined ? t.addRule : t.ownRateOf(owner)}
      submit={t.add}
      progress={create}
      stored={null}
      rows={owner === undefined ? [] : ['period']}
      scope={(kind) => (
        <RuleScope campaignId={campaignId} owner={owner} mayBeLink={kind !== 'milestone'} scope={scope} onChange={choose} />
      )}
      plan={(rule, name) => {
        const limits = scopeOf(scope, rule.event !== 'milestone');
        return limits && { create: { ...rule, ...limits, name } };
      }}
      save={({ create: made }) => made && create.mutate({ campaign_id: campaignId, ...made })}
    />
  );
}

/** Changes a stored rule. A name that was made from the former sentence follows the new one. */
export function EditRule({ rule: stored, ...props }: DialogProps & { rule: Rule }) {
  const { tiers, catalog, onClose } = props;
  const update = useMutation(trpc.rewardRules.update.mutationOptions({ onSuccess: onClose }));
  const isNamedByItself = stored.name === sentenceOf(stored, tiers, catalog).slice(0, MAX_NAME);
  return (
    <RuleDialog
      {...props}
      title={t.editRule}
      submit={t.save}
      progress={update}
      stored={stored}
      plan={(rule, name) => {
        const changes = { ...changesOf(stored, rule), ...(isNamedByItself && name !== stored.name && { name }) };
        return Object.keys(changes).length === 0 ? null : { update: { id: stored.id, ...changes } };
      }}
      save={({ update: changed }) => changed && update.mutate(changed)}
    />
  );
}

interface RuleDialogProps extends DialogProps {
  title: string;
  submit: string;
  progress: { isPending: boolean; error: unknown };
  stored: Rule | null;
  /** Rows that a new rule has at first. */
  rows?: Values['rows'];
  /** Returns the fields that choose the campaign, an affiliate or a link. */
  scope?: (kind: Values['kind']) => ReactNode;
  /** Returns the change that saving makes, or null if there is nothing to save. */
  plan: (rule: WrittenRule, name: string) => RewardChange | null;
  save: (change: RewardChange) => void;
}

function RuleDialog({
  campaignId,
  tiers,
  catalog,
  nameOf,
  onClose,
  title,
  submit,
  progress,
  stored,
  rows = [],
  scope,
  plan,
  save,
}: RuleDialogProps) {
  const { currency } = useMember().account;
  const form = useForm<Values>({
    initialValues: stored ? valuesOf(stored, currency, catalog) : { ...emptyValues(currency), rows },
  });
  const rule = ruleOf(form.values, stored);
  const sentence = rule && sentenceOf(rule, tiers, catalog);
  const change = rule === null || sentence === null ? null : plan(rule, sentence.slice(0, MAX_NAME));
  const { kind } = form.values;
  return (
    <FormDialog
      title={title}
      submit={submit}
      progress={progress}
      disabled={change === null}
      onClose={onClose}
      onSubmit={form.onSubmit(() => {
        if (change !== null) save(change);
      })}
    >
      {scope?.(kind)}
      <NativeSelect
        label={t.paysFor}
        data={KINDS.filter(({ value }) => stored === null || eventOf(value) === stored.event)}
        value={kind}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value as Values['kind'];
          form.setFieldValue('kind', chosen);
          // A rule on top of others must pay something.
          if (chosen === 'on_top' && form.values.pays === 'nothing') form.setFieldValue('pays', 'percent');
        }}
      />
      <PayFields form={form} isStored={stored !== null} />
      <Conditions form={form} tiers={tiers} catalog={catalog} />
      <Text fw={600} aria-live="polite">
        {sentence ?? t.incomplete}
      </Text>
      {change !== null && <Effect campaignId={campaignId} change={change} nameOf={nameOf} />}
    </FormDialog>
  );
}

const KINDS: { value: Values['kind']; label: string }[] = [
  { value: 'sale', label: t.sales },
  { value: 'on_top', label: t.onTopOfSales },
  { value: 'lead', label: t.leads },
  { value: 'milestone', label: t.forMilestones },
];

function eventOf(kind: Values['kind']): Rule['event'] {
  return kind === 'on_top' ? 'sale' : kind;
}
