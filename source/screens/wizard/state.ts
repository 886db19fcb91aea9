import type {Failure} from '../../failure.ts';
import {analyse} from '../../firewall/expression/expressions.ts';
import type {Creation, LookAgain} from '../../firewall/rules/creation.ts';
import type {Filter} from '../../firewall/rules/filter.ts';
import {type Action, actions, type Product, products, type Rule} from '../../firewall/rules/rule.ts';
import {usersOf} from '../../firewall/rules/users.ts';
import {bufferOf, selectLine, type TextBuffer, textOf} from '../../text/buffer/buffer.ts';
import {parseFigure} from '../../text/figures.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import type {FirewallState, OpenedZone} from '../firewall/state.ts';
import type {FormPhase, FormRequest, FormState} from '../stepped-form/state.ts';

/** What someone opened the wizard for. */
export type WizardPurpose =
	/** On an existing filter, where one is passed; else on a new filter, which is created first. */
	| {readonly kind: 'new rule'; readonly filter?: Filter | undefined}
	| {readonly kind: 'new filter'}
	/** Its action, priority, description, pause and products; its filter stays. */
	| {readonly kind: 'change rule'; readonly rule: Rule}
	/** Its expression and description, for all the rules that use it. */
	| {readonly kind: 'change filter'; readonly filter: Filter; readonly users: readonly Rule[]};

/** `about` is the order of a rule, its description and whether it is paused; of a filter the last two. */
export type WizardStep = 'expression' | 'action' | 'about' | 'review';

/** A line of the step `about`. */
export type AboutRow = 'priority' | 'description' | 'paused';

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

/** What is done at this moment, as the steps of the progress name it. */
export type Doing = 'filter' | 'rule' | 'looking' | 'change' | 'delete';

export type Wizard = FormState<Doing, Ending> & {
	readonly phase: FormPhase<Doing, Ending>;
	readonly purpose: WizardPurpose;
	/** The lists of the zone, as they were read last before sending. */
	readonly rules: readonly Rule[];
	readonly filters: readonly Filter[];
	readonly step: WizardStep;
	/** The filter that a new rule will refer to, where none is made for it. */
	readonly filter: {readonly id: string; readonly expression?: string | undefined} | undefined;
	/** The action of a rule that is changed may be unknown to this ledge. */
	readonly action: string | undefined;
	readonly products: readonly string[];
	/** Where the cursor is among the products, while they are chosen. */
	readonly product: number | undefined;
	readonly about: {
		readonly row: AboutRow;
		readonly priority: TextBuffer;
		readonly description: TextBuffer;
		readonly paused: boolean;
	};
	/** Exactly what will be sent; nothing until the review is looked at. */
	readonly requests: readonly FormRequest[] | undefined;
	/** A filter that came of this wizard, and that has no rule yet. */
	readonly left: string | undefined;
	/** The filter that came of this wizard, with or without a rule: made for certain, or found after a lost answer. */
	readonly own: {readonly id: string; readonly made: boolean} | undefined;
	/** Whether its zone has the new managed rules only, as far as that is known. */
	readonly migrated?: boolean | undefined;
	/** What was there before anything was typed. */
	readonly untouched: string;
};

const lineOf = (text: string): TextBuffer => bufferOf(text, {singleLine: true});

/** The wizard at its first step. */
export function beginningOf(
	id: number,
	purpose: WizardPurpose,
	zone: OpenedZone,
	there: {readonly rules: readonly Rule[]; readonly filters: readonly Filter[]},
): Wizard {
	const rule = purpose.kind === 'change rule' ? purpose.rule : undefined;
	const filter = 'filter' in purpose ? purpose.filter : undefined;
	const own = rule ?? (purpose.kind === 'change filter' ? purpose.filter : undefined);
	const ruleFilter = rule && 'expression' in rule.filter ? rule.filter : undefined;
	const wizard: Wizard = {
		id,
		purpose,
		zone,
		rules: there.rules,
		filters: there.filters,
		step: stepsOf(purpose)[0] ?? 'review',
		editing: editingOf((filter ?? ruleFilter)?.expression ?? '', zone),
		filter: purpose.kind === 'new rule' ? filter : rule?.filter,
		action: rule?.action,
		products: rule?.products ?? [],
		product: undefined,
		about: {
			row: purpose.kind === 'new rule' || rule ? 'priority' : 'description',
			priority: lineOf(rule?.priority == null ? '' : String(rule.priority)),
			description: lineOf(own?.description ?? ''),
			paused: own?.paused ?? false,
		},
		requests: undefined,
		shows: 'requests',
		top: 0,
		phase: {name: 'asking'},
		left: undefined,
		own: undefined,
		untouched: '',
	};
	return {...wizard, untouched: contentOf(wizard)};
}

/** The steps that a purpose has, in their order. */
export function stepsOf({kind}: WizardPurpose): readonly WizardStep[] {
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

export const aboutRows = (wizard: Wizard): readonly AboutRow[] =>
	isOfRule(wizard) ? ['priority', 'description', 'paused'] : ['description', 'paused'];

/** Moves to a line of the step `about`. Its text is selected, as in any form. */
export const enterAboutRow = (about: Wizard['about'], row: AboutRow): Wizard['about'] => ({
	...about,
	row,
	...(row !== 'paused' && {[row]: selectLine(about[row])}),
});

/** Whether letters are text in the step in front. */
export function isTyping(wizard: Wizard): boolean {
	if (wizard.phase.name !== 'asking') return false;
	return wizard.step === 'about' || (wizard.step === 'expression' && wizard.filter === undefined);
}

/** Everything that was typed or chosen, to tell one state of it from another. */
export const contentOf = ({editing, filter, action, products: chosen, about}: Wizard): string =>
	JSON.stringify([
		expressionOf(editing),
		filter?.id,
		action,
		chosen,
		textOf(about.priority),
		textOf(about.description),
		about.paused,
	]);

/** Whether anything was typed or chosen that leaving would lose. */
export const isTouched = (wizard: Wizard): boolean => contentOf(wizard) !== wizard.untouched;

/** The wizard with the lists of its zone as they were read last; what was sent is compared with what was there before. */
export function withLists(wizard: Wizard, firewall: FirewallState | undefined): Wizard {
	const {purpose, rules, filters, phase, zone} = wizard;
	if (phase.name !== 'asking' || firewall?.zone.id !== zone.id || firewall.reading !== 'read') return wizard;
	if (firewall.rules === rules && firewall.filters === filters) return wizard;
	return {
		...wizard,
		rules: firewall.rules,
		filters: firewall.filters,
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
	const text = textOf(about.priority).trim();
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

/** What is known of the expression of the filter that is used. */
export const analysisHere = (wizard: Wizard) =>
	wizard.filter ? analyse(expressionHere(wizard), wizard.zone) : wizard.editing.analysis;
