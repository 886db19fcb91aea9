import type {Failure} from '../../failure.ts';
import type {Creation, LookAgain} from '../../firewall/rules/creation.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {type Action, actions, type Product, products, type Rule} from '../../firewall/rules/rule.ts';
import {usersOf} from '../../firewall/rules/users.ts';
import {textOf} from '../../text/buffer/buffer.ts';
import {parseFigure} from '../../text/figures.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {FirewallState, OpenedZone} from '../firewall/state.ts';
import {aboutOf, beginRuleForm, type RuleForm, type RuleStep} from '../stepped-form/rule-form.ts';

/** What someone opened the wizard for. */
export type WizardPurpose =
	/** On an existing filter, where one is passed; else on a new filter, which is created first. */
	| {readonly kind: 'new rule'; readonly filter?: Filter | undefined}
	| {readonly kind: 'new filter'}
	/** Its action, priority, description, pause and products; its filter stays. */
	| {readonly kind: 'change rule'; readonly rule: Rule}
	/** Its expression and description, for all the rules that use it. */
	| {readonly kind: 'change filter'; readonly filter: Filter; readonly users: readonly Rule[]};

/** How a run of the wizard ended; each of them reports the current state. */
export type Ending =
	| Exclude<Creation, {state: 'unsure'}>
	/** The answer to a creation was lost, and the state could not be read or may still change. */
	| (Omit<Extract<Creation, {state: 'unsure'}>, 'lookAgain'> & {readonly lookAgain: LookAgain<Ending>})
	/** `afterDoubt`: found by reading the state after its answer was lost. */
	| {readonly state: 'filter made'; readonly filter: Filter; readonly afterDoubt?: true}
	| {readonly state: 'changed'; readonly what: 'rule' | 'filter'; readonly id: string}
	/** Someone else changed it, or it is gone, since it was read; nothing was sent. */
	| {
			readonly state: 'changed meanwhile';
			readonly what: 'rule' | 'filter';
			readonly now: Rule | Filter | undefined;
			readonly failure: Failure;
	  }
	/** The answer to a change was lost, and the state could not be read or may still change. */
	| {
			readonly state: 'unsure of the change';
			readonly what: 'rule' | 'filter';
			readonly id: string;
			readonly failure: Failure;
			readonly lookAgain: LookAgain<Ending>;
	  }
	/** The filter that a rule was to be made on is deleted again. */
	| {readonly state: 'filter deleted'; readonly id: string};

/** A firewall rule or a filter that someone creates or changes. */
export type Wizard = RuleForm<WizardPurpose, Ending> &
	ZoneLists & {
		/** The filter that came of this wizard, with or without a rule: made for certain, or found after a lost answer. */
		readonly own: {readonly id: string; readonly made: boolean} | undefined;
	};

/** What is known of the zone, as it was read last before sending. */
type ZoneLists = {
	readonly rules: readonly Rule[];
	readonly filters: readonly Filter[];
	/** Whether the zone has the new managed rules only. */
	readonly migrated?: boolean | undefined;
};

/** The wizard at its first step. */
export function beginningOf(
	id: number,
	purpose: WizardPurpose,
	zone: OpenedZone,
	{rules, filters, migrated}: ZoneLists,
): Wizard {
	const rule = purpose.kind === 'change rule' ? purpose.rule : undefined;
	const filter = 'filter' in purpose ? purpose.filter : undefined;
	const own = rule ?? (purpose.kind === 'change filter' ? purpose.filter : undefined);
	const ruleFilter = rule && 'expression' in rule.filter ? rule.filter : undefined;
	return {
		...beginRuleForm({
			id,
			purpose,
			zone,
			step: stepsOf(purpose)[0] ?? 'review',
			expression: (filter ?? ruleFilter)?.expression ?? '',
			filter: purpose.kind === 'new rule' ? filter : rule?.filter,
			action: rule?.action,
			chosen: rule?.products ?? [],
			about: aboutOf({
				row: purpose.kind === 'new rule' || rule ? 'order' : 'description',
				order: rule?.priority == null ? '' : String(rule.priority),
				description: own?.description,
				paused: own?.paused,
			}),
		}),
		rules,
		filters,
		migrated,
		left: undefined,
		own: undefined,
	};
}

/** The steps that a purpose has, in their order. */
export function stepsOf({kind}: WizardPurpose): readonly RuleStep[] {
	switch (kind) {
		case 'new rule':
			return ['expression', 'action', 'about', 'review'];
		case 'change rule':
			return ['action', 'about', 'review'];
		case 'new filter':
		case 'change filter':
			return ['expression', 'about', 'review'];
	}
}

/** Whether it is about a rule; else it is about a filter by itself. */
export const isOfRule = ({purpose: {kind}}: Pick<Wizard, 'purpose'>): boolean =>
	kind === 'new rule' || kind === 'change rule';

/** The wizard with the lists of its zone as they were read last; what was sent is compared with what was there before. */
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
			purpose: {...purpose, users: usersOf(purpose.filter.id, firewall.rules)},
		}),
	};
}

export const isAction = (name: string | undefined): name is Action =>
	(actions as readonly (string | undefined)[]).includes(name);

export const isProduct = (name: string): name is Product => (products as readonly string[]).includes(name);

/** A priority as it was typed: a whole number, or `null` for none; a sentence where it is neither. */
export function priorityOf({about}: Pick<Wizard, 'about'>): number | null | {readonly problem: string} {
	const text = textOf(about.order).trim();
	if (text === '') return null;
	const priority = parseFigure(text);
	if (priority !== undefined && priority < 1e10) return priority;
	return {
		problem: 'A priority is a whole number, as 100; the smaller one goes first. Leave it empty for none.',
	};
}

/** What the rules that are there, and this one among them, are looked at by. */
export const expressionHere = ({editing, filter}: Wizard): string =>
	filter?.expression ?? (filter ? '' : expressionOf(editing));
