import type {Failure} from '../../failure.ts';
import type {Creation, LookAgain} from '../../firewall/rules/creation.ts';
import type {FirewallEdit} from '../../firewall/rules/edits.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {
	bypassableProducts,
	type Product,
	type Rule,
	type RuleAction,
	ruleActionNames,
} from '../../firewall/rules/rule.ts';
import {findFilterUsers} from '../../firewall/rules/users.ts';
import {getBufferText} from '../../text/buffer/buffer.ts';
import {parseFigure} from '../../text/figures.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import type {FirewallState} from '../firewall/state.ts';
import type {ZoneWithLabel} from '../shell/zone-with-label.ts';
import {buildAboutFields} from '../stepped-form/about-fields.ts';
import {beginRuleForm, type RuleForm, type RuleStep} from '../stepped-form/rule-form.ts';

/** The purpose of the wizard. */
export type WizardPurpose =
	/**
	 * Creates a rule on `filter` if given, else on a new filter, which is created first. `bypassExpression`: the form
	 * begins with a bypass of the previous managed rules where this matches.
	 */
	| {
			readonly kind: 'new rule';
			readonly filter?: Filter | undefined;
			readonly bypassExpression?: string | undefined;
	  }
	| {readonly kind: 'new filter'}
	/** Changes action, priority, description, pause and products; the filter stays. */
	| {readonly kind: 'change rule'; readonly rule: Rule}
	/** Changes expression and description, for all rules that use the filter. */
	| {
			readonly kind: 'change filter';
			readonly filter: Filter;
			readonly rulesOnFilter: readonly Rule[];
			/** The rule whose expression is edited; undefined if the filter itself was chosen. */
			readonly ruleId?: string | undefined;
	  };

/** How the wizard ended. Each state reports what exists now. */
export type WizardEnding =
	| Exclude<Creation, {state: 'unsure'}>
	/** The response to a creation was lost, and the state could not be read or may still change. */
	| (Omit<Extract<Creation, {state: 'unsure'}>, 'lookAgain'> & {readonly lookAgain: LookAgain<WizardEnding>})
	/** `foundAfterLostResponse`: the response was lost, and a later reading found the filter. */
	| {readonly state: 'filter made'; readonly filter: Filter; readonly foundAfterLostResponse?: true}
	/** `edit`: what the write did; undefined if there was nothing to change. */
	| {
			readonly state: 'changed';
			readonly what: 'rule' | 'filter';
			readonly id: string;
			readonly edit?: FirewallEdit;
	  }
	/** Someone else changed or deleted it since it was read. Nothing was sent, or the write had no effect. */
	| {
			readonly state: 'changed meanwhile';
			readonly what: 'rule' | 'filter';
			readonly current: Rule | Filter | undefined;
			readonly failure: Failure;
	  }
	/** The response to a change was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure of the change';
			readonly what: 'rule' | 'filter';
			readonly id: string;
			readonly failure: Failure;
			readonly lookAgain: LookAgain<WizardEnding>;
	  }
	/** The filter created for the rule was deleted again. */
	| {readonly state: 'filter deleted'; readonly id: string};

/** The form of a firewall rule or a filter. */
export type Wizard = RuleForm<WizardPurpose, WizardEnding> &
	ZoneLists & {
		/** The filter that this wizard created (`made`), or found after a lost response. */
		readonly ownFilter: {readonly id: string; readonly made: boolean} | undefined;
	};

/** What was known of the zone before sending. */
type ZoneLists = {
	readonly rules: readonly Rule[];
	readonly filters: readonly Filter[];
	/** True if the zone has migrated to the new managed rules. */
	readonly migrated?: boolean | undefined;
};

/** Creates the wizard at its first step. */
export function createWizard(
	id: number,
	purpose: WizardPurpose,
	zone: ZoneWithLabel,
	{rules, filters, migrated}: ZoneLists,
): Wizard {
	const rule = purpose.kind === 'change rule' ? purpose.rule : undefined;
	const filter = 'filter' in purpose ? purpose.filter : undefined;
	const original = rule ?? (purpose.kind === 'change filter' ? purpose.filter : undefined);
	const bypassExpression = purpose.kind === 'new rule' ? purpose.bypassExpression : undefined;
	const ruleFilter = rule && 'expression' in rule.filter ? rule.filter : undefined;
	return {
		...beginRuleForm({
			id,
			purpose,
			zone,
			step: listWizardSteps(purpose)[0] ?? 'review',
			expression: (filter ?? ruleFilter)?.expression ?? bypassExpression ?? '',
			filter: purpose.kind === 'new rule' ? filter : rule?.filter,
			action: bypassExpression === undefined ? rule?.action : 'bypass',
			chosenNames: bypassExpression === undefined ? (rule?.products ?? []) : ['waf'],
			aboutFields: buildAboutFields({
				cursorRow: purpose.kind === 'new rule' || rule ? 'order' : 'description',
				order: rule?.priority == null ? '' : String(rule.priority),
				description: original?.description,
				paused: original?.paused,
			}),
		}),
		rules,
		filters,
		migrated,
		orphanFilterId: undefined,
		ownFilter: undefined,
	};
}

/** Lists the steps of a purpose, in order. */
export function listWizardSteps({kind}: WizardPurpose): readonly RuleStep[] {
	switch (kind) {
		case 'new rule':
		case 'change rule':
			return ['expression', 'action', 'about', 'review'];
		case 'new filter':
		case 'change filter':
			return ['expression', 'about', 'review'];
	}
}

/** True for a rule, false for a filter without a rule. */
export const isForRule = ({purpose: {kind}}: Pick<Wizard, 'purpose'>): boolean =>
	kind === 'new rule' || kind === 'change rule';

/**
 * Returns the wizard with the most recently read lists of its zone. Once sending, the lists stay as they were
 * before.
 */
export function withLists(wizard: Wizard, firewall: FirewallState | undefined): Wizard {
	const {purpose, rules, filters, phase, zone} = wizard;
	if (phase.name !== 'asking' || firewall?.zone.id !== zone.id || firewall.reading !== 'read') return wizard;
	if (firewall.rules === rules && firewall.filters === filters) return wizard;
	return {
		...wizard,
		rules: firewall.rules,
		filters: firewall.filters,
		migrated: firewall.migrated ?? wizard.migrated,
		...(purpose.kind === 'change filter' && {
			purpose: {...purpose, rulesOnFilter: findFilterUsers(purpose.filter.id, firewall.rules)},
		}),
	};
}

export const isAction = (name: string | undefined): name is RuleAction =>
	(ruleActionNames as readonly (string | undefined)[]).includes(name);

export const isProduct = (name: string): name is Product =>
	(bypassableProducts as readonly string[]).includes(name);

/** Parses the typed priority: a whole number below 10^10, null for none, or the problem in a sentence. */
export function parseWizardPriority({
	aboutFields,
}: Pick<Wizard, 'aboutFields'>): number | null | {readonly problem: string} {
	const text = getBufferText(aboutFields.order).trim();
	if (text === '') return null;
	const priority = parseFigure(text);
	if (priority !== undefined && priority < 1e10) return priority;
	return {
		problem: 'A priority is a whole number, such as 100; lower numbers run first. Leave it empty for none.',
	};
}

/** Returns the expression that the rule will use; '' if the chosen filter's expression is unknown. */
export const getWizardExpression = ({editing, filter}: Wizard): string =>
	filter?.expression ?? (filter ? '' : getTypedExpression(editing));
